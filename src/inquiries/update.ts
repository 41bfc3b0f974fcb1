import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type NewAuditEntry } from '../audit/audit.store.js';
import { Quota } from '../admission/quota.js';
import { Semaphores } from '../admission/semaphore.js';
import { retried } from '../clock/retried.js';
import { Problem } from '../errors.js';
import { entityTag, requireMatch } from '../api/preconditions.js';
import { isContention } from '../storage/mysqlErrors.js';
import type { Encryption } from '../storage/encryption.js';
import { requireBudget } from '../outbox/messageBudget.js';
import type { KeyedRequest } from '../storage/usedKeys.js';
import { findAnswer, keepAnswer, updateKeys } from './answers.store.js';
import { removeInquiry } from './admin.store.js';
import { changeOf, writeChange, type Changing } from './change.js';
import { inquiryEntry } from './inquiryEntry.js';
import { findInquiry, inquiryNotFound, keyOf, type InquiryRef, type Store } from './inquiries.store.js';
import { represent, withoutStates, type Representation } from './representation.js';

export interface Update {
  readonly actor: Actor;
  readonly ref: InquiryRef;
  readonly change: Changing;
  /** What audit entries call a change. */
  readonly verb?: 'update' | 'complete';
  readonly ifMatch?: string | undefined;
  /** Set where the request has an Idempotency-Key. */
  readonly keyed?: KeyedRequest | undefined;
}

/** What an update is answered with. */
export interface Updated extends Representation {
  /** It is the answer of an earlier request with the same key; nothing was changed now. */
  readonly replayed: boolean;
}

export interface UpdateDependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** OUTBOX_MAX_PER_MINUTE; null: as many as they like. */
  readonly maxPerMinute: number | null;
  /** Messages were queued. */
  readonly wakeOutbox: () => void;
}

/**
 * Most updates that may wait: with bodies of the largest size, 1,000 take some 70 MB. One locked inquiry leaves room for others of its
 * tenant, and all inquiries of one tenant leave room for other tenants.
 */
const maxWaiting = 1000;
/** How long an update waits for its turn and for other holders of its inquiry's lock, in milliseconds. */
const maxWaitMs = 3000;

/**
 * Changes or removes an inquiry and queues what follows from it, all or nothing. The updates of one inquiry are
 * serialised: within this process by a queue, between processes by its row lock. No connection waits for that lock
 * (NOWAIT and retries), so that an inquiry which another process holds does not exhaust the pool. Rejects with
 * `inquiry_not_found`, `idempotency_key_reused`, `precondition_failed`, `too_many_requests`, and
 * `dependency_unavailable` when too many wait; with contention when the inquiry stays held.
 */
export function createUpdateInquiry(dependencies: UpdateDependencies): (update: Update) => Promise<Updated> {
  const { database, encryption, wakeOutbox } = dependencies;
  const waiting = new Quota(maxWaiting);
  const inOrder = new Semaphores(() => 1);
  const prune = updateKeys.pruning(database);

  async function attempt(update: Update): Promise<Written> {
    return database.transaction(async (connection) => {
      const written = await write({ connection, encryption }, update, dependencies.maxPerMinute);
      await appendAuditEntries(connection, written.entries);
      return written;
    });
  }

  async function inTurn(update: Update): Promise<Written> {
    const deadline = performance.now() + maxWaitMs;
    const inquiry = keyOf(update.ref);
    const end = waiting.hold({ tenantId: update.ref.tenantId, workspaceId: inquiry }, 1);
    if (end === undefined) throw tooBusy();
    try {
      return await inOrder.within(inquiry, () => {
        if (performance.now() > deadline) throw tooBusy();
        return retried(
          () => attempt(update),
          (error) => isContention(error) && performance.now() <= deadline,
        );
      });
    } finally {
      end();
    }
  }

  return async (update) => {
    const { answer, replayed, queued } = await inTurn(update);
    if (queued) wakeOutbox();
    if (update.keyed !== undefined) prune(1);
    return { ...answer, replayed };
  };
}

interface Written {
  readonly answer: Representation;
  readonly replayed: boolean;
  readonly queued: boolean;
  readonly entries: readonly NewAuditEntry[];
}

/** To be called in a transaction, which is rolled back when it rejects. */
async function write(store: Store, update: Update, maxPerMinute: number | null): Promise<Written> {
  const { ref, change: changing, ifMatch, actor, keyed, verb = 'update' } = update;
  const stored = await findInquiry(store, ref, 'lockNowait');
  if (stored === undefined) throw inquiryNotFound(ref.id);
  const before = keyed && (await findAnswer(store, keyed));
  if (before !== undefined) return { answer: before, replayed: true, queued: false, entries: [] };
  requireMatch(withoutStates(ifMatch), entityTag(stored.revision));
  const effects = changing(stored.inquiry);
  if (effects === null) {
    await removeInquiry(store.connection, ref);
    const entry = inquiryEntry(actor, ref, { verb: 'delete', before: stored.inquiry, after: null });
    return { answer: represent(stored), replayed: false, queued: false, entries: [entry] };
  }
  const count = effects.fields.notifications?.length ?? 0;
  if (count > 0 && maxPerMinute !== null)
    await requireBudget(store.connection, { tenantId: ref.tenantId, count, maxPerMinute });
  const change = changeOf(ref.tenantId, stored, effects);
  const written = change === undefined ? stored : await writeChange(store, change);
  const answer = represent(written);
  if (keyed !== undefined) await keepAnswer(store, keyed, { inquiryId: ref.id, answer });
  const states = { before: stored.inquiry, after: written.inquiry };
  const entries = change === undefined ? [] : [inquiryEntry(actor, ref, { verb, ...states })];
  return { answer, replayed: false, queued: (change?.messages.length ?? 0) > 0, entries };
}

const tooBusy = (): Problem =>
  new Problem('dependency_unavailable', 'The database cannot keep up right now. Nothing was changed.', {
    retryAfter: 1,
  });
