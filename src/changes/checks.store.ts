import type { Knex } from 'knex';
import { inTransaction, type Connection } from '../storage/database.js';
import { inMs, presently } from '../storage/databaseClock.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import type { PageAccount } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { tenantOf, Turns } from '../storage/turns.js';
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
  readonly tenantId: string;
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
    tenant_id: tenantOf(transaction, workspaceId),
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

/** The turns of the tenants whose checks a process runs. */
export const createCheckTurns = (): Turns =>
  new Turns(() => ({ table: 'change_checks', primaryKey: ['id'], columns, counters: ['attempts', 'fence'] }));

/** Takes the check whose turn it is. Undefined where none is due. */
export async function claimCheck(database: Knex, turns: Turns, leaseMs: number): Promise<ClaimedCheck | undefined> {
  const row = await turns.claim<Row>(database, leaseMs);
  return (
    row && {
      ...mapRow(row),
      tenantId: row.tenantId,
      workspaceId: idFromBytes(row.workspace_id),
      changeRequestId: idFromBytes(row.change_request_id),
      attempts: row.attempts + 1,
      fence: row.fence + 1,
    }
  );
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

/** Rewrites the reports of the workspace's checks by replays of these decisions, one after the other. */
export async function rewriteReports(
  database: Knex,
  { workspaceId, decisionIds }: { readonly workspaceId: string; readonly decisionIds: readonly string[] },
  rewritten: (report: string, of: { readonly decisionId: string; readonly environmentId: string }) => Promise<string>,
): Promise<void> {
  const rows = (await database('change_checks as c')
    .join('change_requests as r', 'r.id', 'c.change_request_id')
    .select('c.id', 'c.decision_id', 'r.environment_id')
    .where({ 'c.workspace_id': idToBytes(workspaceId), 'c.name': 'replay' })
    .whereIn('c.decision_id', decisionIds.map(idToBytes))
    .whereNotNull('c.report')) as { id: Buffer; decision_id: Buffer; environment_id: Buffer }[];
  for (const row of rows) {
    const of = { decisionId: idFromBytes(row.decision_id), environmentId: idFromBytes(row.environment_id) };
    await inTransaction(database, async (transaction) => {
      const check = transaction('change_checks').where({ id: row.id });
      const [found] = (await check.clone().select('report').forUpdate()) as { report: string | null }[];
      const report = found?.report ?? '';
      const left = await rewritten(report, of);
      if (left !== report) await check.update({ report: left });
    });
  }
}
