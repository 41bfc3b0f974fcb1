import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, type Writer } from '../../audit/audit.store.js';
import { batches } from '../../storage/batches.js';
import { inTransaction, type Connection } from '../../storage/database.js';
import { idToBytes } from '../../storage/ids.js';

/** What an outcome belongs to: one execution, or all executions with a reference. */
export type Subject = { readonly executionId: string } | { readonly reference: string };

/** What really happened. */
export interface ReportedOutcome {
  readonly subject: Subject;
  readonly name: string;
  /** JSON of a text, number, boolean or null. */
  readonly value: string;
  /** Undefined for now. */
  readonly at: Date | undefined;
}

/** The value of the latest time. */
interface LatestOutcome {
  readonly value: string;
  readonly at: Date;
}

/** Of a subject, as the column has it. */
const textOf = (subject: Subject): string =>
  'executionId' in subject ? `e${subject.executionId}` : `r${subject.reference}`;

const keyOf = (subject: string, name: string): string => `${subject} ${name}`;

/** The latest outcomes of some subjects, by `keyOf`. */
type LatestOutcomes = Map<string, LatestOutcome>;

/** @param subjects a thousand at most */
export async function latestOutcomes(
  connection: Connection,
  workspaceId: string,
  subjects: readonly Subject[],
  names: readonly string[],
): Promise<LatestOutcomes> {
  if (subjects.length === 0 || names.length === 0) return new Map();
  const workspace = idToBytes(workspaceId);
  const newest = connection('outcomes')
    .select('workspace_id', 'subject', 'name')
    .max({ at: 'at' })
    .where('workspace_id', workspace)
    .whereIn('subject', subjects.map(textOf))
    .whereIn('name', names)
    .groupBy('workspace_id', 'subject', 'name')
    .as('newest');
  const rows = (await connection('outcomes as o')
    .join(newest, {
      'o.workspace_id': 'newest.workspace_id',
      'o.subject': 'newest.subject',
      'o.name': 'newest.name',
      'o.at': 'newest.at',
    })
    .select('o.subject', 'o.name', 'o.value', 'o.at')
    // Of several values with the same time the last reported one counts.
    .orderBy(['o.created_at', 'o.digest'])) as { subject: string; name: string; value: string; at: Date }[];
  return new Map(rows.map(({ subject, name, value, at }) => [keyOf(subject, name), { value, at }]));
}

/** Of an audit entry. */
const maxNamesAudited = 20;

/** What became of outcomes that were reported. */
export interface StoredCounts {
  readonly added: number;
  readonly unchanged: number;
}

/** Different values of one outcome with the same time: all of them are read where the latest is asked for. */
export const mostAtOnce = 10;

/**
 * Stores outcomes. With a time, a repeated outcome changes nothing; without one, a value that repeats the latest is not stored, and
 * another value counts from now on.
 * @param outcomes a thousand at most
 * @param refuse makes what it rejects with, and stores nothing, where one has too many values with its time; else those are left out
 * @returns also the places of those that were left out
 */
export function storeOutcomes(
  { database, actor }: Writer,
  workspaceId: string,
  outcomes: readonly ReportedOutcome[],
  refuse?: (index: number) => Error,
): Promise<StoredCounts & { readonly refused: readonly number[] }> {
  return inTransaction(database, async (transaction) => {
    const names = [...new Set(outcomes.map(({ name }) => name))];
    const subjects = outcomes.map(({ subject }) => subject);
    const latest = await latestOutcomes(transaction, workspaceId, subjects, names);
    const known = await valuesAt(transaction, workspaceId, outcomes);
    const now = new Date();
    const rows: (string | Date | Buffer)[][] = [];
    const refused: number[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const { name, value } = outcome;
      const subject = textOf(outcome.subject);
      const latestOne = latest.get(keyOf(subject, name));
      if (outcome.at === undefined && latestOne?.value === value) continue;
      const at = outcome.at ?? new Date(Math.max(now.getTime(), (latestOne?.at.getTime() ?? 0) + 1));
      const digest = createHash('sha256').update(value).digest().subarray(0, 16);
      const values = setAt(known, keyAt(subject, name, at));
      if (!values.has(digest.toString('hex')) && values.size >= mostAtOnce) {
        if (refuse !== undefined) throw refuse(index);
        refused.push(index);
        continue;
      }
      values.add(digest.toString('hex'));
      if (latestOne === undefined || latestOne.at <= at) latest.set(keyOf(subject, name), { value, at });
      rows.push([idToBytes(workspaceId), subject, name, at, digest, value, now]);
    }
    const added = rows.length === 0 ? 0 : await insert(transaction, rows);
    if (added > 0) {
      const after = { added, names: names.slice(0, maxNamesAudited) };
      const resource = { type: 'outcomes', id: workspaceId } as const;
      await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, before: null, after })]);
    }
    return { added, unchanged: outcomes.length - added - refused.length, refused };
  });
}

/** The digests of values that outcomes have, each at a time, by `keyAt`. */
type ValuesAt = Map<string, Set<string>>;

const keyAt = (subject: string, name: string, at: Date): string => `${keyOf(subject, name)} ${at.getTime()}`;

function setAt(values: ValuesAt, key: string): Set<string> {
  const found = values.get(key) ?? new Set();
  values.set(key, found);
  return found;
}

/** Keys of one statement. */
const keysAtOnce = 100;

/** The values that the outcomes with a time have at that time already. */
export async function valuesAt(
  connection: Connection,
  workspaceId: string,
  outcomes: readonly ReportedOutcome[],
): Promise<ValuesAt> {
  const found: ValuesAt = new Map();
  const timed = outcomes.flatMap(({ subject, name, at }) => (at === undefined ? [] : [[textOf(subject), name, at]]));
  for (const some of batches(timed, undefined, keysAtOnce)) {
    const keys = some.map(() => '(subject = ? AND name = ? AND at = ?)').join(' OR ');
    const rows = await connection('outcomes')
      .select<{ subject: string; name: string; at: Date; digest: Buffer }[]>('subject', 'name', 'at', 'digest')
      .where('workspace_id', idToBytes(workspaceId))
      .whereRaw(`(${keys})`, some.flat());
    for (const { subject, name, at, digest } of rows)
      setAt(found, keyAt(subject, name, at)).add(digest.toString('hex'));
  }
  return found;
}

async function insert(transaction: Knex.Transaction, rows: (string | Date | Buffer)[][]): Promise<number> {
  const values = rows.map(() => '(?, ?, ?, ?, ?, ?, ?)').join();
  // It counts what was not there; what else it would ignore was checked before.
  const [{ affectedRows }] = (await transaction.raw(
    `INSERT IGNORE INTO outcomes (workspace_id, subject, name, at, digest, value, created_at) VALUES ${values}`,
    rows.flat(),
  )) as [{ affectedRows: number }];
  return affectedRows;
}

/** Rows that one transaction deletes: few enough that nobody waits long. */
const erasedAtOnce = 2000;

/**
 * Removes some of the outcomes of these subjects.
 * @returns whether any may be left
 */
export async function eraseSomeOutcomes(
  transaction: Knex.Transaction,
  workspaceId: string,
  subjects: readonly Subject[],
): Promise<boolean> {
  const erased = await transaction('outcomes')
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('subject', subjects.map(textOf))
    .limit(erasedAtOnce)
    .delete();
  return erased === erasedAtOnce;
}

interface Run {
  readonly id: string;
  readonly reference: string | null;
}

/** Which outcomes of which runs, a few hundred at most. */
interface OutcomesRequest {
  readonly runs: readonly Run[];
  readonly names: readonly string[];
}

/**
 * The outcomes of each run, in the order of the names: JSON, or null where none was reported. An outcome may be reported for the
 * id of a run and for its reference; the later of both counts.
 */
export async function outcomesOf(
  connection: Connection,
  workspaceId: string,
  { runs, names }: OutcomesRequest,
): Promise<(string | null)[][]> {
  if (names.length === 0) return [];
  const latest = await latestOutcomes(connection, workspaceId, runs.flatMap(subjectsOf), names);
  return runs.map((run) =>
    names.map((name) => {
      const reported = subjectsOf(run).flatMap((subject) => latest.get(keyOf(textOf(subject), name)) ?? []);
      return reported.sort((a, b) => b.at.getTime() - a.at.getTime())[0]?.value ?? null;
    }),
  );
}

const subjectsOf = ({ id, reference }: Run): Subject[] =>
  reference === null ? [{ executionId: id }] : [{ executionId: id }, { reference }];
