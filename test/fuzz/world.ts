import { randomBytes } from 'node:crypto';
import { scopes as allScopes } from '../../src/oauth/scopes.js';
import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { setPolicy } from '../../src/access/workspaces.service.js';
import { buildClient, buildInquiry, buildWorkspace, type Store } from '../support/factories.js';
import { ask, protect } from '../support/changes.js';
import { call } from '../support/http.js';
import { deciding, expressing, type Model } from '../support/models.js';
import { buildScene, logicHeaders, type Scene } from '../support/scene.js';
import { basic, tokenOf } from '../support/tokens.js';
import type { Issuer } from '../support/issuer.js';

/** Somebody who makes requests. */
export interface Caller {
  readonly kind: 'client' | 'user' | 'stranger';
  readonly authorization: string;
  readonly scopes: ReadonlySet<string>;
}

/** Ids that requests may name, by the collection of their paths, oldest first. Nobody of its own side changes a planted one. */
type Ids = Record<string, string[]>;

/** One of two tenants that must never see anything of the other. */
export interface Side {
  readonly workspaceId: string;
  /** Of the same tenant, granted to nobody. */
  readonly closedWorkspaceId: string;
  /** Stands in all that this side wrote, and must be in no answer to the other. */
  readonly mark: string;
  /** The value of a secret variable that models use: must be in no answer at all. */
  readonly secret: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** A client that may be tried with wrong secrets, so that only its own attempts are throttled. */
  readonly tried: { readonly id: string; readonly secret: string };
  readonly callers: readonly Caller[];
  readonly planted: Ids;
  /** Made by requests, the latest last; a bounded number of each. */
  readonly made: Ids;
  readonly cursors: string[];
  /** Digests of planted change requests, which reviews name. */
  readonly digests: readonly string[];
  /** Files that a body may be, by media type. */
  readonly files: Readonly<Record<string, readonly Buffer[]>>;
}

export interface World {
  readonly sides: readonly [Side, Side];
}

interface Surroundings {
  readonly baseUrl: string;
  readonly store: Store;
  readonly issuer: Issuer;
}

export async function buildWorld(surroundings: Surroundings): Promise<World> {
  return { sides: [await buildSide(surroundings), await buildSide(surroundings)] };
}

async function buildSide({ baseUrl, store, issuer }: Surroundings): Promise<Side> {
  const mark = `mark${randomBytes(6).toString('hex')}`;
  const secret = `secret${randomBytes(9).toString('hex')}`;
  const scene = await buildScene({ baseUrl }, { store });
  const { tenantId, workspaceId, client } = scene;
  const models = {
    'marked.json': expressing({ y: 'x', mark: `"${mark}"` }),
    'secretive.json': expressing({ length: 'len($env.TOKEN)', y: 'x * 2', z: 'x.a.b[0] + len($env.TOKEN)' }),
    'table.json': tableModel(),
  };
  const decisions: string[] = [];
  for (const [key, model] of Object.entries(models)) decisions.push(await scene.decision(key, model));
  const made = await scene.caller.post('/logic/environments', { name: mark, description: mark });
  const environment = (made.body as { id: string }).id;
  await scene.variable(environment, 'TOKEN', secret, true);
  const deployments: string[] = [];
  for (const decision of decisions) deployments.push(await scene.deploy(decision, environment, 1));
  const path = `/logic/${environment}/decisions/${decisions[0] ?? ''}/executions`;
  const { body: execution } = await scene.caller.post(path, { fact: { x: mark } });
  const inquiry = await buildInquiry(store, tenantId, {
    ...{ personId: mark, externalId: mark },
    prerequisites: [{ type: 'CONSENT', url: 'https://consent.example/1' }],
  });
  const requests = await buildRequests(scene, decisions[0] ?? '');
  const watching = { environmentId: environment, decisionId: decisions[0], name: mark };
  const monitor = await scene.caller.post('/logic/monitors', {
    ...watching,
    ...{ measure: 'failed', window: '1h', condition: '> 0.1' },
  });
  const spare = await buildClient(store, { tenantId, scopes: 'pool:read', workspaces: [] });
  const tried = await buildClient(store, { tenantId, workspaces: [workspaceId] });
  const { callers, policy } = await buildCallers({ baseUrl, store, issuer }, { tenantId, workspaceId, client, mark });
  return {
    workspaceId,
    closedWorkspaceId: await buildWorkspace(store, tenantId),
    mark,
    secret,
    client,
    tried,
    callers,
    planted: {
      ...{ environments: [environment], deployments, decisions, inquiries: [inquiry.id] },
      executions: [(execution as { id: string }).id],
      prerequisites: inquiry.prerequisites.map(({ id }) => id),
      monitors: [(monitor.body as { id: string }).id],
      'change-requests': requests.map(({ id }) => id),
      ...{ clients: [spare.id], workspaces: [workspaceId], policies: [policy.id] },
    },
    made: {},
    cursors: [],
    digests: requests.map(({ digest }) => digest),
    files: await readFiles(baseUrl, scene, decisions.at(-1) ?? ''),
  };
}

/** A model with a table and a test, both of which have files. */
export const tableModel = (): Model => ({
  ...deciding([{ _id: 'rule1', age: '> 1', size: '', fee: '1' }]),
  tests: [{ name: 'one', input: { age: 2 }, output: { fee: 1 } }],
});

/** Change requests of an environment of their own: an ended one can be neither reviewed nor applied. */
async function buildRequests(scene: Scene, decisionId: string): Promise<ChangeRequest[]> {
  const environment = await scene.environment();
  await protect(scene.caller, environment, { authorMayApprove: true, override: true });
  const requests: ChangeRequest[] = [];
  for (let count = 0; count < 30; count++) {
    requests.push(await ask(scene.caller, environment, [{ type: 'deploy', decisionId, version: 1 }]));
  }
  return requests;
}

/** The files of the decision's table and tests, as the service gives them. */
async function readFiles(baseUrl: string, scene: Scene, decisionId: string): Promise<Side['files']> {
  const files: Record<string, Buffer[]> = {};
  for (const name of ['versions/1/tables/table.xlsx', 'versions/1/tables/table.csv', 'tests.xlsx', 'tests.csv']) {
    const address = `${baseUrl}/logic/decisions/${decisionId}/${name}`;
    const answer = await fetch(address, { headers: logicHeaders(scene) });
    const [type = ''] = (answer.headers.get('Content-Type') ?? '').split(';');
    (files[type] ??= []).push(Buffer.from(await answer.arrayBuffer()));
  }
  return files;
}

const narrowScopes = [
  'environments:read environment:read',
  'environment:write environment:update deployments:read deployment:read',
  'deployment:write execution:write',
  'evaluation:write inquiry:update environment:delete deployment:delete',
  'decisions:read decision:read decision:update decision:delete variables:read',
  'decision:write version:write variable:write variable:delete executions:read execution:read audit:read',
];
const userScopes = allScopes.filter((scope) => !/^inquir(y|ies):/.test(scope) && !scope.endsWith(':delete'));

async function buildCallers(
  { baseUrl, store, issuer }: Surroundings,
  side: { tenantId: string; workspaceId: string; client: { id: string; secret: string }; mark: string },
): Promise<{ readonly callers: Caller[]; readonly policy: { readonly id: string } }> {
  const { tenantId, workspaceId, client, mark } = side;
  const bearer = (token: string): string => `Bearer ${token}`;
  const withScopes = async (scope: string): Promise<Caller> => ({
    kind: 'client',
    authorization: bearer(await tokenOf(baseUrl, client, { scope })),
    scopes: new Set(scope.split(' ')),
  });
  const policy = await setPolicy(
    store,
    { workspaceId },
    {
      effect: 'allow',
      subjects: [`user-${mark}`],
      roles: [],
      scopes: userScopes,
    },
  );
  const stranger = await buildClient(store, { tenantId, workspaces: [] });
  const callers: Caller[] = [
    await withScopes(allScopes.join(' ')),
    ...(await Promise.all(narrowScopes.map(withScopes))),
    { kind: 'user', authorization: bearer(await issuer.tokenOf(`user-${mark}`)), scopes: new Set(userScopes) },
    { kind: 'stranger', authorization: bearer(await issuer.tokenOf('nobody')), scopes: new Set() },
    { kind: 'stranger', authorization: bearer(await tokenOf(baseUrl, stranger)), scopes: new Set(allScopes) },
    { kind: 'client', authorization: basic(client.id, client.secret), scopes: new Set(allScopes) },
  ];
  return { callers, policy };
}

/** What was planted and nobody of its own side changes: as its own side sees it. */
export async function showPlanted(baseUrl: string, { callers, workspaceId, planted }: Side): Promise<unknown[]> {
  const headers = { Authorization: callers[0]!.authorization, 'X-Workspace-Id': workspaceId };
  const paths = [
    ...['environments', 'deployments', 'executions'].flatMap((kind) =>
      (planted[kind] ?? []).map((id) => `/logic/${kind}/${id}`),
    ),
  ];
  return Promise.all(paths.map(async (path) => (await call(baseUrl + path, { headers })).body));
}
