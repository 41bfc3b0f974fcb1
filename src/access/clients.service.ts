import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, tenantEntry, type NewAuditEntry } from '../audit/audit.store.js';
import type { Limit } from '../rates/limit.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { referring, requireRoom, invalid } from '../workspaces/checkedInput.js';
import { inClientTransaction, type ClientRef, type GivingWriter, type GrantedClient } from './clientTransaction.js';
import { changeGrants } from './clientGrants.js';
import { clients, isActive, type Client } from '../oauth/clients.store.js';
import { giveSecret } from './clientSecrets.js';
import { addsTo, lockTenant, requireOwn, rightsOfGiver, type Giver, type GiverRights, type Rights } from './giving.js';
import { requireOtherGivers } from './otherGivers.js';

/** As the schemas of its operations let it through. */
export interface NewClient {
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** By their names; their scopes must be among the client's. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly resources: readonly string[];
  /** Ids of the workspaces that it is granted at once. */
  readonly workspaces: readonly string[];
  readonly limit?: Limit | null;
  readonly expiresAt?: string | null;
}

/** Clients of a tenant that are made by HTTP: each costs memory, and the console lists them all. */
const maxClients = 1000;

/**
 * Makes a client with its grants, all or nothing, and its secret, which is returned only once and stored as a digest.
 * Rejects with `validation_failed` (roles, resources), `reference_not_found` (tenant, workspace) or `exceeds_own_rights`.
 */
export async function createClient(
  { database, encryption, actor, giver }: GivingWriter & { readonly encryption: Encryption },
  fields: NewClient,
): Promise<{ readonly client: GrantedClient; readonly secret: string }> {
  const made = newClient(fields);
  const { id, tenantId, workspaces } = made;
  return inTransaction(database, async (transaction) => {
    await lockTenant(transaction, tenantId);
    const own = await rightsOfGiver(transaction, giver, 'client:write');
    const client = { ...made, bucketId: bucketGivenBy(giver, own) };
    requireOwn(own, client);
    if (own !== undefined) await requireRoom(transaction('clients'), { tenantId, max: maxClients, what: 'clients' });
    await referring(clients.insert(transaction, tenantId, client), `There is no tenant ${tenantId}.`);
    const secret = await giveSecret(transaction, encryption, id);
    const entries = await changeGrants(transaction, actor, { client, before: [], after: workspaces });
    await appendAuditEntries(transaction, [clientEntry(actor, 'create', null, client), ...entries]);
    return { client, secret };
  });
}

/**
 * Whose requests a new client's are counted with: a client that has a limit would escape it by making others, so theirs count as its
 * own.
 */
const bucketGivenBy = (giver: Giver, own: GiverRights | undefined): string | null =>
  giver.kind === 'operator' || own === undefined || own.limit === null ? null : (own.bucketId ?? giver.id);

function newClient(fields: NewClient): GrantedClient {
  const scopes = unique(fields.scopes);
  return {
    id: newId(),
    tenantId: fields.tenantId,
    name: fields.name.trim(),
    scopes,
    roles: checkedRoles(fields.roles, scopes),
    resources: fields.resources.map(checkedResource),
    workspaces: fields.workspaces,
    limit: fields.limit ?? null,
    bucketId: null,
    expiresAt: fields.expiresAt ?? null,
    disabledAt: null,
    createdAt: new Date().toISOString(),
  };
}

/** What changes of a client; all else stays. */
export type ClientChange = Partial<Omit<NewClient, 'tenantId'>> & { readonly disabled?: boolean };

/**
 * Changes a client and its grants; it takes effect within 5 s. A role loses the scopes that the client loses. Rejects with
 * `client_not_found`, `exceeds_own_rights`, `last_client_writer`, and as `createClient`.
 * @param changeOf what to change of the client as it is now; throws what refuses the change
 */
export async function changeClient(
  { database, actor, giver }: GivingWriter,
  ref: ClientRef,
  changeOf: (present: GrantedClient) => ClientChange,
): Promise<GrantedClient> {
  return inClientTransaction({ database, giver, needed: 'client:write' }, ref, async ({ transaction, client, own }) => {
    const changed = applied(client, changeOf(client));
    if (addsTo(rightsOf(client), rightsOf(changed))) requireOwn(own, changed);
    if (own !== undefined) await requireOtherGivers(transaction, client, changed);
    await clients.update(transaction, client, changed);
    const grants = { client, before: client.workspaces, after: changed.workspaces };
    const entries = await changeGrants(transaction, actor, grants);
    const isSame = JSON.stringify(shownClient(client)) === JSON.stringify(shownClient(changed));
    if (!isSame) entries.unshift(clientEntry(actor, verbOf(client, changed), client, changed));
    await appendAuditEntries(transaction, entries);
    return changed;
  });
}

/** Removes a client with its secrets and grants; its tokens are refused within 5 s. Rejects as `changeClient`. */
export async function removeClient(
  { database, actor, giver }: GivingWriter,
  ref: ClientRef,
  precondition: (present: GrantedClient) => void,
): Promise<void> {
  await inClientTransaction({ database, giver, needed: 'client:delete' }, ref, async ({ transaction, client, own }) => {
    precondition(client);
    if (own !== undefined) await requireOtherGivers(transaction, client, undefined);
    const entries = await changeGrants(transaction, actor, { client, before: client.workspaces, after: [] });
    await clients.delete(transaction, client);
    await appendAuditEntries(transaction, [...entries, clientEntry(actor, 'delete', client, null)]);
  });
}

function applied(client: GrantedClient, change: ClientChange): GrantedClient {
  const { name, resources, workspaces, limit, expiresAt } = { ...client, ...change };
  const { roles, disabled = client.disabledAt !== null } = change;
  const scopes = unique(change.scopes ?? client.scopes);
  return {
    ...client,
    scopes,
    roles: roles === undefined ? narrowed(client.roles, scopes) : checkedRoles(roles, scopes),
    name: name.trim(),
    resources: resources.map(checkedResource),
    workspaces: [...workspaces].sort(),
    ...{ limit, expiresAt },
    disabledAt: disabled ? (client.disabledAt ?? new Date().toISOString()) : null,
  };
}

/** A client that is disabled or has expired has no rights, so whoever enables it gives it all of its rights anew. */
const rightsOf = (client: GrantedClient): Rights =>
  isActive(client) ? client : { ...client, scopes: [], resources: [], workspaces: [] };

/** The client as the API and audit entries show it. */
export const shownClient = ({ roles, workspaces: _, bucketId: __, ...client }: GrantedClient) => ({
  ...client,
  roles: Object.fromEntries(roles),
});

function verbOf(before: Client, after: Client): 'update' | 'disable' | 'enable' {
  if ((before.disabledAt === null) === (after.disabledAt === null)) return 'update';
  return after.disabledAt === null ? 'enable' : 'disable';
}

function clientEntry(
  actor: Actor,
  verb: 'create' | 'update' | 'disable' | 'enable' | 'delete',
  before: GrantedClient | null,
  after: GrantedClient | null,
): NewAuditEntry {
  const { id = '', tenantId = '' } = after ?? before ?? {};
  return tenantEntry(actor, tenantId, {
    action: `client.${verb}`,
    resource: { type: 'client', id },
    before: before && shownClient(before),
    after: after && shownClient(after),
  });
}

const unique = (scopes: readonly string[]): readonly string[] => [...new Set(scopes)];

/** Each role's scopes are among the client's. Throws `validation_failed`. */
function checkedRoles(roles: NewClient['roles'], ofClient: readonly string[]): Map<string, readonly string[]> {
  const checked = Object.entries(roles).map(([name, scopes]) => [name, unique(scopes)] as const);
  for (const [name, scopes] of checked) {
    const extra = scopes.filter((scope) => !ofClient.includes(scope));
    if (name.trim() !== name) throw invalid('A role has a name without blanks around it.');
    if (extra.length > 0) throw invalid(`The role ${name} has scopes that the client has not: ${extra.join(' ')}.`);
  }
  return new Map(checked);
}

/** RFC 8707, section 2: an absolute URI without a fragment. */
function checkedResource(resource: string): string {
  if (!URL.canParse(resource) || /[#\s]/.test(resource)) {
    throw invalid(`The resource ${resource} is not an absolute URI without fragment.`);
  }
  return resource;
}

/** Roles of a client that has these scopes now: a role loses those that the client has lost. */
const narrowed = (
  roles: ReadonlyMap<string, readonly string[]>,
  scopes: readonly string[],
): Map<string, readonly string[]> =>
  new Map(
    [...roles]
      .map(([name, its]) => [name, its.filter((scope) => scopes.includes(scope))] as const)
      .filter(([, its]) => its.length > 0),
  );
