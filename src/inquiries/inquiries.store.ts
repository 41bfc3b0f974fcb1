import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { findStates } from '../outbox/notifications.store.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Inquiry, Notification, Prerequisite } from './inquiries.schema.js';

interface Row {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly person_id: Buffer;
  readonly url: Buffer;
  readonly external_id: string | null;
  readonly skip_consent_messages: number;
  readonly redirect_on_success: string | null;
  readonly redirect_on_error: string | null;
  readonly notifications: Buffer | null;
  readonly authorization_code: Buffer | null;
  readonly completed: number;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

// By the primary key, like every statement that locks inquiries: locks taken by different indexes can deadlock.
const reading = `
  SELECT i.id, i.tenant_id, i.person_id, i.url, i.external_id, i.skip_consent_messages, i.redirect_on_success,
    i.redirect_on_error, i.notifications, i.authorization_code, i.completed, i.revision, i.created_at, i.updated_at,
    p.id AS p_id, p.type AS p_type, p.url AS p_url, p.completed AS p_completed,
    EXISTS (SELECT 1 FROM callbacks c WHERE c.owner_id = i.tenant_id) AS has_callback
  FROM inquiries i FORCE INDEX (PRIMARY) LEFT JOIN prerequisites p ON p.tenant_id = i.tenant_id AND p.inquiry_id = i.id
  WHERE i.tenant_id = ? AND i.id = ?`;

const locks = {
  none: '',
  /** Holds the inquiry and its prerequisites until the transaction ends; waits for whoever holds them. */
  lock: 'FOR UPDATE',
  /** The same; where another holds them, it fails with contention at once. */
  lockNowait: 'FOR UPDATE NOWAIT',
} as const;

/** The inquiry's row joined with one of its prerequisites, whose columns are null where it has none. */
type JoinedRow = Row & {
  readonly p_id: Buffer | null;
  readonly p_type: string;
  readonly p_url: string;
  readonly p_completed: number;
  readonly has_callback: number;
};

/** What stores of inquiries work with. */
export interface Store {
  readonly connection: Connection;
  readonly encryption: Encryption;
}

/** Which inquiry, and whose. */
export interface InquiryRef {
  readonly tenantId: string;
  readonly id: string;
}

export interface StoredInquiry {
  readonly inquiry: Inquiry;
  /** What its entity tag is made from. */
  readonly revision: number;
  /** Whether its tenant has a callback, which gets events. */
  readonly hasCallback: boolean;
}

type SealedColumn = 'person_id' | 'url' | 'notifications' | 'authorization_code';
const contextOf = ({ tenantId, id }: InquiryRef, column: SealedColumn): string =>
  `inquiries/${tenantId}/${id}/${column}`;
const sealedAs =
  (column: SealedColumn) =>
  ({ id }: SealedRow): string =>
    contextOf({ tenantId: id('tenant_id'), id: id('id') }, column);

export const sealedInquiries: SealedTable = {
  table: 'inquiries',
  key: ['tenant_id', 'id'],
  contexts: {
    person_id: sealedAs('person_id'),
    url: sealedAs('url'),
    notifications: sealedAs('notifications'),
    authorization_code: sealedAs('authorization_code'),
  } satisfies Record<SealedColumn, unknown>,
};

function opened(encryption: Encryption, row: Row, column: SealedColumn): string | null {
  const sealed = row[column];
  const ref = { tenantId: idFromBytes(row.tenant_id), id: idFromBytes(row.id) };
  return sealed === null ? null : encryption.open(sealed, contextOf(ref, column));
}

type Unsettled = Omit<Inquiry, 'notifications'> & { readonly notifications: readonly Notification[] };

function mapRow(encryption: Encryption, row: Row, prerequisites: Prerequisite[]): Unsettled {
  return {
    id: idFromBytes(row.id),
    personId: opened(encryption, row, 'person_id') ?? '',
    url: opened(encryption, row, 'url') ?? '',
    externalId: row.external_id,
    skipConsentMessages: row.skip_consent_messages === 1,
    completed: row.completed === 1,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    notifications: JSON.parse(opened(encryption, row, 'notifications') ?? '[]') as Notification[],
    redirect: { onSuccess: row.redirect_on_success, onError: row.redirect_on_error },
    authorizationCode: opened(encryption, row, 'authorization_code'),
    prerequisites,
  };
}

/** The inquiry with the states of its notifications; one that an operator dropped from the outbox has failed. */
async function withStates(connection: Connection, tenantId: string, inquiry: Unsettled): Promise<Inquiry> {
  const { notifications } = inquiry;
  const states = await findStates(
    connection,
    tenantId,
    notifications.map(({ id }) => id),
  );
  return {
    ...inquiry,
    notifications: notifications.map((each) => ({ ...each, state: states.get(each.id) ?? 'failed' })),
  };
}

/** Names an inquiry in maps. */
export const keyOf = ({ tenantId, id }: InquiryRef): string => `${tenantId}/${id}`.toLowerCase();

/** The whole inquiry, with the states of its notifications. */
export async function findInquiry(
  { connection, encryption }: Store,
  { tenantId, id }: InquiryRef,
  lock: keyof typeof locks = 'none',
): Promise<StoredInquiry | undefined> {
  const ids = [idToBytes(tenantId), idToBytes(id)];
  const [rows] = (await connection.raw(`${reading} ${locks[lock]}`, ids)) as [JoinedRow[]];
  const [first] = rows;
  if (first === undefined) return undefined;
  const prerequisites = rows.flatMap((row) =>
    row.p_id === null
      ? []
      : [{ id: idFromBytes(row.p_id), type: row.p_type, completed: row.p_completed === 1, url: row.p_url }],
  );
  return {
    inquiry: await withStates(
      connection,
      tenantId,
      mapRow(
        encryption,
        first,
        prerequisites.sort((one, other) => (one.id < other.id ? -1 : 1)),
      ),
    ),
    revision: first.revision,
    hasCallback: first.has_callback === 1,
  };
}

/** Writes a new inquiry with its prerequisites. Throws MySQL's 1452 when there is no such tenant. */
export async function insertInquiry({ connection, encryption }: Store, tenantId: string, made: Inquiry): Promise<void> {
  const tenant = idToBytes(tenantId);
  const id = idToBytes(made.id);
  const at = new Date(made.createdAt);
  const ref = { tenantId, id: made.id };
  const { externalId, skipConsentMessages, redirect, notifications, completed } = made;
  await connection('inquiries').insert({
    id,
    tenant_id: tenant,
    person_id: encryption.seal(made.personId, contextOf(ref, 'person_id')),
    url: encryption.seal(made.url, contextOf(ref, 'url')),
    ...toColumns(encryption, ref, { externalId, skipConsentMessages, redirect, notifications, completed }),
    created_at: at,
    updated_at: at,
  });
  if (made.prerequisites.length === 0) return;
  await connection('prerequisites').insert(
    made.prerequisites.map((each) => ({
      id: idToBytes(each.id),
      tenant_id: tenant,
      inquiry_id: id,
      type: each.type,
      url: each.url,
      completed: each.completed,
    })),
  );
}

/** What may change of an inquiry's own row. */
export type InquiryFields = Partial<
  Pick<Inquiry, 'externalId' | 'skipConsentMessages' | 'redirect' | 'notifications' | 'completed' | 'authorizationCode'>
>;

/** Writes fields of an inquiry that the transaction holds, and the revision that it has with them. */
export async function updateInquiry(
  { connection, encryption }: Store,
  ref: InquiryRef,
  {
    fields,
    revision,
    updatedAt,
  }: { readonly fields: InquiryFields; readonly revision: number; readonly updatedAt: Date },
): Promise<void> {
  // The index that updates lock, too: without the hint MariaDB uses another index, and locks both.
  await connection(connection.raw('inquiries FORCE INDEX (PRIMARY)'))
    .where({ tenant_id: idToBytes(ref.tenantId), id: idToBytes(ref.id) })
    .update({ ...toColumns(encryption, ref, fields), revision, updated_at: updatedAt });
}

/** The state is in the outbox. */
const withoutState = ({ id, type, message, to }: Notification): Notification => ({ id, type, message, to });

/** The given fields as columns of the inquiry's row. */
function toColumns(encryption: Encryption, ref: InquiryRef, fields: InquiryFields): Record<string, Knex.Value> {
  const { externalId, skipConsentMessages, redirect, notifications, completed, authorizationCode } = fields;
  const sealed = (text: string | null, column: SealedColumn): Buffer | null =>
    text === null ? null : encryption.seal(text, contextOf(ref, column));
  return {
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...(skipConsentMessages === undefined ? {} : { skip_consent_messages: skipConsentMessages }),
    ...(redirect === undefined ? {} : { redirect_on_success: redirect.onSuccess, redirect_on_error: redirect.onError }),
    ...(notifications === undefined
      ? {}
      : { notifications: sealed(JSON.stringify(notifications.map(withoutState)), 'notifications') }),
    ...(completed === undefined ? {} : { completed }),
    ...(authorizationCode === undefined ? {} : { authorization_code: sealed(authorizationCode, 'authorization_code') }),
  };
}

/** Writes which prerequisites are complete. */
export async function setCompleted(
  { connection }: Store,
  { tenantId, id }: InquiryRef,
  prerequisites: readonly Prerequisite[],
): Promise<void> {
  for (const completed of [true, false]) {
    const ids = prerequisites.filter((each) => each.completed === completed).map((each) => idToBytes(each.id));
    if (ids.length === 0) continue;
    await connection('prerequisites')
      .where({ tenant_id: idToBytes(tenantId), inquiry_id: idToBytes(id) })
      .whereIn('id', ids)
      .update({ completed });
  }
}
