import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/preconditions.js';
import { inTransaction, isConnectionLoss, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { changedFields, changeOf, writeChanges, type Change } from './change.js';
import type { Inquiry, UpdateInquiry } from './inquiries.schema.js';
import { findInquiries, keyOf, type Place, type StoredInquiry } from './inquiries.store.js';
import { createRounds, type Entry } from './rounds.js';

export interface Update {
  readonly place: Place;
  readonly body: UpdateInquiry;
  readonly ifMatch: string | undefined;
}

export interface Updated {
  readonly inquiry: Inquiry;
  readonly revision: number;
}

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** Messages were queued. */
  readonly wakeOutbox: () => void;
}

/** Two, so that one is being prepared while the database works on the other. */
const maxUnderWay = 2;
/** With bodies at their largest, the messages of so many still fit into one statement of a server's default. */
const maxSize = 16;
/** With bodies at their largest, some 70 MB. */
const maxWaiting = 1000;
const patienceMs = 3000;

/**
 * Merges updates into inquiries and queues what follows from each, all or nothing. Those that come at the same time
 * share a read, a transaction and its commit; they are worked in the order of their coming, so all hold. Rejects with
 * `inquiry_not_found`, `precondition_failed`, and `dependency_unavailable` when the database can't keep up.
 */
export function createUpdateInquiry(dependencies: Dependencies): (update: Update) => Promise<Updated> {
  const { database } = dependencies;

  /**
   * The first try reads without a lock and writes only over what it read. Where another process came in between, or
   * something else is in the way, each inquiry is tried by itself and waits for its lock.
   */
  async function work(entries: readonly Waiting[]): Promise<void> {
    try {
      settleAll(await attempt(dependencies, entries));
    } catch (error) {
      if (isConnectionLoss(error)) failAll(entries, error);
      else await Promise.all(byInquiry(entries).map(workLocked));
    }
  }

  async function workLocked(entries: readonly Waiting[]): Promise<void> {
    try {
      settleAll(await inTransaction(database, (transaction) => attempt(dependencies, entries, transaction)));
    } catch (error) {
      failAll(entries, error);
    }
  }

  return createRounds({ work, maxSize, maxUnderWay, maxWaiting, patienceMs, refusal: tooBusy });
}

type Waiting = Entry<Update, Updated>;
/** To be called once the change is durable. */
type Settle = () => void;

function byInquiry(entries: readonly Waiting[]): Waiting[][] {
  const keys = new Set(entries.map(({ item }) => keyOf(item.place)));
  return [...keys].map((key) => entries.filter(({ item }) => keyOf(item.place) === key));
}

function settleAll(settles: readonly Settle[]): void {
  for (const settle of settles) settle();
}

function failAll(entries: readonly Waiting[], error: unknown): void {
  for (const { failed } of entries) failed(error);
}

const tooBusy = (): Problem =>
  new Problem('dependency_unavailable', 'The database cannot keep up right now. Nothing was changed.', {
    retryAfter: 1,
  });

/** Writes what the entries change, all or nothing; rejects when an inquiry is not any more what was read. */
async function attempt(
  { database, encryption, wakeOutbox }: Dependencies,
  entries: readonly Waiting[],
  locked?: Knex.Transaction,
): Promise<Settle[]> {
  const connection = locked ?? database;
  const places = entries.map(({ item }) => item.place);
  const present = await findInquiries({ connection, encryption }, places, locked !== undefined);
  const changes: Change[] = [];
  const settles = entries.map(({ item, done, failed }): Settle => {
    try {
      const updated = apply(item, present, changes);
      return () => done(updated);
    } catch (error) {
      return () => failed(error);
    }
  });
  const queues = changes.some(({ contents }) => contents.length > 0);
  const write = (on: Connection): Promise<void> => writeChanges({ connection: on, encryption }, changes);
  if (locked !== undefined || (changes.length < 2 && !queues)) await write(connection);
  else await database.transaction(write);
  return queues ? [wakeOutbox, ...settles] : settles;
}

/** Of several updates of one inquiry, each finds what the one before has made of it. */
function apply({ place, body, ifMatch }: Update, present: Map<string, StoredInquiry>, changes: Change[]): Updated {
  const stored = present.get(keyOf(place));
  if (stored === undefined) throw new Problem('inquiry_not_found', `There is no inquiry ${place.id}.`);
  requireMatch(ifMatch, stored.revision);
  const fields = changedFields(stored.inquiry, body);
  if (Object.keys(fields).length === 0) return stored;
  const change = changeOf(place.tenantId, stored, fields);
  changes.push(change);
  const updated = { ...stored, inquiry: change.inquiry, revision: stored.revision + 1 };
  present.set(keyOf(place), updated);
  return updated;
}
