import type { Logger } from 'pino';
import { Problem, type ProblemCode } from '../errors.js';
import type { ByteBudget } from '../http/body/byteBudget.js';
import { createJobLoop, type PollLoop } from '../scheduler/pollLoop.js';
import { inTransaction } from '../storage/database.js';
import { checkReplay, type ReplayParts, type ReplayUnderWay } from './checkReplay.js';
import {
  claimCheck,
  createCheckTurns,
  postponeCheck,
  writeOutcome,
  type CheckOutcome,
  type ClaimedCheck,
} from './checks.store.js';
import { requireHead, updateHead } from './requests.store.js';
import { checkAnalysis, checkTests, detailOf, type CheckParts } from './runCheck.js';

interface CheckSettings {
  /** How often to look for checks that others left behind, in milliseconds. */
  readonly pollMs: number;
  /** How long a check is another process's after this one died, in milliseconds. */
  readonly leaseMs: number;
}

interface Dependencies extends CheckParts, ReplayParts {
  readonly budget: ByteBudget;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: CheckSettings;
}

/**
 * Checks that a process works on at once, each of another tenant: each holds a program, and waits for threads most of the
 * time.
 */
const atOnce = 4;
/** Milliseconds until a replay that runs is looked at again, and until another attempt. */
const replayPollMs = 500;
const retryMs = 5000;
/** Attempts that came no further after which a check has FAILED: about two minutes. */
const maxAttempts = 20;
/** Reasons that pass: what the model itself causes is an outcome. */
const passing: readonly ProblemCode[] = ['overloaded', 'dependency_unavailable', 'too_many_requests', 'internal_error'];

/** Runs the checks that protections require of open change requests, for all workspaces; they give way to live work. */
export function createChecks(dependencies: Dependencies): PollLoop {
  const { database, budget, log, settings } = dependencies;
  const turns = createCheckTurns();
  const loop = createJobLoop<ClaimedCheck>({
    pollMs: settings.pollMs,
    atOnce,
    claim: () => claimCheck(database, turns, settings.leaseMs),
    async work(check) {
      turns.busy.add(check.tenantId);
      await workOn(check).finally(() => turns.busy.delete(check.tenantId));
    },
    failed(error, check) {
      if (check === undefined) log.warn({ err: error }, 'checks of change requests cannot be worked on right now');
      else log.warn({ err: error, check: check.id }, 'a check was left until its lease ends');
    },
  });
  return loop;

  async function workOn(check: ClaimedCheck): Promise<void> {
    try {
      const outcome = await run(check);
      if (outcome === 'runs') await postponeCheck(database, check, { afterMs: replayPollMs, attempts: 0 });
      else if (outcome === 'waits') await postponeCheck(database, check, { afterMs: retryMs, attempts: 0 });
      else await finish(check, outcome);
    } catch (error) {
      await interrupted(check, error);
    }
  }

  async function run(check: ClaimedCheck): Promise<CheckOutcome | ReplayUnderWay> {
    if (check.name === 'replay') return checkReplay(dependencies, check);
    const reservation = budget.reserve(check.workspaceId, 0);
    const work = check.name === 'analysis' ? checkAnalysis : checkTests;
    try {
      return await work(dependencies, check, { reservation, gone: () => loop.stopping.aborted });
    } finally {
      reservation.release();
    }
  }

  async function interrupted(check: ClaimedCheck, error: unknown): Promise<void> {
    // A server that stops lets others go on at once.
    if (loop.stopping.aborted) return postponeCheck(database, check, { afterMs: 0 });
    if (error instanceof Problem && !passing.includes(error.code)) {
      return finish(check, { passed: false, detail: detailOf(check, error.message), report: null });
    }
    log.warn({ err: error, check: check.id, attempts: check.attempts }, 'a check is tried again later');
    if (check.attempts < maxAttempts) return postponeCheck(database, check, { afterMs: retryMs });
    const detail = detailOf(check, `it came no further in ${maxAttempts} attempts`);
    await finish(check, { passed: false, detail, report: null });
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
