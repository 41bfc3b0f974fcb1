import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { readDocument } from '../../workers/models/index.js';
import { importDecisions } from '../../src/decisions/writing/importDecisions.js';
import type { DecisionResult } from '../../src/decisions/writing/planVersions.js';
import { setVariable } from '../../src/environments/variables.store.js';
import { afterEachFile } from './afterFile.js';
import { buildClient, openStore, testActor, type Store } from './factories.js';
import { callerOf, type Caller } from './http.js';
import type { Model } from './models.js';
import { testPace } from './settings.js';
import { tokenOf } from './tokens.js';
import { bodyOf } from './asserts.js';

/** A decision that is deployed, and where it is executed. */
export interface Place {
  readonly decisionId: string;
  readonly environmentId: string;
  readonly deploymentId: string;
  /** Of its executions. */
  readonly path: string;
}

/** A tenant of a test's own with a workspace, a client, its token, and the means to author decisions. */
export interface Scene {
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly caller: Caller;
  /** Imports a model, or several that name one another, and saves versions; gives the first one's id. */
  decision(key: string, model: Model, others?: Readonly<Record<string, Model>>): Promise<string>;
  /** Writes a working copy without saving it. */
  write(key: string, model: Model): Promise<string>;
  /** Creates an environment over HTTP; gives its id. */
  environment(): Promise<string>;
  /** Deploys a version of a decision to an environment over HTTP; gives the deployment's id. */
  deploy(decisionId: string, environmentId: string, version?: number): Promise<string>;
  /** Saves a model and deploys that version, in an environment of its own where none is named. */
  deployed(key: string, model: Model, environmentId?: string): Promise<Place>;
  variable(environmentId: string, name: string, value: unknown, secret?: boolean): Promise<void>;
  /** Resolves once what another process wrote before is in use in all of them. */
  settled(): Promise<void>;
}

/** Headers of the logic API. */
export const logicHeaders = ({ token, workspaceId }: Scene): Record<string, string> => ({
  Authorization: `Bearer ${token}`,
  'X-Workspace-Id': workspaceId,
});

interface SceneOptions {
  /** Space separated; all when left out. */
  readonly scopes?: string;
  /** A tenant that there is, for another workspace of it; a new one when left out. */
  readonly tenantId?: string;
  /** The run's own when left out. */
  readonly store?: Store;
}

let shared: Store | undefined;

/** The tests' own connections, apart from those of the server under test. */
export const testStore = (): Store => (shared ??= openStore());

export const testDatabase = (): Knex => testStore().database;

/** Tests need not call it: it is called after each file. */
export async function closeTestDatabase(): Promise<void> {
  await shared?.close();
  shared = undefined;
}

afterEachFile(closeTestDatabase);

export async function buildScene(app: { baseUrl: string }, options: SceneOptions = {}): Promise<Scene> {
  const { store: from = testStore(), ...fields } = options;
  const { database } = from;
  const client = await buildClient(from, fields);
  const { tenantId, workspaceId } = client;
  const token = await tokenOf(app.baseUrl, client);
  const caller = callerOf(app.baseUrl, token, workspaceId);

  const bring = async (models: Readonly<Record<string, Model>>, save: boolean): Promise<string> =>
    (await imported(database, workspaceId, models, { save }))[0].id;
  const created = async (path: string, body: object): Promise<string> =>
    (bodyOf(await caller.post(path, body), 201) as { id: string }).id;

  const environment = (): Promise<string> => created('/logic/environments', { name: 'Environment' });
  const deploy = (decisionId: string, environmentId: string, version = 0): Promise<string> =>
    created('/logic/deployments', { decisionId, environmentId, version, name: 'Deployment', deployedBy: 'test' });

  return {
    tenantId,
    workspaceId,
    client,
    token,
    caller,
    decision: (key, model, others = {}) => bring({ [key]: model, ...others }, true),
    write: (key, model) => bring({ [key]: model }, false),
    environment,
    deploy,
    async deployed(key, model, given) {
      const environmentId = given ?? (await environment());
      const decisionId = await bring({ [key]: model }, true);
      const deploymentId = await deploy(decisionId, environmentId, 1);
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      return { decisionId, environmentId, deploymentId, path };
    },
    async variable(environmentId, name, value, secret = false) {
      await setVariable(from, { workspaceId, environmentId }, { name, value, secret });
    },
    settled: () => sleep(testPace.routingAge + 10),
  };
}

/** A scene for all tests of a `describe`. */
export function useScene(app: { readonly baseUrl: string }, options: SceneOptions = {}): Scene {
  const scene = {} as Scene;
  before(async () => void Object.assign(scene, await buildScene(app, options)));
  return scene;
}

/** Another scene for each test of a `describe`. */
export function useFreshScene(app: { readonly baseUrl: string }, options: SceneOptions = {}): Scene {
  const scene = {} as Scene;
  beforeEach(async () => void Object.assign(scene, await buildScene(app, options)));
  return scene;
}

/** Imports models into a workspace without a server, in their order; saves versions unless it is said otherwise. */
export async function imported(
  database: Knex,
  workspaceId: string,
  models: Readonly<Record<string, Model>>,
  { save = true, force = false }: { readonly save?: boolean; readonly force?: boolean } = {},
): Promise<readonly [DecisionResult, ...DecisionResult[]]> {
  const candidates = Object.entries(models).map(([key, model]) => ({ key, document: documentOf(model) }));
  const outcome = await importDecisions(database, { workspaceId, actor: testActor, candidates, save, force });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const [first, ...others] = outcome.decisions;
  return [first!, ...others];
}

export function documentOf(model: Model): Parameters<typeof importDecisions>[1]['candidates'][number]['document'] {
  const read = readDocument(Buffer.from(JSON.stringify(model)));
  if ('diagnostic' in read) throw new Error(read.diagnostic.message);
  return read.document;
}
