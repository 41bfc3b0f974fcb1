import type { Knex } from 'knex';
import { formatJson } from '../../workers/json/index.js';
import type { AuditAction, Audited } from './actions.js';
import type { Actor } from './actor.js';
import { eventsOf } from './eventsOf.js';
import { filtered, storedPrincipal, type AuditFilter } from './filter.js';
import { queueEvents } from '../events/events.store.js';
import { batches } from '../storage/batches.js';
import { column, Fields, id, idOrNull, plain, time, type Column, type Columns } from '../storage/columns.js';
import { asOneBinding, type Connection } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes, newId } from '../storage/ids.js';
import {
  inPages,
  limitTo,
  longestMediumText,
  readPage,
  textsIn,
  type Page,
  type PageRequest,
} from '../storage/pages.js';

/** What writing functions get, so that audit entries name the actor. */
export interface Writer {
  readonly database: Knex;
  readonly actor: Actor;
}

/**
 * One write, as an audit entry describes it. States are what the API shows of the resource, without secrets and without
 * long contents.
 */
export interface NewAuditEntry {
  readonly actor: Actor;
  /** Null for what belongs to a tenant as a whole; then `tenantId` is set. */
  readonly workspaceId: string | null;
  readonly tenantId?: string;
  readonly action: AuditAction;
  readonly resource: { readonly type: Audited; readonly id: string; readonly key?: string };
  /** Null where there was nothing before, or is nothing after. */
  readonly before: object | null;
  readonly after: object | null;
}

/** The change of a resource in a workspace: `create` where there was none, `delete` where none is left, else `update`. */
export function changeEntry(
  actor: Actor,
  workspaceId: string,
  { resource, before, after }: Pick<NewAuditEntry, 'resource' | 'before' | 'after'>,
): NewAuditEntry {
  const verb = before === null ? 'create' : after === null ? 'delete' : 'update';
  return { actor, workspaceId, action: `${resource.type}.${verb}`, resource, before, after };
}

/** A write of something that belongs to a tenant as a whole. */
export const tenantEntry = (
  actor: Actor,
  tenantId: string,
  change: Pick<NewAuditEntry, 'action' | 'resource' | 'before' | 'after'>,
): NewAuditEntry => ({ actor, workspaceId: null, tenantId, ...change });

/**
 * Appends entries in the transaction of the writes that they describe, so that both are committed or neither, and queues the
 * events that follow from them.
 */
export async function appendAuditEntries(
  transaction: Knex.Transaction,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  const lengthOf = (row: ReturnType<typeof rowOf>): string =>
    [row['before_state'], row['after_state']].filter((state) => typeof state === 'string').join('');
  // Made a few at a time: an import tells of 20,000 writes, and others wait meanwhile.
  for (const some of batches(entries)) {
    for (const batch of batches(some.map(rowOf), lengthOf)) await transaction('audit_entries').insert(batch);
  }
  await queueEvents(transaction, eventsOf(entries));
}

function rowOf({ actor, tenantId, ...entry }: NewAuditEntry): Record<string, Knex.Value> {
  const id = newId();
  // The id's own time, since lists are limited in time by their ids.
  const at = idTime(id).toISOString();
  const who = { principal: storedPrincipal(actor.principal), requestId: actor.requestId, tenantId: tenantId ?? null };
  return fields.toRow({ ...entry, ...who, id, at });
}

/** An audit entry as the API shows it. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly workspaceId: string | null;
  readonly principal: string;
  readonly requestId: string | null;
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string; readonly key?: string };
  readonly before: unknown;
  readonly after: unknown;
}

/** An entry of no workspace. */
export interface TenantEntry extends AuditEntry {
  /** Null for what belongs to the service, such as its signing keys. */
  readonly tenantId: string | null;
}

const state = (name: string): Column<unknown> =>
  column(name, parsed, (value) => (value === null ? null : formatJson(value)));

const parsed = (text: string | null): unknown => (text === null ? null : (JSON.parse(text) as unknown));

const columns: Columns<AuditEntry> = {
  id: id(),
  at: time('created_at'),
  workspaceId: idOrNull('workspace_id'),
  principal: plain('principal'),
  requestId: idOrNull('request_id'),
  action: plain('action'),
  resource: {
    names: ['resource_type', 'resource_id', 'resource_key'],
    read: ({ resource_type: type, resource_id: id, resource_key: key }) =>
      ({ type, id, ...(key === null ? {} : { key }) }) as AuditEntry['resource'],
    write: ({ type, id, key = null }) => ({ resource_type: type, resource_id: id, resource_key: key }),
  },
  before: state('before_state'),
  after: state('after_state'),
};
const fields = new Fields<TenantEntry>({ ...columns, tenantId: idOrNull('tenant_id') });
/** Those of an entry of a workspace. */
const shown = new Fields<AuditEntry>(columns);

/** The columns of states, which may be long, as they are stored. */
interface Row {
  readonly before_state: string | null;
  readonly after_state: string | null;
}

/** The workspace's entries among these ids, in the order of ids, as JSON; their states as they are stored. */
export async function auditEntryTexts(
  connection: Connection,
  workspaceId: string,
  ids: readonly Buffer[],
): Promise<AuditEntryText[]> {
  const rows = (await connection('audit_entries')
    .select(shown.names)
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('id', asOneBinding(connection, ids))
    .orderBy('id')) as Row[];
  return rows.map(textOf);
}

/** An entry as JSON. */
interface AuditEntryText {
  readonly id: string;
  readonly text: string;
}

function textOf(row: Row): AuditEntryText {
  const { before: _, after: __, ...entry } = shown.map({ ...row, before_state: null, after_state: null });
  const head = JSON.stringify(entry).slice(0, -1);
  return {
    id: entry.id,
    text: `${head},"before":${row.before_state ?? 'null'},"after":${row.after_state ?? 'null'}}`,
  };
}

const pageSize = 1000;

/** All entries of a workspace with that action, the oldest first, with what was there afterwards. */
export async function* auditActionEntries(
  connection: Connection,
  workspaceId: string,
  action: string,
): AsyncGenerator<{ readonly id: string; readonly after: unknown }> {
  const rows = connection(connection.raw('audit_entries FORCE INDEX (audit_entries_action)'))
    .select('id', 'after_state')
    .where({ workspace_id: idToBytes(workspaceId), action });
  for await (const page of inPages<Pick<Row, 'after_state'> & { readonly id: Buffer }>(rows, pageSize))
    for (const row of page) yield { id: idFromBytes(row.id), after: parsed(row.after_state) ?? {} };
}

/** A page of a workspace's entries; `total` counts all of the workspace, whatever the filter. */
export function listAuditEntries(
  connection: Connection,
  workspaceId: string,
  filter: AuditFilter,
  request: PageRequest,
): Promise<Page<AuditEntryText>> {
  const rows = filtered(connection, idToBytes(workspaceId), filter).select(shown.names);
  const counted = connection('audit_entries').where({ workspace_id: idToBytes(workspaceId) });
  const texts = textsIn(connection, ['before_state', 'after_state'], longestMediumText);
  return readPage(rows, request, textOf, { counted, texts });
}

interface OfTenant {
  readonly olderThan?: string | undefined;
  readonly tenantId?: string | undefined;
}

/** Entries of no workspace (clients, inquiries, callbacks, signing keys), newest first; of all tenants or one: for operators. */
export async function listTenantEntries(
  connection: Connection,
  filter: AuditFilter,
  { size, ...place }: OfTenant & { readonly size: number },
): Promise<TenantEntry[]> {
  const { rows, after } = tenantRows(connection, filter, place);
  const read = limitTo(rows, 'id', { size, after, before: null, order: 'desc' });
  return ((await read) as object[]).map(fields.map);
}

/** As `listTenantEntries`, all of them, some at a time. */
export async function* allTenantEntries(
  connection: Connection,
  filter: AuditFilter,
  place: OfTenant,
): AsyncGenerator<TenantEntry[]> {
  const { rows, after } = tenantRows(connection, filter, place);
  for await (const page of inPages(rows, pageSize, { after, order: 'desc' })) yield page.map(fields.map);
}

function tenantRows(connection: Connection, filter: AuditFilter, { olderThan, tenantId }: OfTenant) {
  const rows = filtered(connection, null, filter).select(fields.names);
  if (tenantId !== undefined) rows.where('tenant_id', idToBytes(tenantId));
  return { rows, after: olderThan === undefined ? null : idToBytes(olderThan) };
}
