import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/preconditions.js';
import { isConnectionLoss, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { changedFields, changeOf, writeChanges, type Change } from './change.js';
import type { Inquiry, UpdateInquiry } from './inquiries.schema.js';
import { findInquiries, keyOf, type Place, type StoredInquiry } from './inquiries.store.js';
import { createQueues } from './queues.js';
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
/** Inquiries whose locks may be waited for at once; each takes a connection meanwhile. */
const maxLocked = 3;
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
   * The first try waits for nobody's lock, and writes only over what it read. What another transaction holds or has
   * changed meanwhile is tried by itself, inquiry by inquiry, outside of the rounds, where it may wait for its lock.
   */
  async function work(entries: readonly Waiting[]): Promise<void> {
    const shared = entries.filter(({ item }) => !queues.has(item));
    queues.add(entries.filter((entry) => !shared.includes(entry)));
    if (shared.length === 0) return;
    try {
      const { settles, held } = await attempt(dependencies, shared);
      settleAll(settles);
      queues.add(held);
    } catch (error) {
      if (isConnectionLoss(error)) failAll(shared, error);
      else queues.add(shared);
    }
  }

  async function workLocked(entries: readonly Waiting[]): Promise<void> {
    try {
      // Once: a repeat would wait as long again. It locks one inquiry alone, so no deadlock asks for one.
      const { settles } = await database.transaction((transaction) => attempt(dependencies, entries, transaction));
      settleAll(settles);
    } catch (error) {
      failAll(entries, error);
    }
  }

  const limits = { maxSize, patienceMs, refusal: tooBusy };
  const queues = createQueues({
    ...limits,
    work: workLocked,
    keyOf: ({ place }) => keyOf(place),
    maxUnderWay: maxLocked,
  });
  return createRounds({ ...limits, work, maxUnderWay, maxWaiting });
}

type Waiting = Entry<Update, Updated>;
/** To be called once the change is durable. */
type Settle = () => void;

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

interface Attempted {
  readonly settles: readonly Settle[];
  /** Entries whose inquiries another transaction holds: nothing was tried of them. */
  readonly held: readonly Waiting[];
}

/** Writes what the entries change, all or nothing; rejects when an inquiry is not any more what was read. */
async function attempt(
  { database, encryption, wakeOutbox }: Dependencies,
  entries: readonly Waiting[],
  locked?: Knex.Transaction,
): Promise<Attempted> {
  const connection = locked ?? database;
  const places = entries.map(({ item }) => item.place);
  const present = await findInquiries({ connection, encryption }, places, locked ? 'wait' : 'probe');
  const held = entries.filter(({ item }) => present.get(keyOf(item.place))?.held === true);
  const changes: Change[] = [];
  const free = entries.filter((entry) => !held.includes(entry));
  const settles = free.map(({ item, done, failed }): Settle => {
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
  return { settles: queues ? [wakeOutbox, ...settles] : settles, held };
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
