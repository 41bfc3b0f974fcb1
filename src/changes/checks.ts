import type { Logger } from 'pino';
import { Problem, type ProblemCode } from '../errors.js';
import type { ByteBudget } from '../http/body/byteBudget.js';
import { inTransaction } from '../storage/database.js';
import { createWakeSignal } from '../storage/wakeSignal.js';
import { checkReplay, type ReplayParts, type ReplayUnderWay } from './checkReplay.js';
import { claimCheck, postponeCheck, writeOutcome, type CheckOutcome, type ClaimedCheck } from './checks.store.js';
import { requireHead, updateHead } from './requests.store.js';
import { checkAnalysis, checkTests, detailOf, type CheckParts } from './runCheck.js';

export interface CheckSettings {
  /** How often to look for checks that others left behind, in milliseconds. */
  readonly pollMs: number;
  /** How long a check is another process's after this one died, in milliseconds. */
  readonly leaseMs: number;
}

/** Works on the checks of all workspaces, in turn with live work. Several processes share them. */
export interface Checks {
  start(): void;
  /** A request was opened: look now. */
  wake(): void;
  stop(): Promise<void>;
}

interface Dependencies extends CheckParts, ReplayParts {
  readonly budget: ByteBudget;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: CheckSettings;
}

/**
 * Checks that a process works on at once, each of another workspace: each holds a program, and waits for threads most of the
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

/** Runs what a protection asks for of each open request. */
export function createChecks(dependencies: Dependencies): Checks {
  const { database, budget, log, settings } = dependencies;
  const wakeSignal = createWakeSignal();
  /** By workspace. */
  const running = new Map<string, Promise<void>>();
  let last: string | undefined;
  let stopping = false;

  async function claimAll(): Promise<void> {
    while (!stopping) {
      const check = running.size < atOnce ? await claim() : undefined;
      // A little jitter keeps several processes from asking at the same moments.
      if (check === undefined) await wakeSignal.wait(settings.pollMs * (0.75 + 0.5 * Math.random()));
      else begin(check);
    }
    await Promise.all(running.values());
  }

  async function claim(): Promise<ClaimedCheck | undefined> {
    try {
      return await claimCheck(database, { after: last, busy: new Set(running.keys()) }, settings.leaseMs);
    } catch (error) {
      log.warn({ err: error }, 'checks of change requests cannot be worked on right now');
      wakeSignal.clear();
      return undefined;
    }
  }

  function begin(check: ClaimedCheck): void {
    const { workspaceId } = check;
    last = workspaceId;
    const work = workOn(check)
      // What is claimed stays ours until its lease ends.
      .catch((error: unknown) => log.warn({ err: error, check: check.id }, 'a check was left until its lease ends'))
      .finally(() => {
        running.delete(workspaceId);
        wakeSignal.raise();
      });
    running.set(workspaceId, work);
  }

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
      return await work(dependencies, check, { reservation, gone: () => stopping });
    } finally {
      reservation.release();
    }
  }

  async function interrupted(check: ClaimedCheck, error: unknown): Promise<void> {
    // A server that stops lets others go on at once.
    if (stopping) return postponeCheck(database, check, { afterMs: 0 });
    if (error instanceof Problem && !passing.includes(error.code)) {
      return finish(check, { passed: false, detail: detailOf(check, error.message), report: null });
    }
    log.warn({ err: error, check: check.id, attempts: check.attempts }, 'a check is tried again later');
    if (check.attempts < maxAttempts) return postponeCheck(database, check, { afterMs: retryMs });
    const detail = detailOf(check, `it came no further in ${maxAttempts} attempts`);
    await finish(check, { passed: false, detail, report: null });
  }

  /** The request is locked first, as whoever ends it does. */
  const finish = (check: ClaimedCheck, outcome: CheckOutcome): Promise<void> =>
    inTransaction(database, async (transaction) => {
      const place = { workspaceId: check.workspaceId, id: check.changeRequestId };
      await requireHead(transaction, place, 'locked');
      await writeOutcome(transaction, check, outcome);
      await updateHead(transaction, place, {});
    });

  let claiming: Promise<void> | undefined;
  return {
    start: () => void (claiming ??= claimAll()),
    wake: () => wakeSignal.raise(),
    async stop() {
      stopping = true;
      wakeSignal.raise();
      await claiming;
    },
  };
}
