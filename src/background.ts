import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ModelWork } from '../workers/models/index.js';
import type { Analyse } from './analyses/analyse.js';
import { approvalJobs } from './changes/approvalJobs.js';
import { checkJobs } from './changes/checkJobs.js';
import type { Config } from './config/config.js';
import type { Programs } from './decisions/programs/programs.js';
import type { Configurations } from './environments/configurations.js';
import { erasureJobs } from './erasures/erasureJobs.js';
import { requestsWithOtherReviews } from './changes/alteredReviews.js';
import { evidenceCheckJobs } from './evidence/checks/evidenceCheckJobs.js';
import { createKeptHeads } from './evidence/keptHeads.js';
import { createIsAltered } from './evidence/alteration.js';
import { createEvidenceKeys } from './evidence/keys.js';
import { originIn } from './evidence/origin.js';
import { createRecords } from './evidence/records.js';
import { createSequencer, type EvidenceState } from './evidence/sequencer.js';
import { erasedAmong } from './evidence/erased.js';
import { keptFolder, witnessOf } from './evidence/witness.js';
import type { ByteBudget } from './admission/byteBudget.js';
import { createJobLoop } from './jobs/jobLoop.js';
import { Measures } from './measures/measures.js';
import { monitorJobs } from './measures/monitors/monitorJobs.js';
import type { Pool } from './admission/pool/pool.js';
import type { Scheduler } from './admission/scheduler.js';
import { replayJobs } from './replays/replayJobs.js';
import { Shadows } from './replays/shadows.js';
import { createDayKeeper } from './runs/days/keepDays.js';
import { retentionJobs } from './runs/retention/retentionJobs.js';
import type { Encryption } from './storage/encryption.js';

/** A record may be committed so long after the moment in its id, at least, in milliseconds. */
const minLateMs = 60_000;

interface Parts {
  readonly config: Config;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly budget: ByteBudget;
  readonly scheduler: Scheduler;
  readonly pool: Pool;
  readonly models: ModelWork;
  readonly analyse: Analyse;
  readonly programs: Programs;
  readonly configurations: Configurations;
  /** Longest time that a request may take, in milliseconds. */
  readonly leaseMs: () => number;
}

/** What a process does besides answering: replays, shadows, checks of requests, counts, monitors, retention, erasures, evidence. */
export function composeBackground(parts: Parts) {
  const { config, database, pool, log } = parts;
  const { pace } = config;
  const shadows = new Shadows({ ...parts, pollMs: pace.shadowsPoll, restMs: pace.shadowRest });
  const measures = new Measures({ ...parts, pollMs: pace.measuresPoll });
  const days = createDayKeeper(database, log, pace.daysPoll);
  const keys = createEvidenceKeys(parts);
  const records = createRecords(parts);
  const originOf = originIn(config.issuer);
  const kept = createKeptHeads(keptFolder(config));
  const evidence = { database, records, keys, originOf, kept };
  const evidenceState: EvidenceState = { refused: new Map(), completeAt: undefined };
  const sequencer = createSequencer({
    ...{ ...parts, ...evidence, state: evidenceState },
    pollMs: pace.evidencePoll,
    restMs: pace.evidenceRest,
    sendMs: pace.evidenceSend,
    lateMs: Math.max(minLateMs, parts.leaseMs()),
    witness: witnessOf(config),
  });
  // Of a repeated key the id is made before the run, which may be sent to a second thread.
  const recordedMs = (): number =>
    (config.poolMaxWaitMs + 2 * pool.settings().runTimeoutMs + pace.recorderGiveUp) / pace.haste;
  const jobs = createJobLoop({ database, log, pollMs: pace.jobsPoll }, [
    replayJobs(parts),
    checkJobs(parts),
    approvalJobs({ ...parts, everyMs: pace.approvalEvery }),
    monitorJobs({ ...parts, everyMs: pace.monitorEvery }),
    retentionJobs({ ...parts, everyMs: pace.retentionEvery }),
    evidenceCheckJobs({
      ...{ ...parts, records, folder: keptFolder(config), requestsWithOtherReviews },
      everyMs: pace.evidenceCheckEvery,
    }),
    erasureJobs({ ...parts, ...evidence, settledMs: pace.countedAfter, lateMs: recordedMs }),
  ]);
  /** What ends first when the process does. */
  const running = [jobs, days];
  return {
    jobs,
    /** How far the evidence is that this process signs. */
    evidenceState,
    shadows,
    measures,
    evidence,
    isAltered: createIsAltered({ database, records }),
    erasedAmong: (workspaceId: string, ids: readonly string[]) => erasedAmong(database, workspaceId, ids),
    start() {
      for (const work of [...running, sequencer, shadows, measures]) work.start();
    },
    /** No new piece of work begins. Shadows go on: what is executed still is offered to them. */
    stopAccepting() {
      for (const work of running) void work.stop();
    },
    /** Resolves when nothing of it needs threads. */
    async stop() {
      await Promise.all([...running, shadows].map((work) => work.stop()));
    },
    /** What follows the records, once all of them are written. */
    async close() {
      await measures.stop();
      await sequencer.stop();
    },
  };
}
