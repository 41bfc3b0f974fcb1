import type { Connection } from '../storage/database.js';
import { selectRecords } from '../runs/history.store.js';
import { contextOf, type ContextColumns } from '../runs/recorder/codes.js';
import { recordIds } from '../runs/recordIds.js';
import type { ComparedRun } from './comparer.js';
import { chunks } from '../storage/batches.js';
import { idFromBytes, idToBytes, lowestIdAt } from '../storage/ids.js';

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

/** Ids that one statement finds for a count. */
const countedAtOnce = 5000;

/** The next executions before an id, the newest first; fewer than the limit only at the end. */
export function idsBefore(
  connection: Connection,
  { workspaceId, from, ...filter }: RecordScope,
  high: Buffer,
  limit: number,
): Promise<Buffer[]> {
  return recordIds(connection, workspaceId, filter, {
    ...{ after: high, from: from && lowestIdAt(from), order: 'desc', limit },
  });
}

/** How many executions there are before an id, up to a limit. */
export async function countRecords(
  connection: Connection,
  scope: RecordScope,
  high: Buffer,
  limit: number,
): Promise<number> {
  let total = 0;
  for (let before: Buffer | undefined = high; before !== undefined && total < limit;) {
    const ids = await idsBefore(connection, scope, before, Math.min(countedAtOnce, limit - total));
    total += ids.length;
    before = ids.at(-1);
  }
  return total;
}

/** What is read at once of the executions. */
interface PageSize {
  readonly records: number;
  /** Of their texts in MySQL. */
  readonly bytes: number;
}

/** How many of the executions, from the first on, fit into a page; one in any case. */
export async function measurePage(
  connection: Connection,
  workspaceId: string,
  ids: readonly Buffer[],
  most: PageSize,
): Promise<PageSize> {
  const rows = (await connection('executions')
    .select(connection.raw('COALESCE(LENGTH(fact), 0) + LENGTH(result) AS bytes'))
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('id', ids.slice(0, most.records))
    .orderBy('id', 'desc')) as { bytes: number }[];
  const [some = []] = chunks(rows, ({ bytes }) => bytes, { size: most.bytes });
  return { records: some.length, bytes: some.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The executions that exist, the newest first. */
export async function readRecords(
  connection: Connection,
  workspaceId: string,
  ids: readonly Buffer[],
): Promise<ComparedRun[]> {
  const columns = ['id', 'status', 'reference', 'fact', 'result', 'selection', 'run_context'];
  const rows = (await selectRecords(connection, columns, ['version'])
    .select({ shared_context: 's.context' })
    .leftJoin('execution_settings as s', 's.code', 'e.setting')
    .where('e.workspace_id', idToBytes(workspaceId))
    .whereIn('e.id', ids)
    .orderBy('e.id', 'desc')) as Row[];
  return rows.map((row) => ({
    id: idFromBytes(row.id),
    version: row.version,
    completed: row.status === 'COMPLETED',
    reference: row.reference,
    fact: row.fact,
    selection: row.selection,
    result: row.result,
    ...contextOf(row),
  }));
}

interface Row extends ContextColumns {
  readonly id: Buffer;
  readonly version: number;
  readonly status: string;
  readonly reference: string | null;
  readonly fact: string | null;
  readonly selection: string | null;
  readonly result: string;
}
