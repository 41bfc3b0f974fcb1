import type { Knex } from 'knex';
import { Problem, type ProblemCode } from '../errors.js';
import type { ByteBudget } from '../admission/byteBudget.js';
import { JobFailed, type JobWork } from '../jobs/jobLoop.js';
import type { Job } from '../jobs/jobs.store.js';
import { inTransaction } from '../storage/database.js';
import { findCheck, writeOutcome, type CheckOutcome, type ClaimedCheck, noteReplay } from './checks.store.js';
import { heads } from './requests.store.js';
import { checkAnalysis, checkTests, detailOf, type CheckParts } from './runCheck.js';
import { parseBound, possibleReports, type BoundedReport } from '../replays/bound.js';
import { createReplay } from '../replays/replays.service.js';
import { replays } from '../replays/replays.store.js';

interface Dependencies extends CheckParts {
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
  const { replayed, changed, newlyFailed, newlyCompleted, skipped } = report;
  const others = [
    newlyFailed > 0 ? `, ${newlyFailed} newly fail` : '',
    newlyCompleted > 0 ? `, ${newlyCompleted} newly complete` : '',
  ];
  const counted = `of ${replayed} recorded executions ${changed} change${others.join('')} (wanted: ${check.wanted})`;
  const left = Object.entries(skipped).map(([reason, count]) => `${reason}: ${count}`);
  const detail = left.length === 0 ? counted : `${counted}; skipped were ${left.join(', ')}`;
  return { passed: isKept(check.wanted, report), detail: detailOf(check, detail), report: replay.report };
}

function isKept(wanted: string, report: BoundedReport): boolean {
  const keeps = parseBound(wanted);
  return keeps !== undefined && possibleReports(report).every(keeps);
}

/** Starts the replay in the name of the request's author. False where too many replays run already. @throws JobLost */
export async function startReplay(database: Knex, check: ClaimedCheck): Promise<boolean> {
  const { workspaceId, changeRequestId, decisionId, version } = check;
  const ref = { workspaceId, id: changeRequestId };
  const { environmentId, author } = await heads.require(database, ref);
  const actor = { principal: author, requestId: null };
  const request = { decisionId, environmentId, candidate: { version } };
  try {
    await createReplay({ database, actor }, workspaceId, request, async (transaction, replayId) => {
      await heads.require(transaction, ref, true);
      await noteReplay(transaction, check, replayId);
      await heads.update(transaction, ref, {});
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') return false;
    throw error;
  }
}
