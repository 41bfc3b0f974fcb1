import type { Knex } from 'knex';
import type { Actor } from '../../src/audit/actor.js';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { createInquiry, type NewInquiry } from '../../src/inquiries/inquiries.service.js';
import type { GrantedClient } from '../../src/access/clientTransaction.js';
import { changeClient, createClient, type NewClient } from '../../src/access/clients.service.js';
import { digestNewSecret } from '../../src/oauth/digestKeys.store.js';
import { scopes as allScopes } from '../../src/oauth/scopes.js';
import { openDatabase } from '../../src/storage/database.js';
import { createEncryption, type Encryption } from '../../src/storage/encryption.js';
import { createTenant, createWorkspace } from '../../src/access/workspaces.service.js';
import { createEmptying } from './emptyDatabase.js';
import { migratedScratch } from './scratch.js';
import { testConfig } from './settings.js';

/** The store of the server under test, for what has no HTTP API. To be closed. */
export interface Store {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** Who writes, by the audit entries. */
  readonly actor: Actor;
  /** Who may give anything. */
  readonly giver: { readonly kind: 'operator' };
  close(): Promise<void>;
}

/** @param overrides settings, for a database that is not the run's own */
export function openStore(overrides: Readonly<Record<string, string>> = {}): Store {
  const config = testConfig(overrides);
  // The run's own database may be waited for; one that a test names may be out of reach.
  const acquireTimeoutMs = 'DATABASE_URL' in overrides ? 2000 : 30_000;
  const database = openDatabase(config.databaseUrl, { poolSize: 4, acquireTimeoutMs });
  return {
    database,
    encryption: createEncryption(config.encryptionKey, config.encryptionKeysPrevious),
    actor: testActor,
    giver: { kind: 'operator' },
    close: () => database.destroy(),
  };
}

/** The store of a `describe`, closed after it. @param overrides as `openStore` has them */
export function useStore(overrides: Readonly<Record<string, string>> = {}): Store {
  const store = {} as Store;
  before(() => void Object.assign(store, openStore(overrides)));
  after(() => store.close());
  return store;
}

/** A migrated database of a test's own, and its store; `close` drops it. @param overrides as `openStore` has them */
export async function openScratchStore(
  overrides: Readonly<Record<string, string>> = {},
): Promise<Store & { readonly url: string }> {
  const scratch = await migratedScratch(testConfig().databaseUrl);
  const store = openStore({ ...overrides, DATABASE_URL: scratch.url });
  const close = async (): Promise<void> => {
    await store.close();
    await scratch.drop();
  };
  return { ...store, url: scratch.url, close };
}

/** The same for a `describe`, as it was migrated before each of its tests. */
export function useScratchStore(): Store & { readonly url: string } {
  const store = {} as Store & { readonly url: string };
  let empty: () => Promise<void>;
  before(async () => {
    Object.assign(store, await openScratchStore());
    empty = await createEmptying(store.url);
  });
  beforeEach(() => empty());
  after(() => store.close());
  return store;
}

/** Who writes in tests that do not look at who it was. */
export const testActor: Actor = { principal: 'operator:test', requestId: null };

/** What is stored of a client secret. */
export const digestOf = ({ database, encryption }: Store, secret: string): Promise<Buffer> =>
  digestNewSecret({ connection: database, encryption }, secret);

/** A new tenant's id. */
export async function buildTenant(store: Store): Promise<string> {
  return (await createTenant(store, 'Test tenant')).id;
}

/** A new workspace's id, in a new tenant unless one is given. */
export async function buildWorkspace(store: Store, tenantId?: string): Promise<string> {
  const workspace = { tenantId: tenantId ?? (await buildTenant(store)), name: 'Test workspace' };
  return (await createWorkspace(store, workspace)).id;
}

export interface BuiltClient {
  readonly id: string;
  readonly secret: string;
  readonly tenantId: string;
  /** The first of the workspaces that it is granted. */
  readonly workspaceId: string;
  readonly scopes: readonly string[];
}

/** Scopes are separated by blanks. */
export type ClientFields = Partial<Omit<NewClient, 'scopes'> & { readonly scopes: string }>;

/** A new client with every scope, granted a new workspace of a new tenant; `fields` say otherwise. */
export async function buildClient(store: Store, { scopes, ...fields }: ClientFields = {}): Promise<BuiltClient> {
  const tenantId = fields.tenantId ?? (await buildTenant(store));
  const workspaces = fields.workspaces ?? [await buildWorkspace(store, tenantId)];
  const { client, secret } = await createClient(store, {
    name: 'Test client',
    scopes: scopes?.split(' ') ?? allScopes,
    roles: {},
    resources: [],
    ...fields,
    tenantId,
    workspaces,
  });
  return { id: client.id, secret, tenantId, workspaceId: workspaces[0] ?? '', scopes: client.scopes };
}

export const disableClient = (store: Store, id: string): Promise<GrantedClient> =>
  changeClient(store, { id }, () => ({ disabled: true }));

/** Grants the client these workspaces alone. */
export const grantOnly = (store: Store, id: string, workspaces: readonly string[]): Promise<GrantedClient> =>
  changeClient(store, { id }, () => ({ workspaces }));

/** A new inquiry of the tenant, without prerequisites unless `fields` say otherwise. */
export async function buildInquiry(store: Store, tenantId: string, given: Partial<NewInquiry> = {}): Promise<Inquiry> {
  const sending = { ...store, maxPerMinute: null, wakeOutbox: () => undefined };
  const fields = {
    tenantId,
    personId: 'person-1',
    externalId: null,
    prerequisites: [],
    flowUrl: 'https://flow.example/start',
    ...given,
  };
  const { body } = await createInquiry(sending, store.actor, { fields });
  return JSON.parse(body) as Inquiry;
}
