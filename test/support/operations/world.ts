import { expect } from 'chai';
import type { Knex } from 'knex';
import { setPolicy } from '../../../src/access/workspaces.service.js';
import { idToBytes } from '../../../src/storage/ids.js';
import type { TestApp } from '../app.js';
import { buildClient, buildInquiry, type Store } from '../factories.js';
import { protect } from '../changes.js';
import { eventually } from '../eventually.js';
import { callerOf, type Caller } from '../http.js';
import { expressing, type Model } from '../models.js';
import { replayed } from '../replays.js';
import { buildScene } from '../scene.js';
import { tokenOf } from '../tokens.js';
import { bodyOf } from '../asserts.js';

/** One workspace with one of everything in it, and a mark in every text, so that it is known wherever it turns up. */
export interface World {
  readonly name: string;
  readonly mark: string;
  readonly tenantId: string;
  readonly workspaceId: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly token: string;
  readonly caller: Caller;
  readonly environmentId: string;
  readonly decisionId: string;
  /** Of a decision that it runs. */
  readonly dependencyId: string;
  readonly deploymentId: string;
  readonly executionId: string;
  readonly inquiryId: string;
  readonly prerequisiteId: string;
  /** Beside the one that asks; it may do hardly anything. */
  readonly weakClientId: string;
  readonly policyId: string;
  /** It has ended, with a difference that shows the mark. */
  readonly replayId: string;
  readonly shadowId: string;
  readonly monitorId: string;
  /** It is not the environment of the rest, in which everything may be written. */
  readonly protectedEnvironmentId: string;
  readonly changeRequestId: string;
  readonly changeDigest: string;
  /** Of nothing that there is. */
  readonly erasureId: string;
  readonly callback: object;
  /** Of the page after which everything in the workspace comes. */
  readonly cursors: Readonly<
    Record<
      'environments' | 'deployments' | 'decisions' | 'replays' | 'shadows' | 'monitors' | 'changeRequests' | 'erasures',
      string
    >
  >;
  /** Used on an execution. */
  readonly idempotencyKey: string;
}

/** Gives the mark, and has a table with it, and a node that runs another decision, which nothing leads to. */
function marked(mark: string): Model {
  const model = expressing({ mark: `'${mark}'` });
  const content = {
    hitPolicy: 'first',
    inputs: [{ id: 'a', name: 'a', field: 'a' }],
    outputs: [{ id: 'b', name: 'b', field: 'b' }],
    rules: [{ _id: 'row', a: '', b: `'${mark}'` }],
  };
  const table = { id: 'fees', type: 'decisionTableNode', name: mark, content };
  const called = { id: 'called', type: 'decisionNode', name: mark, content: { key: `${mark} called.json` } };
  return { ...model, nodes: [...(model['nodes'] as object[]), table, called] };
}

/** @param tenantId of the tenant to build it in; a new one when left out */
export async function buildWorld(
  app: Pick<TestApp, 'baseUrl'>,
  store: Store,
  name: string,
  tenantId?: string,
): Promise<World> {
  const mark = `mark-of-${name}`;
  const scene = await buildScene(app);
  const own = tenantId === undefined ? scene : await movedTo(app, store, scene, tenantId);
  const caller = callerOf(app.baseUrl, own.token, scene.workspaceId);
  const created = async (path: string, body: object): Promise<string> =>
    (bodyOf(await caller.post(path, body), 201) as { id: string }).id;
  const dependencyId = await scene.decision(`${mark} called.json`, expressing({ mark: `'${mark}'` }));
  const decisionId = await scene.decision(`${mark}.json`, marked(mark));
  const environmentId = await created('/logic/environments', { name: mark, description: mark });
  await scene.variable(environmentId, 'MARK', mark);
  const deployment = { decisionId, environmentId, version: 1, name: mark, message: mark, deployedBy: mark };
  const deploymentId = await created('/logic/deployments', deployment);
  const idempotencyKey = `key-${name}`;
  const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
  const executed = await caller.post(
    path,
    { fact: { mark } },
    { 'Idempotency-Key': idempotencyKey, 'Execution-Reference': mark },
  );
  const { id: executionId } = executed.body as { id: string };
  await eventually(async () => (await caller.get(`/logic/executions/${executionId}/proof`)).status === 200);
  const inquiry = await buildInquiry(store, own.tenantId, {
    ...{ personId: mark, externalId: mark },
    prerequisites: [{ type: 'CONSENT', url: 'https://consent.example/1' }],
  });
  const weak = { tenantId: own.tenantId, name: mark, scopes: 'pool:read', workspaces: [] };
  const { id: weakClientId } = await buildClient(store, weak);
  const policy = { effect: 'deny', subjects: [mark], roles: [], scopes: ['pool:read'] } as const;
  const { id: policyId } = await setPolicy(store, { workspaceId: scene.workspaceId }, policy);
  const measures = [{ name: mark, expression: 'result.mark', aggregate: 'count' }];
  // Its working copy gives something else.
  await scene.write(`${mark}.json`, marked(`${mark} again`));
  const compared = { decisionId, environmentId, measures };
  const { id: replayId } = await replayed(caller, { ...compared, candidate: { version: 0 } });
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const shadowId = await created('/logic/shadows', { ...compared, version: 0, sample: 0.000001, expiresAt });
  const watched = { decisionId, environmentId, measure: 'p99', window: '1h', condition: '> 1000000' };
  const monitorId = await created('/logic/monitors', { ...watched, name: mark });
  const protectedEnvironmentId = await created('/logic/environments', { name: mark });
  await protect(caller, protectedEnvironmentId);
  const changes = [
    { type: 'deploy', decisionId, version: 1 },
    { type: 'variable', name: 'MARK', value: mark },
  ];
  const asked = await caller.post('/logic/change-requests', {
    ...{ environmentId: protectedEnvironmentId, title: mark, message: mark },
    changes,
  });
  const { id: changeRequestId, digest: changeDigest } = asked.body as { id: string; digest: string };
  const erasing = await caller.post('/logic/erasures', { executionIds: ['01934f5e-7a60-7d33-8b17-2e5a9c0f4d07'] });
  const { id: erasureId } = erasing.body as { id: string };
  const callback = { url: `https://hooks.invalid/${mark}`, kinds: ['monitor.tripped'] };
  await caller.put('/logic/callback', callback);
  const cursorOf = async (list: string): Promise<string> => {
    const { page } = (await caller.get(`/logic/${list}`)).body as { page: { after: string } };
    return page.after;
  };
  return {
    name,
    mark,
    tenantId: own.tenantId,
    workspaceId: scene.workspaceId,
    client: own.client,
    token: own.token,
    caller,
    environmentId,
    decisionId,
    dependencyId,
    deploymentId,
    executionId,
    inquiryId: inquiry.id,
    prerequisiteId: inquiry.prerequisites[0]!.id,
    weakClientId,
    policyId,
    replayId,
    shadowId,
    monitorId,
    protectedEnvironmentId,
    changeRequestId,
    changeDigest,
    erasureId,
    callback,
    cursors: {
      environments: await cursorOf('environments'),
      deployments: await cursorOf('deployments'),
      decisions: await cursorOf('decisions'),
      replays: await cursorOf('replays'),
      shadows: await cursorOf('shadows'),
      monitors: await cursorOf('monitors'),
      changeRequests: await cursorOf('change-requests'),
      erasures: await cursorOf('erasures'),
    },
    idempotencyKey,
  };
}

/** The scene's workspace under another tenant, with a client of that one. */
async function movedTo(
  app: Pick<TestApp, 'baseUrl'>,
  store: Store,
  { workspaceId }: { readonly workspaceId: string },
  tenantId: string,
): Promise<Pick<World, 'tenantId' | 'client' | 'token'>> {
  const id = idToBytes(workspaceId);
  await store.database('grants').where({ workspace_id: id }).delete();
  await store
    .database('workspaces')
    .where({ id })
    .update({ tenant_id: idToBytes(tenantId) });
  const client = await buildClient(store, { tenantId, workspaces: [workspaceId] });
  return { tenantId, client, token: await tokenOf(app.baseUrl, client) };
}

/** Gives every row of a world's workspace and tenant, in every table that has either, as one text. */
export type ReadRows = (world: Pick<World, 'workspaceId' | 'tenantId'>) => Promise<string>;

/** What these tables say of progress the server itself changes, at any moment. */
const changing: readonly string[] = [
  'replay_places',
  'replay_differences',
  // Of the server's own workers; what they erase is in other tables.
  ...['jobs', 'erasures', 'erasure_executions'],
  ...['evidence_trees', 'evidence_leaves', 'evidence_nodes', 'evidence_heads'],
];
/** Written every few seconds, of executions long answered; what other tests ask of it goes by decisions of their own. */
const background: readonly string[] = ['measures'];

/** One statement for all tables, made once of the columns that they have: it is asked around every request of a matrix. */
export async function createReadRows(database: Knex): Promise<ReadRows> {
  const columns = (await database('information_schema.columns')
    .select({ table: 'table_name', column: 'column_name' })
    .whereRaw('table_schema = DATABASE()')
    .orderBy(['table_name', 'ordinal_position'])) as { table: string; column: string }[];
  const found = columns.filter(({ column }) => ['workspace_id', 'tenant_id'].includes(column));
  expect(found.length).to.be.at.least(12);
  const read = found.filter(({ table }) => ![...changing, ...background].includes(table));
  const parts = read.map(({ table, column }) => {
    const shown = columns.filter((one) => one.table === table).map((one) => one.column);
    const texts = (['replays', 'shadows', 'monitors'].includes(table) ? ['id'] : shown).map(
      // MySQL joins no bytes that are not text.
      (name) => `IFNULL(HEX(CAST(\`${name}\` AS BINARY)), 'NULL')`,
    );
    const by = table === 'workspaces' ? 'id' : column;
    return `SELECT CONCAT_WS(',', '${table}', '${column}', ${texts.join()}) AS content FROM \`${table}\` WHERE \`${by}\` = ?`;
  });
  const statement = parts.join(' UNION ALL ');
  return async ({ workspaceId, tenantId }) => {
    // Of the tenant's workspaces its own alone: each counts the writes of its decisions.
    const ids = read.map(({ table, column }) =>
      idToBytes(column === 'tenant_id' && table !== 'workspaces' ? tenantId : workspaceId),
    );
    const [rows] = (await database.raw(statement, ids)) as [{ content: string }[]];
    return rows
      .map(({ content }) => content)
      .sort()
      .join('\n');
  };
}

/** The rows of a world, once what its own requests have told of is in the outbox, and its messages to people have been sent. */
export async function readSettled(
  database: Knex,
  readRows: ReadRows,
  world: Pick<World, 'workspaceId' | 'tenantId'>,
): Promise<string> {
  const [workspace_id, tenant_id] = [idToBytes(world.workspaceId), idToBytes(world.tenantId)];
  await eventually(async () => {
    const told = database('events').where({ workspace_id }).select<object[]>('id');
    const sent = database('outbox').where({ tenant_id, state: 'pending' }).whereIn('channel', ['SMS', 'EMAIL']);
    return (await told).length + (await sent.select<object[]>('id')).length === 0;
  });
  return readRows(world);
}
