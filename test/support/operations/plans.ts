import { newId } from '../../../src/storage/ids.js';
import { calling, doubling } from '../models.js';
import { executing, executingMany, fact, placesOf } from './executing.js';
import { modelPlans } from './modelPlans.js';
import type { Named, Reach } from './reach.js';
import { accessPlans } from './accessPlans.js';
import { changePlans } from './changePlans.js';
import { replayPlans } from './replayPlans.js';
import type { World } from './world.js';

/** How an operation is asked for what belongs to a world, and every way to reach from one world into another. */
export interface Plan {
  readonly own: (world: World) => Named;
  readonly reaches: (mine: World, theirs: World) => readonly Reach[];
}

/** What plans of other operations are made with. */
export interface Makers {
  readonly byId: (idOf: (world: World) => string, wanted: Reach['wanted'], body?: object) => Plan;
  readonly listing: (list: string) => Plan;
  readonly referring: (body: (environment: World, decision: World) => object) => Plan;
}

const text = { name: 'x', deployedBy: 'x' };

const byId = (idOf: (world: World) => string, wanted: Reach['wanted'], body?: object): Plan => ({
  own: (world) => ({ params: { id: idOf(world) }, ...(body && { body }) }),
  reaches: (_mine, theirs) => [
    { what: 'their id', named: { params: { id: idOf(theirs) }, ...(body && { body }) }, wanted },
  ],
});

const listing = (list: string): Plan => ({
  own: () => ({}),
  reaches: (_mine, theirs) =>
    Object.values(theirs.cursors)
      .flatMap((cursor) => [
        { what: `after their cursor ${cursor}`, named: { query: `?after=${cursor}` }, wanted: 200 as const },
        {
          what: `before their cursor ${cursor}`,
          named: { query: `?before=${cursor}&size=5000` },
          wanted: 200 as const,
        },
      ])
      .concat({ what: `all of ${list}`, named: { query: '?size=5000' }, wanted: 200 as const }),
});

/** What refers to an environment and a decision in its body. */
const referring = (body: (environment: World, decision: World) => object): Plan => ({
  own: (world) => ({ body: body(world, world) }),
  reaches: (mine, theirs) =>
    [
      { what: 'their environment', named: { body: body(theirs, mine) } },
      { what: 'their decision', named: { body: body(mine, theirs) } },
      { what: 'both', named: { body: body(theirs, theirs) } },
    ].map((reach) => ({ ...reach, wanted: 'reference_not_found' })),
});

/** What an environment's id is named for, found in none but its own workspace. */
const inEnvironment = (wanted: Reach['wanted'], rest: Named = {}): Plan => ({
  own: ({ environmentId }) => ({ ...rest, params: { id: environmentId, ...rest.params } }),
  reaches: (_mine, { environmentId }) => [
    { what: 'their environment', named: { ...rest, params: { id: environmentId, ...rest.params } }, wanted },
  ],
});

const environmentOf = ({ environmentId }: World): string => environmentId;
const deploymentOf = ({ deploymentId }: World): string => deploymentId;
const decisionOf = ({ decisionId }: World): string => decisionId;
const keyCursor = (key: string): string => Buffer.from(key).toString('base64url');
/** Operations on versions of a decision, by numbers. */
const byVersions = (...numbers: readonly Readonly<Record<string, string>>[]): Plan => ({
  own: ({ decisionId }) => ({ params: { id: decisionId, ...numbers[0] } }),
  reaches: (_mine, { decisionId }) =>
    numbers.map((versions) => ({
      what: `their decision's ${JSON.stringify(versions)}`,
      named: { params: { id: decisionId, ...versions } },
      wanted: 'decision_not_found',
    })),
});
const references = (environment: World, decision: World): object => ({
  environmentId: environment.environmentId,
  decisionId: decision.decisionId,
});

const listingTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** By operationId. An operation of the document without a plan fails the matrix. */
export const plans: Readonly<Record<string, Plan>> = {
  createEnvironment: { own: () => ({ body: { name: 'x' } }), reaches: () => [] },
  listEnvironments: listing('environments'),
  getEnvironment: byId(environmentOf, 'environment_not_found'),
  updateEnvironment: byId(environmentOf, 'environment_not_found', { name: 'taken over' }),
  deleteEnvironment: byId(environmentOf, 204),
  listVariables: inEnvironment('environment_not_found'),
  setVariable: inEnvironment('environment_not_found', { params: { name: 'MARK' }, body: { value: 'taken over' } }),
  deleteVariable: inEnvironment(204, { params: { name: 'NONE' } }),
  getHosts: inEnvironment('environment_not_found'),
  getRetention: inEnvironment('environment_not_found'),
  setRetention: inEnvironment('environment_not_found', { body: { days: null } }),
  setHosts: inEnvironment('environment_not_found', { body: { hosts: ['taken.example'] } }),
  listExecutions: {
    own: () => ({}),
    reaches: (_mine, theirs) => [
      { what: 'their environment', named: { query: `?environmentId=${theirs.environmentId}` }, wanted: 200 },
      { what: 'their deployment', named: { query: `?deploymentId=${theirs.deploymentId}` }, wanted: 200 },
      { what: 'their decision', named: { query: `?decisionId=${theirs.decisionId}` }, wanted: 200 },
      { what: 'their reference', named: { query: `?reference=${theirs.mark}` }, wanted: 200 },
      { what: 'all', named: { query: '?size=5000&order=desc' }, wanted: 200 },
      { what: 'after their cursor', named: { query: `?after=${theirs.cursors.environments}` }, wanted: 200 },
    ],
  },
  getExecution: byId(({ executionId }) => executionId, 'execution_not_found'),
  callTools: {
    own: ({ environmentId }) => ({ params: { environmentId }, body: listingTools }),
    reaches: (_mine, { environmentId }) => [
      {
        what: 'their environment',
        named: { params: { environmentId }, body: listingTools },
        wanted: 'environment_not_found',
      },
    ],
  },
  ...replayPlans({ byId, listing, referring }),
  ...accessPlans({ byId, listing, referring }),
  ...changePlans({ byId, listing, referring }),
  getEvaluationHosts: { own: () => ({}), reaches: () => [] },
  setEvaluationHosts: { own: () => ({ body: { hosts: ['api.example'] } }), reaches: () => [] },
  explainExecution: byId(({ executionId }) => executionId, 'execution_not_found'),
  proveExecution: byId(({ executionId }) => executionId, 'execution_not_found'),
  getEvidenceCheckpoint: { own: () => ({}), reaches: () => [] },
  getEvidenceConsistency: { own: () => ({ query: '?from=0' }), reaches: () => [] },
  getPool: { own: () => ({}), reaches: () => [] },
  listAuditEntries: {
    own: () => ({}),
    reaches: (_mine, theirs) => [
      { what: 'their environment', named: { query: `?resourceId=${theirs.environmentId}` }, wanted: 200 },
      { what: 'their client', named: { query: `?principal=client:${theirs.client.id}` }, wanted: 200 },
      { what: 'all', named: { query: '?size=5000&order=desc' }, wanted: 200 },
      { what: 'after their cursor', named: { query: `?after=${theirs.cursors.environments}` }, wanted: 200 },
    ],
  },
  createDeployment: {
    ...referring((environment, decision) => ({ ...references(environment, decision), ...text, version: 1 })),
    // What was in force once may be so again, where anything else is asked for.
    own: (world) => ({ body: { ...references(world, world), ...text } }),
  },
  listDeployments: listing('deployments'),
  listRoutings: listing('deployments'),
  getDeployment: byId(deploymentOf, 'deployment_not_found'),
  updateDeployment: {
    own: (world) => ({ params: { id: world.deploymentId }, body: { name: 'x' } }),
    reaches: (mine, theirs) => [
      {
        what: 'their id',
        named: { params: { id: theirs.deploymentId }, body: { name: 'taken over' } },
        wanted: 'deployment_not_found',
      },
      ...[references(theirs, mine), references(mine, theirs), references(theirs, theirs)].map((body): Reach => ({
        what: 'mine, moved to theirs',
        named: { params: { id: mine.deploymentId }, body },
        wanted: 'reference_not_found',
      })),
    ],
  },
  deleteDeployment: byId(deploymentOf, 204),
  createDecision: {
    own: () => ({ body: { key: newId().replaceAll('-', ''), content: doubling(2) } }),
    reaches: (_mine, theirs) => [
      {
        what: 'their key',
        named: { body: { key: `${theirs.name}/${newId().replaceAll('-', '')}`, content: doubling(2) } },
        wanted: 201,
      },
      {
        what: 'their decision as a sub-decision',
        named: { body: { key: newId().replaceAll('-', ''), content: calling(theirs.decisionId) } },
        wanted: 'model_has_faults',
      },
    ],
  },
  listDecisions: {
    own: () => ({}),
    reaches: (mine, theirs) => [
      ...listing('decisions').reaches(mine, theirs),
      ...[`?prefix=${theirs.mark}`, `?key=${theirs.mark}.json`, `?order=key&after=${keyCursor(theirs.mark)}`].map(
        (query): Reach => ({ what: `their key by ${query}`, named: { query }, wanted: 200 }),
      ),
    ],
  },
  getDecision: byId(decisionOf, 'decision_not_found'),
  updateDecision: {
    own: ({ decisionId, mark }) => ({ params: { id: decisionId }, body: { key: `${mark}.json` } }),
    reaches: byId(decisionOf, 'decision_not_found', { content: doubling(3) }).reaches,
  },
  deleteDecision: byId(decisionOf, 204),
  createVersion: byId(decisionOf, 'decision_not_found', {}),
  listVersions: byId(decisionOf, 'decision_not_found'),
  getVersion: byVersions({ version: '1' }, { version: '0' }),
  getDependency: {
    own: ({ decisionId: id, dependencyId }) => ({ params: { id, version: '1', dependencyId } }),
    reaches: (mine, theirs) =>
      [
        [mine.decisionId, theirs.dependencyId],
        [theirs.decisionId, theirs.dependencyId],
        [theirs.decisionId, mine.dependencyId],
      ].flatMap(([id = '', dependencyId = '']) =>
        ['0', '1'].map((version): Reach => ({
          what: `version ${version} of ${id} and what it runs as ${dependencyId}`,
          named: { params: { id, version, dependencyId } },
          wanted: 'decision_not_found',
        })),
      ),
  },
  compareVersions: byVersions({ from: '0', to: '1' }, { from: '1', to: '1' }),
  evaluate: {
    own: ({ decisionId }) => ({ params: { decisionId }, body: { version: 1, ...fact } }),
    reaches: (_mine, { decisionId }) =>
      [0, 1].map((version) => ({
        what: `their decision's version ${version}`,
        named: { params: { decisionId }, body: { version, ...fact } },
        wanted: 'decision_not_found',
      })),
  },
  execute: {
    own: (world) => executing(world, world),
    reaches: (mine, theirs) => [
      ...placesOf(executing, mine, theirs),
      {
        what: 'their idempotency key',
        named: { ...executing(mine, mine), headers: { 'Idempotency-Key': theirs.idempotencyKey } },
        wanted: 201,
      },
      {
        what: 'both, with the same key again',
        named: { ...executing(theirs, theirs), headers: { 'Idempotency-Key': theirs.idempotencyKey } },
        wanted: 'environment_not_found',
      },
    ],
  },
  executeBatch: {
    own: (world) => executingMany(world, world),
    reaches: (mine, theirs) => placesOf(executingMany, mine, theirs),
  },
  ...modelPlans({ byId }),
  getDecisionOpenApi: {
    own: (world) => ({ params: { environmentId: world.environmentId, decisionId: world.decisionId } }),
    reaches: (mine, theirs) => [
      {
        what: 'their environment',
        named: { params: { environmentId: theirs.environmentId, decisionId: mine.decisionId } },
        wanted: 'environment_not_found',
      },
      {
        what: 'their decision',
        named: { params: { environmentId: mine.environmentId, decisionId: theirs.decisionId } },
        wanted: 'decision_not_found',
      },
    ],
  },
};

/** Operations that name nothing of a workspace: for anybody, or for a client about itself. */
export const open = [
  'listWorkspaces',
  'issueToken',
  'getKeys',
  'getEvidenceKeys',
  'getAuthorizationServer',
  'getProtectedResource',
  'getOpenApi',
  'getDocs',
  'getDocsFile',
  'getLinks',
  'getConsole',
  ...[
    ...['Decisions', 'DecisionsOne', 'DecisionsOneEdit', 'DecisionsOneCompare', 'DecisionsOneOutcomes'],
    ...['Deployments', 'Executions', 'ExecutionsOne'],
  ].map((page) => `getConsole${page}`),
  ...['EnvironmentsOne', 'Requests', 'RequestsOne', 'Audit', 'Oversight'].map((page) => `getConsole${page}`),
  ...['Replays', 'ReplaysOne', 'ShadowsOne', 'Pool', 'Access', 'File'].map((page) => `getConsole${page}`),
  'listProblems',
  'getProblem',
];
