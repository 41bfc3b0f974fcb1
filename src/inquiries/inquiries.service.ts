import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries } from '../audit/audit.store.js';
import { requireBudget } from '../outbox/messageBudget.js';
import { enqueue } from '../outbox/outbox.store.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { referring } from '../workspaces/checkedInput.js';
import type { KeyedRequest } from '../storage/usedKeys.js';
import { findAnswer, keepAnswer } from './answers.store.js';
import { mergedRedirect, notificationsOf, queued } from './change.js';
import type { CreateInquiry, Inquiry } from './inquiries.schema.js';
import { inquiryEntry } from './inquiryEntry.js';
import {
  findInquiry,
  inquiryNotFound,
  insertInquiry,
  type InquiryRef,
  type Store,
  type StoredInquiry,
} from './inquiries.store.js';
import { represent } from './representation.js';
import type { UpdateDependencies, Updated } from './update.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

export interface NewInquiry extends CreateInquiry {
  readonly tenantId: string;
  /** INQUIRY_URL: where the flow stands. */
  readonly flowUrl: string;
}

/**
 * Creates an inquiry: within the tenant's budget of notifications, once for each Idempotency-Key. Rejects with `reference_not_found`
 * when there is no such tenant.
 */
export async function createInquiry(
  { database, encryption, maxPerMinute, wakeOutbox }: UpdateDependencies,
  actor: Actor,
  { fields, keyed }: { readonly fields: NewInquiry; readonly keyed?: KeyedRequest | undefined },
): Promise<Updated> {
  const inquiry = newInquiry(fields);
  const { tenantId } = fields;
  const created = await inTransaction(database, async (connection) => {
    const store = { connection, encryption };
    const before = keyed && (await findAnswer(store, keyed));
    if (before !== undefined) return { ...before, replayed: true };
    await addInquiry(store, { actor, tenantId, inquiry, maxPerMinute });
    const answer = represent({ inquiry, revision: 1 });
    if (keyed !== undefined) await keepAnswer(store, keyed, { inquiryId: inquiry.id, answer });
    return { ...answer, replayed: false };
  });
  if (!created.replayed && inquiry.notifications.length > 0) wakeOutbox();
  return created;
}

function newInquiry(fields: NewInquiry): Inquiry {
  const { personId, externalId = null, skipConsentMessages = false, prerequisites = [], notifications = [] } = fields;
  const now = new Date().toISOString();
  return {
    id: newId(),
    personId,
    // Whoever has the link can start the flow, so it is random and not the id, which logs show.
    url: `${fields.flowUrl.replace(/\/$/, '')}/${randomBytes(18).toString('base64url')}`,
    externalId,
    skipConsentMessages,
    completed: false,
    createdAt: now,
    updatedAt: now,
    notifications: notifications.map(queued),
    redirect: mergedRedirect({ onSuccess: null, onError: null }, fields.redirect),
    authorizationCode: null,
    prerequisites: prerequisites.map(({ type, url }) => ({ id: newId(), type, completed: false, url })),
  };
}

interface Addition {
  readonly actor: Actor;
  readonly tenantId: string;
  readonly inquiry: Inquiry;
  readonly maxPerMinute: number | null;
}

async function addInquiry(store: Transacted, { actor, tenantId, inquiry, maxPerMinute }: Addition): Promise<void> {
  const { connection } = store;
  const count = inquiry.notifications.length;
  // Before the inquiry is written: its foreign key holds the tenant's row, which the budget locks.
  if (count > 0 && maxPerMinute !== null) await requireBudget(connection, { tenantId, count, maxPerMinute });
  await referring(insertInquiry(store, tenantId, inquiry), `There is no tenant ${tenantId}.`);
  await enqueue(store, notificationsOf(tenantId, inquiry));
  const ref = { tenantId, id: inquiry.id };
  await appendAuditEntries(connection, [inquiryEntry(actor, ref, { verb: 'create', before: null, after: inquiry })]);
}

type Transacted = Store & { readonly connection: Knex.Transaction };

/** Rejects with `inquiry_not_found`. */
export async function readInquiry({ database, encryption }: Dependencies, ref: InquiryRef): Promise<StoredInquiry> {
  const stored = await findInquiry({ connection: database, encryption }, ref);
  if (stored === undefined) throw inquiryNotFound(ref.id);
  return stored;
}
