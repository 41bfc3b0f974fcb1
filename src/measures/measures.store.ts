import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { batches } from '../storage/batches.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** All that was counted in one place: a part of what all processes have counted of an hour. */
export interface MeasuresRow {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly environmentId: string;
  readonly version: number;
  readonly hour: Date;
  /** Of one counter of one process. */
  readonly partId: Buffer;
  readonly count: number;
  readonly failed: number;
  /** JSON of `EngineTimes`. */
  readonly times: string;
  /** JSON of `KeptField` by pointer; null where no field was counted. */
  readonly fields: string | null;
}

const columns = 'workspace_id, decision_id, hour, environment_id, version, part_id, `count`, failed, `times`, `fields`';
const changing = ['count', 'failed', 'times', 'fields'].map((name) => `\`${name}\` = VALUES(\`${name}\`)`).join(', ');

/** Writes parts in place of what was written of them before; those of a decision that is gone are left out. */
export async function writeMeasures(connection: Connection, rows: readonly MeasuresRow[]): Promise<void> {
  for (const batch of batches(rows, ({ fields }) => fields ?? '')) {
    const values = batch.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join();
    await connection.raw(
      `INSERT IGNORE INTO measures (${columns}) VALUES ${values} ON DUPLICATE KEY UPDATE ${changing}`,
      batch.flatMap((row) => [
        ...[idToBytes(row.workspaceId), idToBytes(row.decisionId), row.hour, idToBytes(row.environmentId), row.version],
        ...[row.partId, row.count, row.failed, row.times, row.fields],
      ]),
    );
  }
}

/** Which parts: of a decision, in one environment or all, in the hours from `from` on and before `to`. */
export interface MeasuresFilter {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly environmentId: string | undefined;
  readonly from: Date;
  readonly to: Date;
}

/** A part, as a report adds it up. */
export interface ReadMeasures extends Pick<MeasuresRow, 'version' | 'hour' | 'count' | 'failed' | 'times'> {
  /** Null where no field was counted, or none was asked for. */
  readonly fields: string | null;
}

/** @param withFields reads them too @param most parts */
export async function readMeasures(
  connection: Connection,
  { workspaceId, decisionId, environmentId, from, to }: MeasuresFilter,
  { withFields, most }: { readonly withFields: boolean; readonly most: number },
): Promise<ReadMeasures[]> {
  const rows = connection('measures')
    .select('version', 'hour', 'count', 'failed', 'times', ...(withFields ? ['fields'] : []))
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) })
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .limit(most);
  if (environmentId !== undefined) rows.where('environment_id', idToBytes(environmentId));
  const found = (await rows) as (Omit<ReadMeasures, 'fields'> & { fields?: string | null })[];
  return found.map((row) => ({ ...row, fields: row.fields ?? null }));
}

/** Removes what was counted of an hour, so that it can be written anew. */
export async function deleteMeasures(
  connection: Connection,
  workspaceId: string,
  { decisionIds, hour }: { readonly decisionIds: readonly string[]; readonly hour: Date },
): Promise<void> {
  for (const batch of batches(decisionIds)) {
    await connection('measures')
      .where({ workspace_id: idToBytes(workspaceId), hour })
      .whereIn('decision_id', batch.map(idToBytes))
      .delete();
  }
}

/** A decision of a workspace. */
export interface Decided {
  readonly workspaceId: string;
  readonly decisionId: string;
}

export const keyOf = ({ workspaceId, decisionId }: Decided): string => `${workspaceId}/${decisionId}`;

/** Whether the decision is there; then it is until the transaction ends. */
export async function holdDecision(
  transaction: Knex.Transaction,
  { workspaceId, decisionId }: Decided,
): Promise<boolean> {
  const rows = (await transaction('decisions')
    .select('id')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(decisionId) })
    .forShare()) as unknown[];
  return rows.length > 0;
}

/** Which fields are counted of each of the decisions: JSON Pointers, by `keyOf`; absent where none is. */
export async function readMeasured(
  connection: Connection,
  decisions: readonly Decided[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const batch of batches(decisions)) {
    const rows = (await connection('measured_fields')
      .select('workspace_id', 'decision_id', 'pointers')
      .whereIn(
        ['workspace_id', 'decision_id'],
        batch.map(({ workspaceId, decisionId }) => [idToBytes(workspaceId), idToBytes(decisionId)]),
      )) as { workspace_id: Buffer; decision_id: Buffer; pointers: string }[];
    for (const { workspace_id, decision_id, pointers } of rows) {
      const key = keyOf({ workspaceId: idFromBytes(workspace_id), decisionId: idFromBytes(decision_id) });
      found.set(key, JSON.parse(pointers) as string[]);
    }
  }
  return found;
}

export async function writeMeasured(
  connection: Connection,
  { workspaceId, decisionId }: Decided,
  pointers: readonly string[],
): Promise<void> {
  const place = { workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) };
  if (pointers.length === 0) {
    await connection('measured_fields').where(place).delete();
    return;
  }
  await connection('measured_fields')
    .insert({ ...place, pointers: JSON.stringify(pointers), updated_at: new Date() })
    .onConflict(['workspace_id', 'decision_id'])
    .merge(['pointers', 'updated_at']);
}
