import type { Knex } from 'knex';
import { endJobs, queueJobs, requireHeld, type Hold, type Job } from '../jobs/jobs.store.js';
import { Fields, id, plain } from '../storage/columns.js';
import { type Connection, deleteByPrimaryKey, inTransaction } from '../storage/database.js';
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
interface StoredCheck extends CheckTask {
  readonly id: string;
  readonly shown: Check;
}

/** A check that this process works on. */
export interface ClaimedCheck extends StoredCheck, Job {
  readonly id: string;
  readonly changeRequestId: string;
}

const taskFields = new Fields<Omit<StoredCheck, 'shown'>>({
  id: id(),
  name: plain('name'),
  decisionId: id('decision_id'),
  decisionKey: plain('decision_key'),
  version: plain('version'),
  wanted: plain('wanted'),
});

interface Row {
  readonly change_request_id: Buffer;
  readonly name: Check['name'];
  readonly state: Check['state'];
  readonly detail: string | null;
  readonly replay_id: Buffer | null;
}

const columns = [...taskFields.names, 'change_request_id', 'state', 'detail', 'replay_id'];

const mapRow = (row: Row): StoredCheck => ({
  ...taskFields.map(row),
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
  request: ResourceRef,
  tasks: readonly CheckTask[],
): Promise<void> {
  if (tasks.length === 0) return;
  const made = tasks.map((task) => ({ ...task, id: newId() }));
  await transaction('change_checks').insert(
    made.map((task) => ({
      ...taskFields.toRow(task),
      ...{ change_request_id: idToBytes(request.id), workspace_id: idToBytes(request.workspaceId), state: 'PENDING' },
    })),
  );
  await queueJobs(
    transaction,
    made.map((task) => ({ kind: 'check', workspaceId: request.workspaceId, id: task.id })),
  );
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
  await deleteByPrimaryKey(transaction, 'change_checks', ids.map(idToBytes));
  await endJobs(transaction, 'check', ids);
}

/** No check of an ended request is begun. */
export async function endChecks(transaction: Knex.Transaction, { workspaceId, id }: ResourceRef): Promise<void> {
  const ids = (await transaction('change_checks')
    .where({ workspace_id: idToBytes(workspaceId), change_request_id: idToBytes(id), state: 'PENDING' })
    .pluck('id')) as Buffer[];
  await endJobs(transaction, 'check', ids.map(idFromBytes));
}

/** What a job is to check; undefined where that is gone, or done. */
export async function findCheck(connection: Connection, job: Job): Promise<ClaimedCheck | undefined> {
  const [row] = (await connection('change_checks')
    .select(columns)
    .where({ id: idToBytes(job.id), state: 'PENDING' })) as Row[];
  return row && { ...job, ...mapRow(row), changeRequestId: idFromBytes(row.change_request_id) };
}

/** How a check came out. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly detail: string;
  /** JSON. */
  readonly report: string | null;
}

const maxDetail = 4000;

/** Writes the outcome. @throws JobLost where the check is another's by now, or its request has ended */
export async function writeOutcome(
  transaction: Knex.Transaction,
  check: ClaimedCheck,
  { passed, detail, report }: CheckOutcome,
): Promise<void> {
  const state = passed ? 'PASSED' : 'FAILED';
  await held(transaction, check, { state, detail: detail.slice(0, maxDetail), report });
}

/** Notes the replay that a check waits for. @throws JobLost */
export async function noteReplay(transaction: Knex.Transaction, check: ClaimedCheck, replayId: string): Promise<void> {
  await held(transaction, check, { replay_id: idToBytes(replayId) });
}

async function held(transaction: Knex.Transaction, check: ClaimedCheck, values: object): Promise<void> {
  await transaction('change_checks').where('id', idToBytes(check.id)).update(values);
  await requireHeld(transaction, check);
}

/** Rewrites the reports of the workspace's checks by replays of these decisions, in a transaction each, which `hold` begins. */
export async function rewriteReports(
  database: Knex,
  of: { readonly workspaceId: string; readonly decisionIds: readonly string[]; readonly hold: Hold },
  rewritten: (report: string, by: { readonly decisionId: string; readonly environmentId: string }) => Promise<string>,
): Promise<void> {
  const rows = (await database('change_checks as c')
    .join('change_requests as r', 'r.id', 'c.change_request_id')
    .select('c.id', 'c.decision_id', 'r.environment_id')
    .where({ 'c.workspace_id': idToBytes(of.workspaceId), 'c.name': 'replay' })
    .whereIn('c.decision_id', of.decisionIds.map(idToBytes))
    .whereNotNull('c.report')) as { id: Buffer; decision_id: Buffer; environment_id: Buffer }[];
  for (const row of rows) {
    const by = { decisionId: idFromBytes(row.decision_id), environmentId: idFromBytes(row.environment_id) };
    await inTransaction(database, async (transaction) => {
      await of.hold(transaction);
      const check = transaction('change_checks').where({ id: row.id });
      const [found] = (await check.clone().select('report').forUpdate()) as { report: string | null }[];
      const report = found?.report ?? '';
      const left = await rewritten(report, by);
      if (left !== report) await check.update({ report: left });
    });
  }
}
