import type { Knex } from 'knex';
import { QuantileSketch, type KeptSketch } from '../../workers/sketch/index.js';
import { createPause } from '../admission/pause.js';
import type { Connection } from '../storage/database.js';
import { batches } from '../storage/batches.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { FieldCounts, fieldsOf } from './fieldCounts.js';

/** Identifies a row: the counts of one hour by one counter of one process. */
interface Part {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly hour: Date;
  readonly environmentId: string;
  readonly version: number;
  readonly partId: Buffer;
}

/** What is to be added to a part. */
export interface Addition extends Part {
  /** Of this addition to the part, from 1 on. */
  readonly number: number;
  readonly count: number;
  readonly failed: number;
  /** Nulls of DMN models that were told. */
  readonly warnings: number;
  /** Of the engine, in microseconds. */
  readonly times: QuantileSketch;
  /** By pointer; null where no field was counted. */
  readonly fields: ReadonlyMap<string, FieldCounts> | null;
}

interface Row {
  readonly part_id: Buffer;
  readonly additions: number;
  readonly count: number;
  readonly failed: number;
  readonly warnings: number;
  readonly times: string;
  readonly fields: string | null;
}

const primaryKey = ['workspace_id', 'decision_id', 'hour', 'environment_id', 'version', 'part_id'] as const;
const changing = ['additions', 'count', 'failed', 'warnings', 'times', 'fields'] as const;
const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');
const updates = changing.map((name) => `\`${name}\` = VALUES(\`${name}\`)`).join(', ');

const keyOfPart = (part: Part): (Buffer | Date | number)[] => [
  ...[idToBytes(part.workspaceId), idToBytes(part.decisionId), part.hour, idToBytes(part.environmentId)],
  ...[part.version, part.partId],
];

/**
 * Adds counts to their parts. An addition that a part has already is left out, and so is one of a decision that was deleted. The
 * parts are locked until the transaction ends.
 * @param additions few enough for their rows to be in memory at once
 */
export async function addMeasures(transaction: Knex.Transaction, additions: readonly Addition[]): Promise<void> {
  if (additions.length === 0) return;
  const one = `(${primaryKey.map((name) => `${name} = ?`).join(' AND ')})`;
  const [rows] = (await transaction.raw(
    `SELECT ${quoted(['part_id', ...changing])} FROM measures WHERE ${additions.map(() => one).join(' OR ')} FOR UPDATE`,
    additions.flatMap(keyOfPart),
  )) as [Row[]];
  const known = new Map(rows.map((row) => [row.part_id.toString('hex'), row]));
  const pause = createPause();
  const written: (Buffer | Date | number | string | null)[][] = [];
  for (const addition of additions) {
    const row = known.get(addition.partId.toString('hex'));
    // The connection was lost after the commit of an earlier attempt, which had added it.
    if (row !== undefined && row.additions >= addition.number) continue;
    written.push([...keyOfPart(addition), addition.number, ...sumOf(row, addition)]);
    await pause();
  }
  for (const batch of batches(written, (row) => String(row.at(-1) ?? ''))) {
    const columns = quoted([...primaryKey, ...changing]);
    const values = batch.map((row) => `(${row.map(() => '?').join()})`).join();
    await transaction.raw(
      `INSERT IGNORE INTO measures (${columns}) VALUES ${values} ON DUPLICATE KEY UPDATE ${updates}`,
      batch.flat(),
    );
  }
}

/** Count, failures, warnings, times and fields of a part with an addition. */
function sumOf(row: Row | undefined, { count, failed, warnings, times, fields }: Addition): (number | string | null)[] {
  const sum = new QuantileSketch(times.toJSON());
  if (row !== undefined) sum.merge(JSON.parse(row.times) as KeptSketch);
  let kept = row?.fields ?? null;
  if (fields !== null) {
    const before = fieldsOf(kept);
    const all = [...fields].map(([pointer, added]) => {
      const field = before.get(pointer) ?? new FieldCounts();
      field.merge(added.toJSON());
      return [pointer, field] as const;
    });
    kept = JSON.stringify(Object.fromEntries(all));
  }
  const counts = [(row?.count ?? 0) + count, (row?.failed ?? 0) + failed, (row?.warnings ?? 0) + warnings];
  return [...counts, JSON.stringify(sum), kept];
}

/** Which parts: of a decision, in one environment or all, in the hours from `from` on and before `to`. */
export interface MeasuresFilter {
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly environmentId: string | undefined;
  readonly from: Date;
  readonly to: Date;
}

/** A part, as a report adds it up. `times` and `fields` are JSON. */
export interface ReadMeasures
  extends Pick<Part, 'version' | 'hour'>, Pick<Row, 'count' | 'failed' | 'warnings' | 'times'> {
  /** Null where no field was counted, or none was asked for. */
  readonly fields: string | null;
}

function partsOf(
  connection: Connection,
  { workspaceId, decisionId, environmentId, from, to }: MeasuresFilter,
): Knex.QueryBuilder {
  const rows = connection('measures')
    .where({ workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) })
    .where('hour', '>=', from)
    .where('hour', '<', to);
  return environmentId === undefined ? rows : rows.where('environment_id', idToBytes(environmentId));
}

/** The place of a part among those of a decision. */
export interface PartKey {
  readonly hour: Date;
  readonly environment_id: Buffer;
  readonly version: number;
  readonly part_id: Buffer;
}

const partKey = ['hour', 'environment_id', 'version', 'part_id'] as const;

/** Parts on one side of a key. The hour is compared once more by itself: MySQL reads no range of an index by several columns at once. */
function bounded(rows: Knex.QueryBuilder, than: '>' | '>=' | '<=', key: PartKey): Knex.QueryBuilder {
  return rows
    .where('hour', than === '<=' ? '<=' : '>=', key.hour)
    .whereRaw(`(${quoted(partKey)}) ${than} (?, ?, ?, ?)`, [...partKey.map((name) => key[name])]);
}

/** How many bytes the next parts have, in their order. @param withFields those of their fields too */
export async function sizesOfParts(
  connection: Connection,
  filter: MeasuresFilter,
  { after, withFields, most }: { readonly after: PartKey | null; readonly withFields: boolean; readonly most: number },
): Promise<(PartKey & { readonly bytes: number })[]> {
  const rows = partsOf(connection, filter);
  const bytes = `LENGTH(times)${withFields ? ' + COALESCE(LENGTH(fields), 0)' : ''} AS bytes`;
  const next = (after === null ? rows : bounded(rows, '>', after)).select(partKey).select(connection.raw(bytes));
  return (await next.orderBy([...partKey]).limit(most)) as (PartKey & { bytes: number })[];
}

/** The parts from one key to another, both included. @param withFields reads them too */
export async function readParts(
  connection: Connection,
  filter: MeasuresFilter,
  { first, last, withFields }: { readonly first: PartKey; readonly last: PartKey; readonly withFields: boolean },
): Promise<ReadMeasures[]> {
  const rows = bounded(bounded(partsOf(connection, filter), '>=', first), '<=', last).select(
    'version',
    'hour',
    'count',
    'failed',
    'warnings',
    'times',
    ...(withFields ? ['fields'] : []),
  );
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
interface Decided {
  readonly workspaceId: string;
  readonly decisionId: string;
}

export const keyOf = ({ workspaceId, decisionId }: Decided): string => `${workspaceId}/${decisionId}`;

/** Whether the decision exists. It then cannot be deleted until the transaction ends. */
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
  const owner = { workspace_id: idToBytes(workspaceId), decision_id: idToBytes(decisionId) };
  if (pointers.length === 0) {
    await connection('measured_fields').where(owner).delete();
    return;
  }
  await connection('measured_fields')
    .insert({ ...owner, pointers: JSON.stringify(pointers), updated_at: new Date() })
    .onConflict(['workspace_id', 'decision_id'])
    .merge(['pointers', 'updated_at']);
}
