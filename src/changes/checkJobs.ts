import type { Knex } from 'knex';
import { Problem, type ProblemCode } from '../errors.js';
import type { ByteBudget } from '../admission/byteBudget.js';
import { JobFailed, type JobWork } from '../jobs/jobLoop.js';
import type { Job } from '../jobs/jobs.store.js';
import { inTransaction } from '../storage/database.js';
import { findCheck, writeOutcome, type CheckOutcome, type ClaimedCheck, noteReplay } from './checks.store.js';
import { heads } from './requests.store.js';
import { checkAnalysis, checkTests, detailOf, type CheckParts } from './runCheck.js';
import { parseBound, resultKinds, type BoundedReport } from '../replays/bound.js';
import { createReplay } from '../replays/replays.service.js';
import { replays } from '../replays/replays.store.js';

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
      await heads.require(transaction, ref, true);
      await writeOutcome(transaction, check, outcome);
      await heads.update(transaction, ref, {});
    });
  }
}

function unlessItPasses(error: unknown): never {
  if (error instanceof Problem && !passing.includes(error.code)) throw new JobFailed(error.message);
  throw error;
}

/** The replay runs, or the check waits to start it until fewer others run. */
type ReplayUnderWay = 'runs' | 'waits';

/** Starts a replay of the environment's newest recorded executions on the version, or looks how far it is. */
async function checkReplay(database: Knex, check: ClaimedCheck): Promise<CheckOutcome | ReplayUnderWay> {
  const { workspaceId, shown } = check;
  if (shown.replayId === undefined) return (await startReplay(database, check)) ? 'runs' : 'waits';
  const replay = await replays.find(database, { workspaceId, id: shown.replayId });
  if (replay?.status === 'RUNNING') return 'runs';
  if (replay?.status !== 'COMPLETED') {
    const why = replay === undefined ? 'was removed' : `is ${replay.status}`;
    return { passed: false, detail: detailOf(check, `its replay ${why}`), report: null };
  }
  const report = JSON.parse(replay.report) as BoundedReport;
  const { replayed, changed, skipped } = report;
  const counted = `of ${replayed} recorded executions ${changed} change (wanted: ${check.wanted})`;
  const left = Object.entries(skipped).map(([reason, count]) => `${reason}: ${count}`);
  const detail = left.length === 0 ? counted : `${counted}; skipped were ${left.join(', ')}`;
  return { passed: isKept(check.wanted, report), detail: detailOf(check, detail), report: replay.report };
}

/**
 * Whether a bound is kept. Executions in which the candidate read a secret or called a host could not be compared; they count as the
 * worst outcome, or a candidate could hide its changes by doing so.
 */
function isKept(wanted: string, report: BoundedReport): boolean {
  const keeps = parseBound(wanted);
  if (keeps?.(report) !== true) return false;
  const unseen = (report.skipped['secret'] ?? 0) + (report.skipped['http'] ?? 0);
  const replayed = report.replayed + unseen;
  return unseen === 0 || resultKinds.every((name) => keeps({ ...report, replayed, [name]: report[name] + unseen }));
}

/** Starts the replay in the name of the request's author. False where too many replays run already. */
async function startReplay(database: Knex, check: ClaimedCheck): Promise<boolean> {
  const { workspaceId, changeRequestId, decisionId, version } = check;
  const ref = { workspaceId, id: changeRequestId };
  const { environmentId, author } = await heads.require(database, ref);
  const actor = { principal: author, requestId: null };
  try {
    const { id } = await createReplay({ database, actor }, workspaceId, {
      decisionId,
      environmentId,
      candidate: { version },
    });
    await inTransaction(database, async (transaction) => {
      await heads.require(transaction, ref, true);
      await noteReplay(transaction, check, id);
      await heads.update(transaction, ref, {});
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') return false;
    throw error;
  }
}
