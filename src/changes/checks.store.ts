import type { Knex } from 'knex';
import { inTransaction, type Connection } from '../storage/database.js';
import { inMs, now, presently } from '../storage/databaseClock.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import type { PageAccount } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import type { Check } from './changes.schema.js';
import { rowsByRequest } from './rowsByRequest.js';

/** What a check is of, and what it must show. */
export interface CheckTask {
  readonly name: Check['name'];
  readonly decisionId: string;
  readonly decisionKey: string;
  readonly version: number;
  /** The bound of a replay, the share of a coverage; empty for the others. */
  readonly wanted: string;
}

/** A check of a request, as it is stored. */
export interface StoredCheck extends CheckTask {
  readonly id: string;
  readonly shown: Check;
}

/** A check that this process may work on until its lease ends. */
export interface ClaimedCheck extends StoredCheck {
  readonly workspaceId: string;
  readonly changeRequestId: string;
  /** This one included. */
  readonly attempts: number;
  readonly fence: number;
}

interface Row {
  readonly id: Buffer;
  readonly change_request_id: Buffer;
  readonly workspace_id: Buffer;
  readonly name: Check['name'];
  readonly decision_id: Buffer;
  readonly decision_key: string;
  readonly version: number;
  readonly wanted: string;
  readonly state: Check['state'];
  readonly detail: string | null;
  readonly replay_id: Buffer | null;
  readonly attempts: number;
  readonly fence: number;
}

const columns = [
  'id',
  'change_request_id',
  'workspace_id',
  'name',
  'decision_id',
  'decision_key',
  'version',
  'wanted',
  'state',
  'detail',
  'replay_id',
  'attempts',
  'fence',
];

const mapRow = (row: Row): StoredCheck => ({
  id: idFromBytes(row.id),
  name: row.name,
  decisionId: idFromBytes(row.decision_id),
  decisionKey: row.decision_key,
  version: row.version,
  wanted: row.wanted,
  shown: {
    name: row.name,
    state: row.state,
    detail: row.detail,
    ...(row.replay_id === null ? {} : { replayId: idFromBytes(row.replay_id) }),
  },
});

/** Writes checks that are to be taken up at once. */
export async function insertChecks(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  tasks: readonly CheckTask[],
): Promise<void> {
  const rows = tasks.map((task) => ({
    id: idToBytes(newId()),
    change_request_id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    name: task.name,
    decision_id: idToBytes(task.decisionId),
    decision_key: task.decisionKey,
    version: task.version,
    wanted: task.wanted,
    state: 'PENDING',
    due_at: presently(transaction),
  }));
  if (rows.length > 0) await transaction('change_checks').insert(rows);
}

/** The checks of requests, in the order in which they were made. */
export const readChecks = (
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, StoredCheck[]>> =>
  rowsByRequest(connection, { workspaceId, ids }, { table: 'change_checks', columns, order: 'id', mapRow });

/** How often reports are in memory at once: as they came, within the answer, and as that is sent. */
const copiesOfReports = 3;

/** What the checks of a request have found, as JSON texts; null before they are done. Throws what the account refuses with. */
export async function readReports(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
  account: PageAccount,
): Promise<{ readonly check: StoredCheck; readonly report: string | null }[]> {
  const all = connection('change_checks').where({
    workspace_id: idToBytes(workspaceId),
    change_request_id: idToBytes(id),
  });
  const [sum] = await all
    .clone()
    .sum<{ readonly bytes: number | string | null }[]>({ bytes: connection.raw('LENGTH(report)') });
  account.grow(copiesOfReports * Number(sum?.bytes ?? 0));
  const rows = (await all.select([...columns, 'report']).orderBy('id')) as (Row & { readonly report: string | null })[];
  return rows.map((row) => ({ check: mapRow(row), report: row.report }));
}

export async function deleteChecks(transaction: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await transaction('change_checks').whereIn('id', ids.map(idToBytes)).delete();
}

/** No check of an ended request is begun. */
export async function endChecks(transaction: Knex.Transaction, changeRequestId: string): Promise<void> {
  await transaction('change_checks')
    .where('change_request_id', idToBytes(changeRequestId))
    .whereNotNull('due_at')
    .update({ due_at: null, fence: transaction.raw('fence + 1') });
}

/** Which workspace's check is next: workspaces follow one another in the order of their ids. */
export interface Rotation {
  /** The workspace whose check was claimed last; undefined before the first. The workspaces with greater ids come next, then all. */
  readonly after: string | undefined;
  /** Workspaces of which a check is running. */
  readonly busy: ReadonlySet<string>;
}

/**
 * Takes the check of the next workspace that has been due for the longest, and that nobody else is taking. Undefined where
 * none is due.
 */
export async function claimCheck(
  database: Knex,
  rotation: Rotation,
  leaseMs: number,
): Promise<ClaimedCheck | undefined> {
  const next = await claimAfter(database, rotation, leaseMs);
  return (
    next ??
    (rotation.after === undefined ? undefined : claimAfter(database, { ...rotation, after: undefined }, leaseMs))
  );
}

function claimAfter(database: Knex, { after, busy }: Rotation, leaseMs: number): Promise<ClaimedCheck | undefined> {
  return inTransaction(database, async (transaction) => {
    const due = transaction(transaction.raw('change_checks FORCE INDEX (change_checks_turn)'))
      .select(columns)
      .where('due', 1)
      .whereRaw(`due_at <= ${now}`)
      .whereNotIn('workspace_id', [...busy].map(idToBytes));
    if (after !== undefined) void due.where('workspace_id', '>', idToBytes(after));
    const [row] = (await due.orderBy(['workspace_id', 'due_at']).limit(1).forUpdate().skipLocked()) as Row[];
    if (row === undefined) return undefined;
    await transaction('change_checks')
      .where('id', row.id)
      .update({
        due_at: inMs(transaction, leaseMs),
        attempts: transaction.raw('attempts + 1'),
        fence: transaction.raw('fence + 1'),
      });
    return {
      ...mapRow(row),
      workspaceId: idFromBytes(row.workspace_id),
      changeRequestId: idFromBytes(row.change_request_id),
      attempts: row.attempts + 1,
      fence: row.fence + 1,
    };
  });
}

const held = (connection: Connection, { id, fence }: ClaimedCheck): Knex.QueryBuilder =>
  connection('change_checks').where({ id: idToBytes(id), fence });

/** How a check came out. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly detail: string;
  /** JSON. */
  readonly report: string | null;
}

const maxDetail = 4000;

/** Writes the outcome, unless the check is another's by now, or its request has ended. */
export async function writeOutcome(
  transaction: Knex.Transaction,
  check: ClaimedCheck,
  { passed, detail, report }: CheckOutcome,
): Promise<void> {
  await held(transaction, check).update({
    state: passed ? 'PASSED' : 'FAILED',
    detail: detail.slice(0, maxDetail),
    report,
    due_at: null,
  });
}

/** Notes the replay that a check waits for. */
export async function noteReplay(transaction: Knex.Transaction, check: ClaimedCheck, replayId: string): Promise<void> {
  await held(transaction, check).update({ replay_id: idToBytes(replayId) });
}

/** Lets others have the check after a while. @param attempts what they count from; unchanged when left out */
export async function postponeCheck(
  connection: Connection,
  check: ClaimedCheck,
  { afterMs, attempts = check.attempts }: { readonly afterMs: number; readonly attempts?: number },
): Promise<void> {
  await held(connection, check).update({
    due_at: inMs(connection, afterMs),
    attempts,
    fence: connection.raw('fence + 1'),
  });
}

/** Rewrites the reports of the workspace's checks by replays of these decisions. */
export async function rewriteReports(
  transaction: Knex.Transaction,
  { workspaceId, decisionIds }: { readonly workspaceId: string; readonly decisionIds: readonly string[] },
  rewritten: (report: string) => string,
): Promise<void> {
  const rows = (await transaction('change_checks')
    .select('id', 'report')
    .where({ workspace_id: idToBytes(workspaceId), name: 'replay' })
    .whereIn('decision_id', decisionIds.map(idToBytes))
    .whereNotNull('report')
    .forUpdate()) as { id: Buffer; report: string }[];
  for (const { id, report } of rows) {
    const left = rewritten(report);
    if (left !== report) await transaction('change_checks').where({ id }).update({ report: left });
  }
}
