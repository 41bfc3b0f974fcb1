import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { Fields, flag, id, nested, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { findStates } from '../outbox/notifications.store.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Inquiry, Notification, Prerequisite } from './inquiries.schema.js';

/** What stands in the inquiry's own row as it is. */
type Plain = Omit<Inquiry, 'personId' | 'url' | 'notifications' | 'authorizationCode' | 'prerequisites'>;

const plainFields = new Fields<Plain>({
  id: id(),
  externalId: plain('external_id'),
  skipConsentMessages: flag('skip_consent_messages'),
  redirect: nested({ onSuccess: plain('redirect_on_success'), onError: plain('redirect_on_error') }),
  completed: flag('completed'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
});

const sealedColumns = ['person_id', 'url', 'notifications', 'authorization_code'] as const;
type SealedColumn = (typeof sealedColumns)[number];

// By the primary key, like every statement that locks inquiries: locks taken by different indexes can deadlock.
const reading = `
  SELECT ${[...plainFields.names, ...sealedColumns, 'revision'].map((name) => `i.${name}`).join()},
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
type JoinedRow = Readonly<Record<SealedColumn, Buffer | null>> & {
  readonly revision: number;
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

export const inquiryNotFound = (id: string): Problem => new Problem('inquiry_not_found', `There is no inquiry ${id}.`);

export interface StoredInquiry {
  readonly inquiry: Inquiry;
  /** What its entity tag is made from. */
  readonly revision: number;
  /** Whether its tenant has a callback, which gets events. */
  readonly hasCallback: boolean;
}

const contextOf = ({ tenantId, id }: InquiryRef, column: SealedColumn): string =>
  `inquiries/${tenantId}/${id}/${column}`;
const sealedAs =
  (column: SealedColumn) =>
  ({ id }: SealedRow): string =>
    contextOf({ tenantId: id('tenant_id'), id: id('id') }, column);

export const sealedInquiries: SealedTable = {
  table: 'inquiries',
  key: ['tenant_id', 'id'],
  contexts: Object.fromEntries(sealedColumns.map((column) => [column, sealedAs(column)])),
};

type Unsettled = Omit<Inquiry, 'notifications'> & { readonly notifications: readonly Notification[] };

function mapRow(encryption: Encryption, tenantId: string, row: JoinedRow, prerequisites: Prerequisite[]): Unsettled {
  const fields = plainFields.map(row);
  const opened = (column: SealedColumn): string | null => {
    const sealed = row[column];
    return sealed === null ? null : encryption.open(sealed, contextOf({ tenantId, id: fields.id }, column));
  };
  const { id, externalId, skipConsentMessages, completed, createdAt, updatedAt, redirect } = fields;
  return {
    ...{ id, personId: opened('person_id') ?? '', url: opened('url') ?? '' },
    ...{ externalId, skipConsentMessages, completed, createdAt, updatedAt },
    notifications: JSON.parse(opened('notifications') ?? '[]') as Notification[],
    redirect,
    authorizationCode: opened('authorization_code'),
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
  prerequisites.sort((one, other) => (one.id < other.id ? -1 : 1));
  return {
    inquiry: await withStates(connection, tenantId, mapRow(encryption, tenantId, first, prerequisites)),
    revision: first.revision,
    hasCallback: first.has_callback === 1,
  };
}

/** Writes a new inquiry with its prerequisites. Throws MySQL's 1452 when there is no such tenant. */
export async function insertInquiry({ connection, encryption }: Store, tenantId: string, made: Inquiry): Promise<void> {
  const tenant = idToBytes(tenantId);
  const id = idToBytes(made.id);
  await connection('inquiries').insert({ tenant_id: tenant, ...toRow(encryption, { tenantId, id: made.id }, made) });
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
  }: Pick<Inquiry, 'updatedAt'> & { readonly fields: InquiryFields; readonly revision: number },
): Promise<void> {
  // The index that updates lock, too: without the hint MariaDB uses another index, and locks both.
  await connection(connection.raw('inquiries FORCE INDEX (PRIMARY)'))
    .where({ tenant_id: idToBytes(ref.tenantId), id: idToBytes(ref.id) })
    .update({ ...toRow(encryption, ref, { ...fields, updatedAt }), revision });
}

/** The state is in the outbox. */
const withoutState = ({ id, type, message, to }: Notification): Notification => ({ id, type, message, to });

/** The given fields as columns of the inquiry's row. */
function toRow(encryption: Encryption, ref: InquiryRef, fields: Partial<Inquiry>): Record<string, Knex.Value> {
  const { personId, url, notifications, authorizationCode, prerequisites: _, ...others } = fields;
  const texts: Readonly<Record<SealedColumn, string | null | undefined>> = {
    person_id: personId,
    url,
    notifications: notifications && JSON.stringify(notifications.map(withoutState)),
    authorization_code: authorizationCode,
  };
  const row = plainFields.toRow(others);
  for (const column of sealedColumns) {
    const text = texts[column];
    if (text !== undefined) row[column] = text === null ? null : encryption.seal(text, contextOf(ref, column));
  }
  return row;
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
