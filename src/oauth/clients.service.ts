import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { checkedName, checkedScopes, invalid, referring } from '../workspaces/checks.js';
import { deleteGrant, insertGrant } from '../workspaces/grants.store.js';
import { findClient, insertClient, lockClient, markDisabled, type Client } from './clients.store.js';
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
 * Makes a client, all or nothing, and its secret, which is returned this once and stored as a digest.
 * Rejects with `validation_failed` (scopes, roles, resources) or `reference_not_found` (tenant, workspace).
 */
export async function createClient(
  { database, encryption }: { database: Knex; encryption: Encryption },
  fields: NewClient,
): Promise<{ readonly client: Client; readonly secret: string }> {
  const client = checkedClient(fields);
  const { id, tenantId } = client;
  const secret = makeSecret();
  await inTransaction(database, async (transaction) => {
    await referring(insertClient(transaction, client), `There is no tenant ${tenantId}.`);
    await insertSecret(transaction, id, encryption.digest(secret));
    for (const workspaceId of fields.workspaces) {
      await referring(insertGrant(transaction, { tenantId, clientId: id, workspaceId }), notOfTenant(workspaceId));
    }
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
export async function grantWorkspace(database: Knex, clientId: string, workspaceId: string): Promise<void> {
  const { tenantId } = await requireClient(database, clientId);
  await referring(insertGrant(database, { tenantId, clientId, workspaceId }), notOfTenant(workspaceId));
}

/** Takes effect within 5 s. Rejects with `reference_not_found` when there is no such client or grant. */
export async function revokeWorkspace(database: Knex, clientId: string, workspaceId: string): Promise<void> {
  const { tenantId } = await requireClient(database, clientId);
  if (!(await deleteGrant(database, { tenantId, clientId, workspaceId }))) {
    throw new Problem('reference_not_found', `The client is not granted workspace ${workspaceId}.`);
  }
}

/** No token for it from now on; those that it has are refused within 5 s. Rejects with `reference_not_found`. */
export async function disableClient(database: Knex, clientId: string): Promise<Client> {
  await requireClient(database, clientId);
  await markDisabled(database, clientId);
  return requireClient(database, clientId);
}

/** How long the secret before keeps working after a rotation, in milliseconds. */
const overlapMs = 24 * 60 * 60 * 1000;

export interface RotatedSecret {
  readonly secret: string;
  /** When the secret before stops working; null when there was none. */
  readonly previousExpiresAt: string | null;
}

/**
 * Makes a new secret. The one before keeps working for 24 hours; any older one stops at once, so that two rotations
 * rid a client of a secret that was disclosed. Rejects with `reference_not_found` when there is no such client.
 */
export async function rotateSecret(
  { database, encryption }: { database: Knex; encryption: Encryption },
  clientId: string,
): Promise<RotatedSecret> {
  await requireClient(database, clientId);
  const secret = makeSecret();
  const expiresAt = new Date(Date.now() + overlapMs);
  return inTransaction(database, async (transaction) => {
    await lockClient(transaction, clientId);
    const [previous] = await listLiveSecrets(transaction, clientId, new Date());
    if (previous !== undefined) await retireSecrets(transaction, clientId, { id: previous.id, expiresAt });
    await insertSecret(transaction, clientId, encryption.digest(secret));
    return { secret, previousExpiresAt: previous === undefined ? null : expiresAt.toISOString() };
  });
}

async function requireClient(database: Knex, id: string): Promise<Client> {
  const client = await findClient(database, id);
  if (client === undefined) throw new Problem('reference_not_found', `There is no client ${id}.`);
  return client;
}

const notOfTenant = (workspaceId: string): string => `The client's tenant has no workspace ${workspaceId}.`;

/** 256 bits, in characters that need no encoding anywhere. */
const makeSecret = (): string => randomBytes(32).toString('base64url');
