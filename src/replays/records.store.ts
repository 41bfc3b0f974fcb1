import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { mark } from '../../workers/engine/index.js';
import { contextFromBytes } from '../runs/recorder/runContext.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../storage/ids.js';

/** Which executions are replayed. */
export interface RecordScope {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly environmentId: string;
  readonly status: 'COMPLETED' | 'FAILED' | undefined;
  readonly version: number | undefined;
  /** From then on. */
  readonly from: Date | undefined;
}

/** A recorded execution. Texts are JSON, redacted. */
export interface RecordedRun {
  readonly id: string;
  readonly version: number;
  readonly completed: boolean;
  readonly reference: string | null;
  readonly fact: string | null;
  readonly factRedacted: boolean;
  readonly result: string;
  /** What it saw, milliseconds since the epoch, and where its random numbers came from. */
  readonly clock: number;
  readonly seed: number;
}

/** Ids of executions: from `low` on, before `high`. */
export interface Window {
  readonly low: Buffer;
  readonly high: Buffer;
}

/** Executions of the decision, of whatever environment, status and version, that one statement looks at. */
const windowSize = 1000;
const countedWindowSize = 5000;

const index = 'executions_decision';

/**
 * The next executions of the decision before an id, as a window: filters that leave few of them never make a statement
 * look at more. Null when there are none.
 */
export async function windowBefore(
  connection: Connection,
  scope: RecordScope,
  high: Buffer,
  size = windowSize,
): Promise<Window | null> {
  const lowest = scope.from === undefined ? Buffer.alloc(16) : lowestIdAt(scope.from);
  if (Buffer.compare(lowest, high) >= 0) return null;
  const ids = (): Knex.QueryBuilder =>
    connection(connection.raw('?? FORCE INDEX (??)', ['executions', index]))
      .select('id')
      .where({ workspace_id: idToBytes(scope.workspaceId), decision_id: idToBytes(scope.decisionId) })
      .where('id', '>=', lowest)
      .where('id', '<', high);
  const [full] = (await ids()
    .orderBy('id', 'desc')
    .limit(1)
    .offset(size - 1)) as { id: Buffer }[];
  if (full !== undefined) return { low: full.id, high };
  const [oldest] = (await ids().orderBy('id').limit(1)) as { id: Buffer }[];
  return oldest === undefined ? null : { low: oldest.id, high };
}

const within = (connection: Connection, scope: RecordScope, { low, high }: Window): Knex.QueryBuilder => {
  const rows = connection(connection.raw('?? FORCE INDEX (??)', ['executions', index]))
    .where({
      workspace_id: idToBytes(scope.workspaceId),
      decision_id: idToBytes(scope.decisionId),
      environment_id: idToBytes(scope.environmentId),
    })
    .where('id', '>=', low)
    .where('id', '<', high);
  if (scope.status !== undefined) rows.where('status', scope.status);
  if (scope.version !== undefined) rows.where('version', scope.version);
  return rows;
};

/** How many executions there are before an id, up to a limit. */
export async function countRecords(
  connection: Connection,
  scope: RecordScope,
  high: Buffer,
  limit: number,
): Promise<number> {
  let total = 0;
  for (let before = high; total < limit;) {
    const window = await windowBefore(connection, scope, before, countedWindowSize);
    if (window === null) break;
    const [row] = await within(connection, scope, window).count<{ total: number | string }[]>({ total: '*' });
    total += Number(row?.total ?? 0);
    before = window.low;
  }
  return Math.min(total, limit);
}

/** A page of a window: its newest executions. */
export interface PageSize {
  readonly records: number;
  /** Of their texts in MySQL. */
  readonly bytes: number;
}

/** How much of the window fits into a page; one execution in any case. Nothing where the window has none. */
export async function measurePage(
  connection: Connection,
  scope: RecordScope,
  window: Window,
  most: PageSize,
): Promise<PageSize> {
  const rows = (await within(connection, scope, window)
    .select(connection.raw('COALESCE(LENGTH(fact), 0) + LENGTH(result) AS bytes'))
    .orderBy('id', 'desc')
    .limit(most.records)) as { bytes: number }[];
  let [records, bytes] = [0, 0];
  for (const row of rows) {
    if (records > 0 && bytes + row.bytes > most.bytes) break;
    bytes += row.bytes;
    records++;
  }
  return { records, bytes };
}

/** The newest executions of a window. */
export async function readRecords(
  connection: Connection,
  scope: RecordScope,
  window: Window,
  size: number,
): Promise<RecordedRun[]> {
  const rows = (await within(connection, scope, window)
    .select('id', 'version', 'status', 'reference', 'fact', 'result', 'circumstances')
    .orderBy('id', 'desc')
    .limit(size)) as {
    id: Buffer;
    version: number;
    status: string;
    reference: string | null;
    fact: string | null;
    result: string;
    circumstances: Buffer | null;
  }[];
  return rows.map(({ id, version, status, reference, fact, result, circumstances }) => ({
    id: idFromBytes(id),
    version,
    completed: status === 'COMPLETED',
    reference,
    fact,
    result,
    ...seenBy(idFromBytes(id), fact, circumstances),
  }));
}

/** A record from before contexts were kept has the time of its id; a mark in its fact tells that it was redacted. */
function seenBy(
  id: string,
  fact: string | null,
  circumstances: Buffer | null,
): Pick<RecordedRun, 'factRedacted' | 'clock' | 'seed'> {
  if (circumstances !== null) return contextFromBytes(circumstances);
  return { factRedacted: fact?.includes(mark) === true, clock: idTime(id).getTime(), seed: 0 };
}
