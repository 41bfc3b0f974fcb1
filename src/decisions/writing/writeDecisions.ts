import type { Knex } from 'knex';
import type { ModelWork } from '../../../workers/models/index.js';
import type { Actor } from '../../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry } from '../../audit/audit.store.js';
import { jittered, pause } from '../../clock/timers.js';
import { Problem } from '../../errors.js';
import { settleJob, type Lease } from '../../jobs/jobs.store.js';
import { takeLease } from '../../jobs/leases.store.js';
import { inTransaction } from '../../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../../storage/mysqlErrors.js';
import { putContents, type Content } from '../contents.store.js';
import {
  deleteDecisions,
  insertDecisions,
  readWriteState,
  takeRevision,
  updateDecisions,
  writeLeaseOf,
  type WriteState,
} from '../decisions.store.js';
import { decisionIndexOf } from '../workspaceReader.js';
import { revised, type DecisionEntry, type DecisionIndex } from '../decisionIndex.js';
import { decisionDocument, versionDocument } from '../routes/representation.js';
import { countContents, requireRoom } from '../modelBytes.store.js';
import { insertVersions, savedByOf, type NewVersion } from '../versions.store.js';
import { requireWanted, type Caller } from './checkContents.js';
import { keepProtectedCopies } from './protectedCopies.js';
import { createAuditedChanges, type AuditedChanges } from './auditedChanges.js';
import type { YieldToLive } from '../../admission/scheduler.js';

/** All that one command changes. */
interface Writes {
  readonly contents: readonly Content[];
  readonly inserted: readonly DecisionEntry[];
  /** They have the revision at which they were read; the next one is written. */
  readonly updated: readonly DecisionEntry[];
  readonly removed: readonly DecisionEntry[];
  readonly versions: readonly NewVersion[];
}

export const noWrites: Writes = { contents: [], inserted: [], updated: [], removed: [], versions: [] };

/** What to write, decided from the workspace as it was read, and the caller's result once it is written. */
export interface Plan<T> {
  readonly writes: Writes;
  readonly result: T;
}

/** What every write of decisions needs. */
export interface WriteDependencies {
  readonly database: Knex;
  /** Bytes of models that a workspace may have stored. */
  readonly maxModelBytes: number;
  /** Compares models. */
  readonly models: ModelWork;
}

/** Who writes, and in which workspace. */
export interface WriteContext extends Caller {
  readonly actor: Actor;
  /** Contents are written in pieces that give way to live work; at once when it is left out. */
  readonly yieldToLive?: YieldToLive | undefined;
}

/** The workspace's state that a plan is based on. */
interface PlanBase {
  /** Of the workspace; writing takes the next one. */
  readonly revision: number;
  /** The time that is written. */
  readonly at: Date;
}

/** How long a lease holds up other writers of the workspace after its process died, in milliseconds. */
const leaseMs = 15_000;
/** Rounds of one writer: from the second one on nobody else writes, unless planning takes longer than the lease. */
const maxRounds = 5;
/** How long a writer waits for the lease, and between two attempts to take it, in milliseconds. */
const maxWaitMs = 20_000;
const retryMs = 25;

/**
 * The only way in which decisions are written. The plan is made without a lock, however long it takes; then all of it
 * is written in one short transaction with its audit entries, or nothing is. Where another writer committed meanwhile
 * (optimistic locking), the plan is made once more under the workspace's write lease: however many others write, a writer
 * plans twice, or a few times more where planning takes longer than the lease.
 * @throws Problem `forbidden` when there is no such workspace, `decision_in_use` for a removed decision that is named,
 * `workspace_full`, `model_too_large`, `approval_required` where a copy that runs in a protected environment would change
 */
export async function writeDecisions<T>(
  dependencies: WriteDependencies,
  context: WriteContext,
  plan: (decisionIndex: DecisionIndex, planned: PlanBase) => Promise<Plan<T>>,
): Promise<T> {
  const { database, maxModelBytes } = dependencies;
  const { workspaceId } = context;
  const changesOf = createAuditedChanges(dependencies, context);
  let lease: Lease | undefined;
  try {
    for (let round = 1; round <= maxRounds; round++) {
      if (round > 1) lease = await waitForLease(database, context, lease);
      const { revision, modelBytes } = await requireState(database, workspaceId, lease);
      const decisionIndex = decisionIndexOf(database, workspaceId);
      const planned = { revision, at: new Date() };
      const { writes, result } = await plan(decisionIndex, planned);
      if (isEmpty(writes)) return result;
      requireWanted(context);
      await requireRoom(database, workspaceId, { contents: writes.contents, modelBytes, maxModelBytes });
      await putContents(database, writes.contents, context.yieldToLive);
      // For the audit entries, which tell what was there before.
      await decisionIndex.read({ ids: writes.updated.map(({ id }) => id) });
      const told = await changesOf(decisionIndex, writes);
      const state = { ...planned, decisionIndex, writes, told, lease };
      if (await write(database, context, state).catch(falseIfContentIsGone)) {
        return result;
      }
    }
    throw crowded();
  } finally {
    if (lease !== undefined) await settleJob(database, lease, { kind: 'over' });
  }
}

const crowded = (): Problem =>
  new Problem('overloaded', 'Others keep writing decisions of this workspace; try again shortly.', { retryAfter: 1 });

/** @param own which this writer has had until now */
async function waitForLease(database: Knex, context: WriteContext, own: Lease | undefined): Promise<Lease> {
  const until = performance.now() + maxWaitMs;
  for (;;) {
    const lease = await takeLease(database, writeLeaseOf(context.workspaceId), leaseMs, own);
    if (lease !== undefined) return lease;
    requireWanted(context);
    if (performance.now() > until) throw crowded();
    await pause(jittered(retryMs));
  }
}

/** Throws Problem `forbidden` when there is no such workspace. */
async function requireState(database: Knex, workspaceId: string, lease: Lease | undefined): Promise<WriteState> {
  const state = await readWriteState(database, workspaceId, lease !== undefined);
  if (state === undefined) throw new Problem('forbidden', `There is no workspace ${workspaceId}.`);
  return state;
}

interface Planned extends PlanBase {
  /** The workspace before the writes. */
  readonly decisionIndex: DecisionIndex;
  readonly writes: Writes;
  readonly told: AuditedChanges;
  readonly lease: Lease | undefined;
}

function write(
  database: Knex,
  { workspaceId, actor }: WriteContext,
  { revision, at, decisionIndex, writes, told, lease }: Planned,
): Promise<boolean> {
  const { contents, inserted, removed, versions } = writes;
  const updated = writes.updated.map((entry) => revised(entry, at));
  const entries = entriesOf({ ...writes, updated }, { workspaceId, actor, at, decisionIndex, told });
  return inTransaction(database, async (transaction) => {
    const more = inserted.length - removed.length;
    if (!(await takeRevision(transaction, workspaceId, { revision, more, lease }))) return false;
    const requireSameCopies = await keepProtectedCopies(transaction, workspaceId);
    await countContents(transaction, workspaceId, contents);
    await insertDecisions(transaction, workspaceId, inserted);
    await updateDecisions(transaction, workspaceId, updated);
    await insertVersions(transaction, workspaceId, versions, { savedBy: savedByOf(actor.principal), at });
    await deleteDecisions(transaction, workspaceId, removed).catch(refuseInUse);
    await requireSameCopies();
    await appendAuditEntries(transaction, entries);
    return true;
  });
}

/** Foreign keys decide, so that no concurrent deployment, version or execution loses its decision. */
function refuseInUse(error: unknown): never {
  if (mysqlErrno(error) !== mysqlErrors.rowIsReferenced) throw error;
  const detail = 'A deployment, a saved version of another decision or a recorded execution names this decision.';
  throw new Problem('decision_in_use', detail, { cause: error });
}

/** A prune may remove a stored content that nothing names, just before it is named: false has the plan made once more. */
function falseIfContentIsGone(error: unknown): false {
  if (mysqlErrno(error) !== mysqlErrors.noReferencedRow) throw error;
  return false;
}

const isEmpty = ({ inserted, updated, removed, versions }: Writes): boolean =>
  inserted.length + updated.length + removed.length + versions.length === 0;

/**
 * The audit entries of writes: one for every decision made, changed or removed, and every version. There is none for a
 * decision's newest version number, nor for changed counts of faults: both follow from these.
 */
function entriesOf(
  { inserted, updated, removed, versions }: Writes,
  { workspaceId, actor, at, decisionIndex, told }: WriteContext & Pick<Planned, 'at' | 'decisionIndex' | 'told'>,
): NewAuditEntry[] {
  const entryOf = (before: DecisionEntry | undefined, after: DecisionEntry | undefined): NewAuditEntry[] => {
    const entry = after ?? before;
    if (entry === undefined) return [];
    return [
      {
        actor,
        workspaceId,
        action: `decision.${before === undefined ? 'create' : after === undefined ? 'delete' : 'update'}`,
        resource: { type: 'decision', id: entry.id, key: entry.key },
        before: before === undefined ? null : decisionDocument(workspaceId, before),
        after: after === undefined ? null : { ...decisionDocument(workspaceId, after), ...changesOf(after) },
      },
    ];
  };
  const changesOf = ({ id }: DecisionEntry): object => {
    const changes = told.get(id) ?? [];
    return changes.length === 0 ? {} : { changes };
  };
  const keys = new Map([...inserted, ...updated].map(({ id, key }) => [id, key]));
  return [
    ...inserted.flatMap((entry) => entryOf(undefined, entry)),
    ...updated.flatMap((entry) => {
      const before = decisionIndex.find(entry.id);
      return before?.key === entry.key && before.contentHash === entry.contentHash ? [] : entryOf(before, entry);
    }),
    ...removed.flatMap((entry) => entryOf(entry, undefined)),
    ...versions.map((version): NewAuditEntry => {
      const key = keys.get(version.decisionId);
      return {
        actor,
        workspaceId,
        action: 'version.create',
        resource: { type: 'version', id: version.decisionId, ...(key === undefined ? {} : { key }) },
        before: null,
        after: versionDocument({ ...version, savedBy: savedByOf(actor.principal), createdAt: at }),
      };
    }),
  ];
}
