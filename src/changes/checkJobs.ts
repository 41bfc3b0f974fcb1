import type { Knex } from 'knex';
import { Problem, type ProblemCode } from '../errors.js';
import type { ByteBudget } from '../admission/byteBudget.js';
import { JobFailed, type JobWork } from '../jobs/jobLoop.js';
import type { Job } from '../jobs/jobs.store.js';
import { inTransaction } from '../storage/database.js';
import { checkReplay, type ReplayUnderWay } from './checkReplay.js';
import { findCheck, writeOutcome, type CheckOutcome, type ClaimedCheck } from './checks.store.js';
import { requireHead, updateHead } from './requests.store.js';
import { checkAnalysis, checkTests, detailOf, type CheckParts } from './runCheck.js';

interface Dependencies extends CheckParts {
  readonly database: Knex;
  readonly budget: ByteBudget;
}

/**
 * Checks that a process works on at once, each of another tenant: each holds a program, and waits for threads most of the
 * time.
 */
const atOnce = 4;
/** Milliseconds until a replay that runs is looked at again, and until one that waits for others is begun. */
const lookMs = { runs: 500, waits: 5000 };
/** Reasons that pass: what the model itself causes is an outcome. */
const passing: readonly ProblemCode[] = ['overloaded', 'dependency_unavailable', 'too_many_requests', 'internal_error'];

/** Runs the checks that protections require of open change requests, for all workspaces; they give way to live work. */
export function checkJobs(dependencies: Dependencies): JobWork {
  const { database, budget } = dependencies;
  return {
    ...{ kind: 'check', atOnce, atOnceOfTenant: 1, work },
    async fail(job, reason) {
      const check = await findCheck(database, job);
      if (check === undefined) return;
      await finish(check, { passed: false, detail: detailOf(check, reason), report: null });
    },
  };

  async function work(job: Job, gone: AbortSignal): Promise<number | null> {
    budget.owners.learn(job);
    const check = await findCheck(database, job);
    if (check === undefined) return null;
    const outcome = await run(check, gone).catch(unlessItPasses);
    if (outcome === 'runs' || outcome === 'waits') return lookMs[outcome];
    await finish(check, outcome);
    return null;
  }

  async function run(check: ClaimedCheck, gone: AbortSignal): Promise<CheckOutcome | ReplayUnderWay> {
    if (check.name === 'replay') return checkReplay(database, check);
    const reservation = budget.reserve(check.workspaceId, 0);
    const checked = check.name === 'analysis' ? checkAnalysis : checkTests;
    try {
      return await checked(dependencies, check, { reservation, gone: () => gone.aborted });
    } finally {
      reservation.release();
    }
  }

  /** The request is locked first, as whoever ends it does. */
  function finish(check: ClaimedCheck, outcome: CheckOutcome): Promise<void> {
    return inTransaction(database, async (transaction) => {
      const ref = { workspaceId: check.workspaceId, id: check.changeRequestId };
      await requireHead(transaction, ref, 'locked');
      await writeOutcome(transaction, check, outcome);
      await updateHead(transaction, ref, {});
    });
  }
}

function unlessItPasses(error: unknown): never {
  if (error instanceof Problem && !passing.includes(error.code)) throw new JobFailed(error.message);
  throw error;
}
