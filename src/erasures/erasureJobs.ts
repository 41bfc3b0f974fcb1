import { queueEvents } from '../events/events.store.js';
import { erasedAmong } from '../evidence/erased.js';
import { keptWithoutRecord } from '../replays/erase.store.js';
import type { JobWork } from '../jobs/jobLoop.js';
import { requireHeld, type Job } from '../jobs/jobs.store.js';
import { pageOfExecutions } from '../runs/history.store.js';
import { inTransaction } from '../storage/database.js';
import { idTime, idToBytes } from '../storage/ids.js';
import { eraseSome, type EraseDependencies } from './erase.js';
import { byId, dropUnknown, eraseOutcomes } from './eraseOutcomes.js';
import { completeErasure, erasures, findErasure, namedExecutions, type ClaimedErasure } from './erasures.store.js';

interface Dependencies extends EraseDependencies {
  /**
   * How many milliseconds after an execution was recorded all counts of it are written: measures and shadows hold theirs in the memory of
   * a process for some seconds.
   */
  readonly settledMs: number;
  /** How long after the moment in its id an execution may be recorded, in milliseconds. */
  readonly lateMs: () => number;
}

/** Executions of one transaction. */
const executionsAtOnce = 50;
/** How long one erasure is worked on before it is another tenant's turn, in milliseconds. */
const sliceMs = 1000;
/** Milliseconds after which an erasure that waits for executions to settle looks for them again, at least. */
const againMs = 1000;
/** The most of `lateMs` that is waited for before anything is erased: erasing is promised within a minute, however long runs may take. */
const mostLateMs = 30_000;

/** Erases what was asked for. Several processes share the erasures. */
export function erasureJobs({ settledMs, lateMs, ...parts }: Dependencies): JobWork {
  const { database, budget } = parts;
  /** How many milliseconds after the time in its id all counts of an execution are written, even if it was recorded late. */
  const lateSettledMs = (): number => settledMs + Math.min(lateMs(), mostLateMs);
  return { kind: 'erasure', atOnce: 1, work };

  /** Begins with the oldest execution each time, so that executions which were recorded late are found, too. */
  async function work(job: Job, gone: AbortSignal): Promise<number | null> {
    const erasure = await findErasure(database, job);
    if (erasure === undefined) return null;
    budget.owners.learn(job);
    const until = performance.now() + sliceMs;
    const isOver = (): boolean => gone.aborted || performance.now() > until;
    const isByReference = erasure.reference !== null;
    if (!isByReference && !(await dropUnknown(database, erasure, { isMeant: isSettled(erasure), isOver }))) return 0;
    let after: Buffer = Buffer.alloc(16);
    let isLeft = false;
    while (!gone.aborted) {
      const page = await idsOf(erasure, after);
      const last = page.at(-1);
      if (last === undefined) break;
      const left = await unerased(erasure, page);
      const settled = left.filter(isSettled(erasure));
      isLeft ||= settled.length < left.length;
      if (!(await eraseOutcomes(database, erasure, { subjects: settled.map(byId), isOver }))) return 0;
      const done = settled.length === 0 ? last : await eraseSome(parts, erasure, settled);
      after = idToBytes(done === settled.at(-1) ? last : (done ?? last));
      if (performance.now() > until) return 0;
    }
    if (await erasePruned(erasure, isOver)) isLeft = true;
    if (isOver()) return 0;
    if (isLeft) return Math.max(againMs, (isByReference ? lateSettledMs() : settledMs) - erasure.ageMs);
    // An execution that ran when this was asked for may still be recorded.
    const lastMs = settledMs + lateMs() - erasure.ageMs;
    if (isByReference && lastMs > 0) return Math.max(againMs, lastMs);
    // Outcomes that were reported for its reference go last, so that no execution shows them any more.
    const { reference } = erasure;
    if (reference !== null && !(await eraseOutcomes(database, erasure, { subjects: [{ reference }], isOver })))
      return 0;
    await end(erasure);
    return null;
  }

  /** Erases what replays have kept of executions whose records a prune or a retention has removed. True where some has to settle. */
  async function erasePruned(erasure: ClaimedErasure, isOver: () => boolean): Promise<boolean> {
    const { workspaceId, reference } = erasure;
    while (reference !== null && !isOver()) {
      const pruned = await keptWithoutRecord(database, { workspaceId, reference }, executionsAtOnce);
      const settled = pruned.filter(isSettled(erasure));
      if (settled.length === 0) return pruned.length > 0;
      if (!(await eraseOutcomes(database, erasure, { subjects: settled.map(byId), isOver }))) break;
      await eraseSome(parts, erasure, settled);
    }
    return false;
  }

  function end(erasure: ClaimedErasure): Promise<void> {
    const { workspaceId } = erasure;
    return inTransaction(database, async (transaction) => {
      await requireHeld(transaction, erasure);
      await completeErasure(transaction, erasure);
      const { id, erased } = await erasures.require(transaction, erasure);
      const data = { erasureId: id, erased, principal: erasure.actor.principal };
      await queueEvents(transaction, [{ workspaceId, kind: 'erasure.completed', data }]);
    });
  }

  /** The ids of the next executions that are to be erased, ascending. */
  async function idsOf(erasure: ClaimedErasure, after: Buffer): Promise<string[]> {
    const { workspaceId, id, reference } = erasure;
    const named = (): Promise<string[]> => namedExecutions(database, erasure, { after, size: executionsAtOnce });
    if (reference === null) return named();
    const filter = { reference, to: new Date(idTime(id).getTime() + 1) };
    const { data } = await pageOfExecutions(database, workspaceId, filter, {
      size: executionsAtOnce,
      after,
      before: null,
    });
    return data.length > 0 ? data.map((execution) => execution.id) : named();
  }

  /**
   * Tells whether all counts of an execution are written. Executions were recorded a bounded time after the moment in their ids, and
   * those that an erasure names were recorded before it. An id from the future is the id of no execution.
   */
  function isSettled({ ageMs, reference }: ClaimedErasure): (id: string) => boolean {
    const all = reference === null && ageMs > settledMs;
    const after = lateSettledMs();
    return (id) => all || Math.abs(Date.now() - idTime(id).getTime()) > after;
  }

  /** The executions that are not erased yet. An erasure by ids has the erased ones off its list already. */
  async function unerased({ workspaceId, reference }: ClaimedErasure, ids: readonly string[]): Promise<string[]> {
    if (reference === null) return [...ids];
    const erased = await erasedAmong(database, workspaceId, ids);
    return ids.filter((id) => !erased.has(id));
  }
}
