import { randomBytes } from 'node:crypto';
import { scopes as allScopes } from '../../src/oauth/scopes.js';
import { setPolicy } from '../../src/access/workspaces.service.js';
import { buildClient, buildInquiry, buildWorkspace, type Store } from '../support/factories.js';
import { call } from '../support/http.js';
import { expressing } from '../support/models.js';
import { buildScene } from '../support/scene.js';
import { basic, tokenOf } from '../support/tokens.js';
import type { Issuer } from '../support/issuer.js';

/** Somebody who makes requests. */
export interface Caller {
  readonly kind: 'client' | 'user' | 'stranger';
  readonly authorization: string;
  readonly scopes: ReadonlySet<string>;
}

/** Ids that requests may name, by the collection of their paths, oldest first. Nobody of its own side changes a planted one. */
export type Ids = Record<string, string[]>;

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
  const inquiry = await buildInquiry(store, tenantId, { personId: mark, externalId: mark });
  const tried = await buildClient(store, { tenantId, workspaces: [workspaceId] });
  return {
    workspaceId,
    closedWorkspaceId: await buildWorkspace(store, tenantId),
    mark,
    secret,
    client,
    tried,
    callers: await buildCallers({ baseUrl, store, issuer }, { tenantId, workspaceId, client, mark }),
    planted: {
      ...{ environments: [environment], deployments, decisions, inquiries: [inquiry.id] },
      executions: [(execution as { id: string }).id],
    },
    made: {},
    cursors: [],
  };
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
): Promise<Caller[]> {
  const { tenantId, workspaceId, client, mark } = side;
  const bearer = (token: string): string => `Bearer ${token}`;
  const withScopes = async (scope: string): Promise<Caller> => ({
    kind: 'client',
    authorization: bearer(await tokenOf(baseUrl, client, { scope })),
    scopes: new Set(scope.split(' ')),
  });
  await setPolicy(
    store,
    { workspaceId },
    {
      effect: 'allow',
      subjects: [`user-${mark}`],
      roles: [],
      scopes: userScopes.join(' '),
    },
  );
  const stranger = await buildClient(store, { tenantId, workspaces: [] });
  return [
    await withScopes(allScopes.join(' ')),
    ...(await Promise.all(narrowScopes.map(withScopes))),
    { kind: 'user', authorization: bearer(await issuer.tokenOf(`user-${mark}`)), scopes: new Set(userScopes) },
    { kind: 'stranger', authorization: bearer(await issuer.tokenOf('nobody')), scopes: new Set() },
    { kind: 'stranger', authorization: bearer(await tokenOf(baseUrl, stranger)), scopes: new Set(allScopes) },
    { kind: 'client', authorization: basic(client.id, client.secret), scopes: new Set(allScopes) },
  ];
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
