import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { selectRecords } from '../runs/history.store.js';
import { recordIds } from '../runs/recordIds.js';
import { batches, chunks } from '../storage/batches.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../storage/ids.js';
import { Counter, hourMs, hourOf, Source, type Counted } from './counter.js';
import { fieldsOfText } from './fieldCounts.js';
import { addMeasures, deleteMeasures, keyOf, readMeasured, type Addition } from './measures.store.js';
import { writableMs } from './measures.js';

/** Which hours of which workspace are counted anew. */
interface RecountRequest {
  readonly workspaceId: string;
  /** From the hour of then on. */
  readonly from: Date;
  /** Hours that have ended by then. */
  readonly to: Date;
}

/** What a recount is told, and tells. */
interface RecountRoom {
  /** How many executions of a workspace were erased so far. */
  readonly erasedOf: (connection: Connection, workspaceId: string) => Promise<number>;
  /** Has erasures of a workspace wait until the transaction ends. */
  readonly holdErasures: (transaction: Knex.Transaction, workspaceId: string) => Promise<void>;
  /** Is told of each hour. */
  readonly onHour: () => void;
}

interface Recounted {
  readonly hours: number;
  readonly executions: number;
}

/** Rows of one statement. */
const writtenAtOnce = 5;
/** How many nulls a record tells: they are the first member of its trace, as a list; a node of that name has an object. */
const warnings = `IF(e.trace LIKE '{"warnings":[%', JSON_LENGTH(e.trace, '$.warnings'), 0)`;

/** Records that are read at once, and characters of their results. */
const page = { records: 500, characters: 4 * 1024 * 1024 };

/**
 * Counts executions once more, from their records, and replaces what processes had counted. The result is what they would have
 * counted without a crash. Hours that a process may still write are left out.
 */
export async function recount(writer: Writer, request: RecountRequest, room: RecountRoom): Promise<Recounted> {
  const { database } = writer;
  const { workspaceId } = request;
  const recounted = { hours: 0, executions: 0 };
  const hours = hoursOf(request);
  const counted = await countedHours(database, workspaceId, hours);
  // Of the next record. In most hours of a year there is neither a record nor a count, so nothing to replace.
  let recorded = -Infinity;
  for (const hour of hours) {
    if (recorded < hour) recorded = await nextRecorded(database, workspaceId, hour);
    if (recorded === hour || counted.has(hour))
      recounted.executions += await recountHour(writer, workspaceId, hour, room);
    recounted.hours++;
    room.onHour();
  }
  return recounted;
}

/** Those of the hours of which something was counted. */
async function countedHours(database: Connection, workspaceId: string, hours: readonly number[]): Promise<Set<number>> {
  const [first, last] = [hours[0], hours.at(-1)];
  if (first === undefined || last === undefined) return new Set();
  const rows = (await database('measures')
    .distinct('hour')
    .where('workspace_id', idToBytes(workspaceId))
    .whereBetween('hour', [new Date(first), new Date(last)])) as { hour: Date }[];
  return new Set(rows.map(({ hour }) => hour.getTime()));
}

/** The hour of the first record from then on; Infinity where there is none. */
async function nextRecorded(database: Connection, workspaceId: string, hour: number): Promise<number> {
  const range = { from: lowestIdAt(new Date(hour)), order: 'asc', limit: 1 } as const;
  const [id] = await recordIds(database, workspaceId, {}, range);
  return id === undefined ? Infinity : hourOf(idTime(idFromBytes(id)).getTime());
}

/** The hours that `recount` counts. */
export function hoursOf({ from, to }: RecountRequest): number[] {
  const end = Math.min(to.getTime(), Date.now() - 2 * writableMs);
  const hours: number[] = [];
  for (let hour = hourOf(from.getTime()); hour + hourMs <= end; hour += hourMs) hours.push(hour);
  return hours;
}

/** How often an hour is counted while something of its workspace is erased each time. */
const mostTries = 5;

/**
 * Counts an hour, and again where something of the workspace was erased meanwhile.
 * @throws Problem `overloaded` where that is so however often it is counted; the hour is left as it was
 */
async function recountHour(
  writer: Writer,
  workspaceId: string,
  at: number,
  { erasedOf, holdErasures }: RecountRoom,
): Promise<number> {
  const { database } = writer;
  for (let tries = 0; tries < mostTries; tries++) {
    const erased = await erasedOf(database, workspaceId);
    const hour = await countHour(database, workspaceId, at);
    const isWritten = await inTransaction(database, async (transaction) => {
      await holdErasures(transaction, workspaceId);
      if ((await erasedOf(transaction, workspaceId)) !== erased) return false;
      await writeHour(transaction, writer.actor, hour);
      return true;
    });
    if (isWritten) return hour.executions;
  }
  throw new Problem(
    'overloaded',
    `Executions of this workspace are being erased: the hour of ${new Date(at).toISOString()} was counted ${mostTries} times ` +
      'and left as it was. Those before it are counted anew; go on from it once the erasures are done.',
  );
}

/** What was counted of an hour. */
interface CountedHour {
  readonly workspaceId: string;
  readonly hour: Date;
  readonly decisionIds: readonly string[];
  readonly additions: readonly Addition[];
  readonly executions: number;
}

async function countHour(database: Connection, workspaceId: string, at: number): Promise<CountedHour> {
  const decisionIds = await listDecisions(database, workspaceId);
  const decisions = decisionIds.map((decisionId) => ({ workspaceId, decisionId }));
  const measured = await readMeasured(database, decisions);
  const counters = new Map<string, Counter>();
  const source = new Source();
  const counterOf = (counted: Counted): Counter => {
    const key = `${counted.environmentId}/${counted.decisionId}/${counted.version}`;
    let counter = counters.get(key);
    if (counter === undefined) {
      counters.set(key, (counter = new Counter(counted, at, source)));
      counter.begin(measured.get(keyOf(counted)) ?? []);
    }
    return counter;
  };
  const withResults = decisions.filter((one) => measured.has(keyOf(one))).map(({ decisionId }) => decisionId);
  const executions = await countRecords(database, { workspaceId, at, withResults }, counterOf);
  const additions = [...counters.values()].map((counter) => counter.take());
  return { workspaceId, hour: new Date(at), decisionIds, additions, executions };
}

async function writeHour(
  transaction: Knex.Transaction,
  actor: Actor,
  { workspaceId, hour, decisionIds, additions, executions }: CountedHour,
): Promise<void> {
  await deleteMeasures(transaction, workspaceId, { decisionIds, hour });
  for (const some of batches(additions, undefined, writtenAtOnce)) await addMeasures(transaction, some);
  const resource = { type: 'measures', id: hour.toISOString() } as const;
  const entry = changeEntry(actor, workspaceId, { resource, before: {}, after: { executions } });
  await appendAuditEntries(transaction, [entry]);
}

async function listDecisions(connection: Connection, workspaceId: string): Promise<string[]> {
  const rows = (await connection('decisions').select('id').where('workspace_id', idToBytes(workspaceId))) as {
    id: Buffer;
  }[];
  return rows.map(({ id }) => idFromBytes(id));
}

interface HourOfRecords {
  readonly workspaceId: string;
  readonly at: number;
  /** Decisions of which results are needed. */
  readonly withResults: readonly string[];
}

interface Row {
  readonly id: Buffer;
  readonly environment_id: Buffer;
  readonly decision_id: Buffer;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly engine_us: number;
  readonly characters: number;
  readonly warnings: number;
}

/** Reads the records in the order of their ids, their results apart, so that only so many are in memory. */
async function countRecords(
  connection: Connection,
  { workspaceId, at, withResults }: HourOfRecords,
  counterOf: (counted: Counted) => Counter,
): Promise<number> {
  const wanted = new Set(withResults);
  const end = lowestIdAt(new Date(at + hourMs));
  let executions = 0;
  let after = lowestIdAt(new Date(at));
  for (let inclusive = true; ; inclusive = false) {
    const range = { [inclusive ? 'from' : 'after']: after, before: end, order: 'asc', limit: page.records } as const;
    const ids = await recordIds(connection, workspaceId, {}, range);
    const ofRoutes = ['environment_id', 'decision_id', 'version'] as const;
    const rows = (await selectRecords(connection, ['id', 'status', 'engine_us'], ofRoutes)
      .select(connection.raw('LENGTH(e.result) AS characters'), connection.raw(`${warnings} AS warnings`))
      .where('e.workspace_id', idToBytes(workspaceId))
      .whereIn('e.id', ids)) as Row[];
    const isMeasured = (row: Row): boolean => row.status === 'COMPLETED' && wanted.has(idFromBytes(row.decision_id));
    const results = new Map<string, string>();
    for (const some of chunks(rows.filter(isMeasured), ({ characters }) => characters, { size: page.characters })) {
      const found = (await connection('executions')
        .select('id', 'result')
        .whereIn(
          'id',
          some.map(({ id }) => id),
        )) as { id: Buffer; result: string }[];
      results.clear();
      for (const { id, result } of found) results.set(id.toString('hex'), result);
      for (const row of some) count(row, results.get(row.id.toString('hex')) ?? '');
    }
    for (const row of rows) if (!isMeasured(row)) count(row, '');
    executions += rows.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < page.records) return executions;
    after = last;
  }

  function count(row: Row, result: string): void {
    const counted = {
      workspaceId,
      environmentId: idFromBytes(row.environment_id),
      decisionId: idFromBytes(row.decision_id),
      version: row.version,
    };
    const counter = counterOf(counted);
    // This runs in the process of a command, whose event loop nobody else needs.
    const measured = result === '' ? undefined : fieldsOfText(result, counter.pointers);
    const { status, engine_us: engineUs, warnings: warningCount } = row;
    counter.count({ status, engineUs, result, measured, warningCount });
  }
}
