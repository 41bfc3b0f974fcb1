import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { ByteBudget } from '../../admission/byteBudget.js';
import { pause } from '../../clock/timers.js';
import { queueEvents } from '../../events/events.store.js';
import type { JobWork } from '../../jobs/jobLoop.js';
import { requireHeld, type Job } from '../../jobs/jobs.store.js';
import { inTransaction } from '../../storage/database.js';
import { checkWorkspace, type Finding, type WholeCheck } from '../check.js';
import { findTree } from '../trees.store.js';
import { writeFindings } from './findings.store.js';

interface Dependencies extends WholeCheck {
  readonly budget: Pick<ByteBudget, 'reserve' | 'owners'>;
  readonly database: Knex;
  readonly log: Pick<Logger, 'error'>;
  /** Between two checks of a workspace, in milliseconds. */
  readonly everyMs: number;
}

/** A piece of a check rests so many times as long as it took: a check takes a twentieth of a process and of MySQL's time. */
const restFactor = 19;
/** Workspaces that are checked at once, of different tenants: most of the time they rest. */
const atOnce = 4;
/** What is kept of a check. */
const maxFindings = 1000;
/** Of new findings those that stand in the log one by one. */
const maxLogged = 20;

/** Has each workspace checked against its evidence again and again; several processes share them. */
export function evidenceCheckJobs({ log, everyMs, ...parts }: Dependencies): JobWork {
  const { database, budget } = parts;
  return { kind: 'evidence_check', atOnce, atOnceOfTenant: 1, work };

  async function work(job: Job, gone: AbortSignal): Promise<number | null> {
    const { workspaceId } = job;
    budget.owners.learn(job);
    const tree = await findTree(database, workspaceId);
    if (tree === undefined) return null;
    const findings: Finding[] = [];
    let began = performance.now();
    await checkWorkspace(parts, tree, {
      found(finding) {
        if (findings.length < maxFindings) findings.push(finding);
      },
      async checked() {
        await pause((performance.now() - began) * restFactor, gone);
        gone.throwIfAborted();
        began = performance.now();
      },
    });
    const added = await inTransaction(database, async (transaction) => {
      await requireHeld(transaction, job);
      const written = await writeFindings(transaction, workspaceId, findings);
      const event = { workspaceId, kind: 'evidence.finding', data: { findings: written.length } } as const;
      if (written.length > 0) await queueEvents(transaction, [event]);
      return written;
    });
    for (const { kind, id, detail } of added.slice(0, maxLogged))
      log.error({ workspaceId, finding: kind, id }, `the evidence does not hold: ${detail}`);
    if (added.length > maxLogged)
      log.error(
        { workspaceId, findings: added.length },
        'the evidence does not hold, in more places than are told here',
      );
    return everyMs;
  }
}
