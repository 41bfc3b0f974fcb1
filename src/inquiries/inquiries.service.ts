import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { isWebUrl } from '../http/routes/formats.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { invalid, referring } from '../workspaces/checks.js';
import { findTenantOf, removeInquiry } from './admin.store.js';
import { changeOf, writeChange } from './change.js';
import type { Inquiry } from './inquiries.schema.js';
import { inquiryEntry } from './inquiryEntry.js';
import {
  completePrerequisites,
  findInquiry,
  insertInquiry,
  type InquiryFields,
  type Place,
  type StoredInquiry,
} from './inquiries.store.js';

/** Inquiries are made and completed by the command line: the HTTP API only updates them. */

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

type InquiryWriter = Dependencies & Writer;

export interface NewInquiry {
  readonly tenantId: string;
  readonly personId: string;
  readonly externalId: string | null;
  readonly prerequisites: readonly { readonly type: string; readonly url: string }[];
  /** INQUIRY_URL: where the flow stands. */
  readonly flowUrl: string;
}

/** Rejects with `validation_failed` for what breaks the limits, `reference_not_found` when there is no such tenant. */
export async function createInquiry(
  { database, encryption, actor }: InquiryWriter,
  fields: NewInquiry,
): Promise<Inquiry> {
  checkLength('The person id', fields.personId, 1);
  if (fields.externalId !== null) checkLength('The external id', fields.externalId, 0);
  fields.prerequisites.forEach(checkPrerequisite);
  const now = new Date().toISOString();
  const inquiry: Inquiry = {
    id: newId(),
    personId: fields.personId,
    // Whoever has the link can start the flow, so it is random and not the id, which logs show.
    url: `${fields.flowUrl.replace(/\/$/, '')}/${randomBytes(18).toString('base64url')}`,
    externalId: fields.externalId,
    skipConsentMessages: false,
    completed: false,
    createdAt: now,
    updatedAt: now,
    notifications: [],
    redirect: { onSuccess: null, onError: null },
    authorizationCode: null,
    prerequisites: fields.prerequisites.map(({ type, url }) => ({ id: newId(), type, completed: false, url })),
  };
  const place = { tenantId: fields.tenantId, id: inquiry.id };
  await inTransaction(database, async (connection) => {
    const written = insertInquiry({ connection, encryption }, fields.tenantId, inquiry);
    await referring(written, `There is no tenant ${fields.tenantId}.`);
    await appendAuditEntries(connection, [
      inquiryEntry(actor, place, { verb: 'create', before: null, after: inquiry }),
    ]);
  });
  return inquiry;
}

function checkLength(what: string, text: string, min: number): void {
  const length = Array.from(text).length;
  if (length < min || length > 255) throw invalid(`${what} has ${min} to 255 characters.`);
}

function checkPrerequisite({ type, url }: { type: string; url: string }): void {
  if (!/^[A-Za-z][\w.-]{0,63}$/.test(type)) {
    throw invalid(`The prerequisite type ${type} is not a letter and up to 63 letters, digits, _, . or -.`);
  }
  if (!isWebUrl(url)) throw invalid(`The URL of prerequisite ${type} is not http(s) without credentials.`);
}

/** Rejects with `inquiry_not_found`. */
export async function readInquiry({ database, encryption }: Dependencies, place: Place): Promise<StoredInquiry> {
  const stored = await findInquiry({ connection: database, encryption }, place);
  if (stored === undefined) throw notFound(place.id);
  return stored;
}

/** Rejects with `inquiry_not_found`. `tenantId` undefined: whosever it is. */
export async function showInquiry(
  dependencies: Dependencies,
  { id, tenantId: given }: { readonly id: string; readonly tenantId: string | undefined },
): Promise<Inquiry & { readonly tenantId: string }> {
  const tenantId = given ?? (await findTenantOf(dependencies.database, id));
  if (tenantId === undefined) throw notFound(id);
  const { inquiry } = await readInquiry(dependencies, { tenantId, id });
  return { tenantId, ...inquiry };
}

/**
 * Deletes an inquiry for good, with its personal data in the outbox and in kept answers; a message that is being sent
 * may still arrive. Rejects with `inquiry_not_found`.
 */
export async function deleteInquiry(
  { database, encryption, actor }: InquiryWriter,
  { id, tenantId: given }: { readonly id: string; readonly tenantId: string | undefined },
): Promise<{ readonly id: string; readonly tenantId: string }> {
  const tenantId = given ?? (await findTenantOf(database, id));
  if (tenantId === undefined) throw notFound(id);
  const place = { tenantId, id };
  await inTransaction(database, async (connection) => {
    const stored = await findInquiry({ connection, encryption }, place, 'lock');
    if (stored === undefined) throw notFound(id);
    await removeInquiry(connection, place);
    const states = { before: stored.inquiry, after: null };
    await appendAuditEntries(connection, [inquiryEntry(actor, place, { verb: 'delete', ...states })]);
  });
  return place;
}

export interface Completion {
  /** Ids of the prerequisites that are now complete; none: all of them. */
  readonly prerequisites: readonly string[];
  /** What the government portal gave for the person's data. */
  readonly authorizationCode: string | undefined;
}

/**
 * Records what the person has done: prerequisites, and the inquiry itself once all of them are complete. Its tenant
 * gets an event. Rejects with `inquiry_not_found`, or `validation_failed` when a prerequisite is not the inquiry's.
 */
export async function completeInquiry(
  dependencies: InquiryWriter,
  place: { readonly id: string; readonly tenantId: string | undefined },
  completion: Completion,
): Promise<Inquiry & { readonly tenantId: string }> {
  const { tenantId } = await showInquiry(dependencies, place);
  const { id } = place;
  if (completion.authorizationCode !== undefined) checkLength('The code', completion.authorizationCode, 1);
  const { inquiry } = await inTransaction(dependencies.database, async (connection) => {
    const store = { connection, encryption: dependencies.encryption };
    const stored = await findInquiry(store, { tenantId, id }, 'lock');
    if (stored === undefined) throw notFound(id);
    const { fields, prerequisites } = completed(stored, completion);
    if (prerequisites === undefined && Object.keys(fields).length === 0) return stored;
    const change = changeOf(tenantId, stored, fields, prerequisites);
    if (prerequisites !== undefined) {
      const done = prerequisites.filter((each) => each.completed).map((each) => each.id);
      await completePrerequisites(store, { tenantId, id }, done);
    }
    const written = await writeChange(store, change);
    const states = { before: stored.inquiry, after: written.inquiry };
    const entry = inquiryEntry(dependencies.actor, { tenantId, id }, { verb: 'complete', ...states });
    await appendAuditEntries(connection, [entry]);
    return written;
  });
  return { tenantId, ...inquiry };
}

function completed(
  { inquiry }: StoredInquiry,
  { prerequisites: wanted, authorizationCode }: Completion,
): { fields: InquiryFields; prerequisites?: Inquiry['prerequisites'] } {
  const unknown = wanted.filter((id) => !inquiry.prerequisites.some((each) => each.id === id));
  if (unknown.length > 0) throw invalid(`The inquiry has no prerequisite ${unknown.join(', ')}.`);
  const prerequisites = inquiry.prerequisites.map((each) => ({
    ...each,
    completed: each.completed || wanted.length === 0 || wanted.includes(each.id),
  }));
  const moved = prerequisites.some((each, index) => each.completed !== inquiry.prerequisites[index]?.completed);
  const whole = prerequisites.every((each) => each.completed);
  return {
    fields: {
      ...(whole && !inquiry.completed ? { completed: true } : {}),
      ...(authorizationCode === undefined || authorizationCode === inquiry.authorizationCode
        ? {}
        : { authorizationCode }),
    },
    ...(moved ? { prerequisites } : {}),
  };
}

const notFound = (id: string): Problem => new Problem('inquiry_not_found', `There is no inquiry ${id}.`);
