import { join } from 'node:path';
import type { Knex } from 'knex';
import { operator } from '../../src/audit/actor.js';
import type { Writer } from '../../src/audit/audit.store.js';
import { settings } from '../../src/config/config.js';
import { readCandidates } from '../../src/cli/sources/candidates.js';
import { importDecisions } from '../../src/decisions/writing/importDecisions.js';
import { readTests } from '../../workers/models/index.js';
import type { DecisionResult } from '../../src/decisions/writing/planVersions.js';
import { readSources } from '../../src/cli/sources/read.js';
import { createDeployment } from '../../src/deployments/deployments.service.js';
import { Routing } from '../../src/deployments/routing.js';
import { environments } from '../../src/environments/environments.store.js';
import { setVariable } from '../../src/environments/variables.store.js';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { createInquiry } from '../../src/inquiries/inquiries.service.js';
import { createClient } from '../../src/access/clients.service.js';
import { scopes } from '../../src/oauth/scopes.js';
import { inTransaction, openDatabase } from '../../src/storage/database.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { createTenant, createWorkspace } from '../../src/access/workspaces.service.js';
import { holdingMigrationLock } from '../migrate.js';
import { projectRoot } from '../root.js';

/** Where the demo's tenant is to be made. */
export interface DemoTarget {
  readonly databaseUrl: string;
  /** As in `ENCRYPTION_KEY`. */
  readonly encryptionKey: string;
  /** As in `INQUIRY_URL`. */
  readonly inquiryUrl: string;
  /** Called with the access before the demo is there to be used, so that it cannot be there without its secret. */
  readonly keep: (demo: DemoAccess) => void;
}

/** What the one screen of `make run` needs for lines that work when pasted. */
export interface DemoAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly workspaceId: string;
  readonly environmentId: string;
  /** The one that is deployed. */
  readonly decisionId: string;
  /** The fact of the example request. */
  readonly fact: Readonly<Record<string, unknown>>;
  /** To be updated with the client's Basic credentials. */
  readonly inquiryId: string;
}

const models = join(projectRoot, 'db', 'seeds', 'demo');
/** Has a sub-decision and reads `$env`; its second test is the example request. */
const deployedKey = 'shop/checkout.json';
const variables = [
  { name: 'FREE_FROM', value: 25, secret: false },
  { name: 'PARTNER_CODE', value: 'tulip-season', secret: true },
];

/**
 * Makes a demo tenant on an empty database: all of it or, where something fails, nothing. Of several processes at once,
 * one does. Undefined: the database holds tenants already, and nothing was done.
 */
export async function seedDemo(target: DemoTarget): Promise<DemoAccess | undefined> {
  return holdingMigrationLock(target.databaseUrl, async () => {
    const database = openDatabase(target.databaseUrl, { poolSize: 2, acquireTimeoutMs: 10_000 });
    try {
      const tenants = (await database('tenants').select('id').limit(1)) as unknown[];
      if (tenants.length > 0) return undefined;
      return await inTransaction(database, async (transaction) => {
        const demo = await makeDemo(transaction, target);
        target.keep(demo);
        return demo;
      });
    } finally {
      await database.destroy();
    }
  });
}

async function makeDemo(database: Knex, { encryptionKey, inquiryUrl }: DemoTarget): Promise<DemoAccess> {
  const encryption = createEncryption(settings.encryptionKey.parse(encryptionKey));
  const stores = { database, encryption, actor: operator(), giver: { kind: 'operator' } } as const;
  const tenant = await createTenant(stores, 'Demo');
  const { id: workspaceId } = await createWorkspace(stores, { tenantId: tenant.id, name: 'Demo' });
  const { client, secret } = await createClient(stores, {
    tenantId: tenant.id,
    name: 'demo',
    scopes,
    roles: { runner: ['execution:write', 'evaluation:write'] },
    resources: [],
    workspaces: [workspaceId],
  });
  const environment = await environments.create(stores, workspaceId, {
    name: 'Demo',
    description: 'Made by make run on an empty database',
    color: '#0EA5E9',
  });
  const ref = { workspaceId, environmentId: environment.id };
  for (const variable of variables) await setVariable(stores, ref, variable);
  const { decisionId, fact } = await importModels(database, workspaceId);
  await deploy(stores, { ...ref, decisionId });
  const sending = { ...stores, maxPerMinute: null, wakeOutbox: () => undefined };
  const fields = {
    tenantId: tenant.id,
    personId: 'demo-person',
    externalId: 'demo',
    prerequisites: [{ type: 'CONSENT', url: 'https://consent.example/demo' }],
    flowUrl: inquiryUrl,
  };
  const { body } = await createInquiry(sending, stores.actor, { fields });
  const { id: inquiryId } = JSON.parse(body) as Inquiry;
  return { clientId: client.id, clientSecret: secret, ...ref, decisionId, fact, inquiryId };
}

async function importModels(
  database: Knex,
  workspaceId: string,
): Promise<{ decisionId: string; fact: Readonly<Record<string, unknown>> }> {
  const { candidates } = readCandidates(await readSources([models], projectRoot));
  const outcome = await importDecisions(database, {
    workspaceId,
    actor: operator(),
    candidates,
    save: true,
    force: false,
  });
  const results: readonly DecisionResult[] = outcome.kind === 'done' ? outcome.decisions : [];
  const deployed = results.find(({ key }) => key === deployedKey);
  const [, example] = readTests(candidates.find(({ key }) => key === deployedKey)?.document.model).tests;
  if (deployed === undefined || example === undefined) throw new Error('the demo models are not as they should be');
  return { decisionId: deployed.id, fact: example.input as Record<string, unknown> };
}

function deploy(
  stores: Writer,
  { workspaceId, environmentId, decisionId }: { workspaceId: string; environmentId: string; decisionId: string },
): Promise<unknown> {
  const routing = new Routing({ database: stores.database, cache: null, maxAgeMs: 0 });
  const fields = { decisionId, version: 1, environmentId, name: 'Demo', message: null, deployedBy: 'make run' };
  // Nothing is protected yet.
  const moved = (): Promise<void> => Promise.resolve();
  return createDeployment({ ...stores, routing, moved }, workspaceId, fields);
}
