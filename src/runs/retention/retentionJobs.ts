import type { Knex } from 'knex';
import { pause } from '../../clock/timers.js';
import type { JobWork } from '../../jobs/jobLoop.js';
import { requireHeld, type Hold, type Job } from '../../jobs/jobs.store.js';
import { startOfDay } from '../days/days.js';
import { keepDays } from '../days/keepDays.js';
import { pruneEnvironment } from '../prune.js';
import { pruneKept } from '../pruneKept.js';
import { keptFrom } from './retention.store.js';

interface Dependencies {
  readonly database: Knex;
  /** How often each environment is looked at, in milliseconds. */
  readonly everyMs: number;
}

/** Statements of 500 rows for which one environment is held; the audit trail has an entry for each time. */
const maxChunks = 200;
/** A fifth of the time is spent deleting, so that records that are written meanwhile never wait long. */
const restFactor = 4;
/** Milliseconds after which an environment is looked at again while another process removes whole days. */
const againMs = 1000;

/** In its entries of the audit trail. */
const actor = { principal: 'system:retention', requestId: null };

/** Removes executions that are older than their environment keeps them, of one environment at a time. */
export function retentionJobs({ database, everyMs }: Dependencies): JobWork {
  return { kind: 'retention', atOnce: 1, work: remove };

  async function remove(job: Job, gone: AbortSignal): Promise<number | null> {
    const { workspaceId, id: environmentId } = job;
    const oldest = await keptFrom(database, { workspaceId, environmentId });
    if (oldest === undefined) return null;
    // First what nobody keeps goes as a whole. Only whole days go: the rest of one would be deleted piece by piece.
    if (!(await keepDays(database))) return againMs;
    const hold: Hold = (transaction) => requireHeld(transaction, job);
    const request = { workspaceId, environmentId, before: new Date(startOfDay(oldest.getTime())), hold };
    const { deleted, isEnd } = await pruneEnvironment({ database, actor }, request, {
      maxChunks,
      rest: (tookMs) => pause(restFactor * tookMs, gone),
      goesOn: () => !gone.aborted,
    });
    if (isEnd && deleted > 0) await pruneKept(database, workspaceId);
    return isEnd ? everyMs : 0;
  }
}
