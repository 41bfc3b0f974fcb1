import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { appendAuditEntries, tenantEntry, type Actor, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { checkedName, checkedScopes, invalid, referring } from '../workspaces/checks.js';
import { deleteGrant, hasGrant, insertGrant } from '../workspaces/grants.store.js';
import { findClient, insertClient, lockClient, markDisabled, type Client } from './clients.store.js';
import { digestNewSecret } from './digestKeys.store.js';
import { insertSecret, listLiveSecrets, retireSecrets } from './secrets.store.js';

/** Clients have no HTTP API: these functions are what the command line calls. */

export interface NewClient {
  readonly tenantId: string;
  readonly name: string;
  /** Space separated. */
  readonly scopes: string;
  /** Each a name and space-separated scopes, which must be among the client's. */
  readonly roles: readonly (readonly [name: string, scopes: string])[];
  readonly resources: readonly string[];
  /** Ids of the workspaces that it is granted at once. */
  readonly workspaces: readonly string[];
}

/**
 * Makes a client with its grants, all or nothing, and its secret, which is returned only once and stored as a digest.
 * Rejects with `validation_failed` (scopes, roles, resources) or `reference_not_found` (tenant, workspace).
 */
export async function createClient(
  { database, encryption, actor }: Writer & { readonly encryption: Encryption },
  fields: NewClient,
): Promise<{ readonly client: Client; readonly secret: string }> {
  const client = checkedClient(fields);
  const { id, tenantId } = client;
  const secret = makeSecret();
  await inTransaction(database, async (transaction) => {
    await referring(insertClient(transaction, client), `There is no tenant ${tenantId}.`);
    await insertSecret(transaction, id, await digestNewSecret({ connection: transaction, encryption }, secret));
    for (const workspaceId of fields.workspaces) {
      await referring(insertGrant(transaction, { tenantId, clientId: id, workspaceId }), notOfTenant(workspaceId));
    }
    await appendAuditEntries(transaction, [
      clientEntry(actor, 'create', { client, before: null, after: shown(client) }),
      ...fields.workspaces.map((workspaceId) => grantEntry(actor, client, { workspaceId, granted: true })),
    ]);
  });
  return { client, secret };
}

function checkedClient(fields: NewClient): Client {
  const scopes = checkedScopes(fields.scopes);
  return {
    id: newId(),
    tenantId: fields.tenantId,
    name: checkedName(fields.name),
    scopes,
    roles: checkedRoles(fields.roles, scopes),
    resources: fields.resources.map(checkedResource),
    disabledAt: null,
    createdAt: new Date().toISOString(),
  };
}

function checkedRoles(roles: NewClient['roles'], ofClient: readonly string[]): Map<string, readonly string[]> {
  const checked = new Map<string, readonly string[]>();
  for (const [name, text] of roles) {
    const scopes = checkedScopes(text);
    const extra = scopes.filter((scope) => !ofClient.includes(scope));
    if (name.trim() !== name || name === '') throw invalid('A role has a name without blanks around it.');
    if (checked.has(name)) throw invalid(`The role ${name} is there twice.`);
    if (extra.length > 0) throw invalid(`The role ${name} has scopes that the client has not: ${extra.join(' ')}.`);
    checked.set(name, scopes);
  }
  return checked;
}

/** RFC 8707, section 2: an absolute URI without a fragment. */
function checkedResource(resource: string): string {
  if (!URL.canParse(resource) || /[#\s]/.test(resource)) {
    throw invalid(`The resource ${resource} is not an absolute URI without fragment.`);
  }
  return resource;
}

/** Rejects with `reference_not_found` when there is no such client, or no such workspace in its tenant. */
export function grantWorkspace(writer: Writer, clientId: string, workspaceId: string): Promise<void> {
  return changing(writer, clientId, async (transaction, client) => {
    const grant = { tenantId: client.tenantId, clientId, workspaceId };
    if (await hasGrant(transaction, grant)) return [];
    await referring(insertGrant(transaction, grant), notOfTenant(workspaceId));
    return [grantEntry(writer.actor, client, { workspaceId, granted: true })];
  });
}

/** Takes effect within 5 s. Rejects with `reference_not_found` when there is no such client or grant. */
export function revokeWorkspace(writer: Writer, clientId: string, workspaceId: string): Promise<void> {
  return changing(writer, clientId, async (transaction, client) => {
    if (!(await deleteGrant(transaction, { tenantId: client.tenantId, clientId, workspaceId }))) {
      throw new Problem('reference_not_found', `The client is not granted workspace ${workspaceId}.`);
    }
    return [grantEntry(writer.actor, client, { workspaceId, granted: false })];
  });
}

/** The client gets no more tokens; those that it has are refused within 5 s. Rejects with `reference_not_found`. */
export async function disableClient(writer: Writer, clientId: string): Promise<Client> {
  await changing(writer, clientId, async (transaction, before) => {
    if (before.disabledAt !== null) return [];
    await markDisabled(transaction, clientId);
    const after = await requireClient(transaction, clientId);
    const states = { client: before, before: shown(before), after: shown(after) };
    return [clientEntry(writer.actor, 'disable', states)];
  });
  return requireClient(writer.database, clientId);
}

/** How long the previous secret keeps working after a rotation, in milliseconds. */
const overlapMs = 24 * 60 * 60 * 1000;

export interface RotatedSecret {
  readonly secret: string;
  /** When the previous secret stops working; null when there was none. */
  readonly previousExpiresAt: string | null;
}

/**
 * Makes a new secret. The previous one keeps working for 24 hours; older ones stop at once, so that two rotations
 * revoke a disclosed secret. Rejects with `reference_not_found` when there is no such client.
 */
export async function rotateSecret(
  { encryption, ...writer }: Writer & { readonly encryption: Encryption },
  clientId: string,
): Promise<RotatedSecret> {
  const secret = makeSecret();
  const expiresAt = new Date(Date.now() + overlapMs);
  let previousExpiresAt: string | null = null;
  await changing(writer, clientId, async (transaction, client) => {
    const [previous] = await listLiveSecrets(transaction, clientId, new Date());
    if (previous !== undefined) await retireSecrets(transaction, clientId, { id: previous.id, expiresAt });
    await insertSecret(transaction, clientId, await digestNewSecret({ connection: transaction, encryption }, secret));
    previousExpiresAt = previous === undefined ? null : expiresAt.toISOString();
    return [clientEntry(writer.actor, 'rotate_secret', { client, before: null, after: { previousExpiresAt } })];
  });
  return { secret, previousExpiresAt };
}

/**
 * Changes what belongs to a client, serialised by its row lock, and appends the audit entries that `work` returns.
 * Rejects with `reference_not_found` when there is no such client.
 */
function changing(
  { database }: Pick<Writer, 'database'>,
  clientId: string,
  work: (transaction: Knex.Transaction, client: Client) => Promise<NewAuditEntry[]>,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await lockClient(transaction, clientId);
    await appendAuditEntries(transaction, await work(transaction, await requireClient(transaction, clientId)));
  });
}

/** The client as audit entries show it. */
const shown = ({ roles, ...client }: Client): object => ({ ...client, roles: Object.fromEntries(roles) });

type States = Pick<NewAuditEntry, 'before' | 'after'>;

const clientEntry = (
  actor: Actor,
  verb: 'create' | 'disable' | 'rotate_secret',
  { client: { id, tenantId }, before, after }: States & { readonly client: Client },
): NewAuditEntry =>
  tenantEntry(actor, tenantId, { action: `client.${verb}`, resource: { type: 'client', id }, before, after });

/** In the audit of the workspace that is granted or revoked, where its users find it. */
const grantEntry = (
  actor: Actor,
  { id, tenantId }: Client,
  { workspaceId, granted }: { readonly workspaceId: string; readonly granted: boolean },
): NewAuditEntry => ({
  actor,
  workspaceId,
  tenantId,
  action: granted ? 'client.grant' : 'client.revoke',
  resource: { type: 'client', id },
  before: { granted: !granted },
  after: { granted },
});

async function requireClient(connection: Connection, id: string): Promise<Client> {
  const client = await findClient(connection, id);
  if (client === undefined) throw new Problem('reference_not_found', `There is no client ${id}.`);
  return client;
}

const notOfTenant = (workspaceId: string): string => `The client's tenant has no workspace ${workspaceId}.`;

/** 256 bits, in characters that need no encoding anywhere. */
const makeSecret = (): string => randomBytes(32).toString('base64url');
