import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

interface Rows<Row, T> {
  readonly table: string;
  readonly columns: readonly string[];
  /** The column that the rows of one request are in the order of. */
  readonly order: string;
  readonly mapRow: (row: Row) => T;
}

/** What a table has of each of several change requests, by the request's id. */
export async function rowsByRequest<Row extends { readonly change_request_id: Buffer }, T>(
  connection: Connection,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  { table, columns, order, mapRow }: Rows<Row, T>,
): Promise<Map<string, T[]>> {
  const found = new Map<string, T[]>();
  for (const batch of batches(ids)) {
    const rows = (await connection(table)
      .select(columns)
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn('change_request_id', batch.map(idToBytes))
      .orderBy(['change_request_id', order])) as Row[];
    for (const row of rows) {
      const id = idFromBytes(row.change_request_id);
      const present = found.get(id);
      if (present === undefined) found.set(id, [mapRow(row)]);
      else present.push(mapRow(row));
    }
  }
  return found;
}
