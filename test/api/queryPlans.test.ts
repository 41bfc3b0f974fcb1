/* eslint-disable max-lines -- a table of queries, by the keys that they use */
import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrate } from '../../db/migrate.js';
import { listAuditEntries, listTenantEntries, type AuditFilter } from '../../src/audit/audit.store.js';
import { readSizes, sweepContents } from '../../src/decisions/contents.store.js';
import { listDecisionPage, listVersionPage } from '../../src/decisions/lists.js';
import { findManifest, listDependencies, listVersions, newestPrograms } from '../../src/decisions/versions.store.js';
import { deleteProgramsUsedBefore, findKeptManifest } from '../../src/decisions/programs/keptPrograms.store.js';
import { deleteDecisions, listUsing, readDecisions } from '../../src/decisions/decisions.store.js';
import { newEntry } from '../../src/decisions/decisionIndex.js';
import { deployments } from '../../src/deployments/deployments.store.js';
import { changeRoutesOfDeployment, changeRoutesOfEnvironment, Routing } from '../../src/deployments/routing.js';
import { headsAfter } from '../../src/encryption/reseal.js';
import { environments } from '../../src/environments/environments.store.js';
import { sealedVariableHistory, sealedVariables } from '../../src/environments/sealedVariable.js';
import { configurationAt, forgetVariablesReplacedBefore } from '../../src/environments/variableHistory.store.js';
import { listVariables, loadConfiguration } from '../../src/environments/variables.store.js';
import { findTenantOf, listInquiries, pageOfInquiries } from '../../src/inquiries/admin.store.js';
import { findInquiry, sealedInquiries, updateInquiry } from '../../src/inquiries/inquiries.store.js';
import { findClient, pageOfClients } from '../../src/oauth/clients.store.js';
import { findCredentials } from '../../src/oauth/credentials.store.js';
import { listLiveSecrets } from '../../src/oauth/secrets.store.js';
import { readBacklog } from '../../src/outbox/backlog.js';
import { queueEvents } from '../../src/outbox/events.js';
import { listMessages, replayMessages } from '../../src/outbox/admin.js';
import { sealedMessages } from '../../src/outbox/message.js';
import { requireBudget } from '../../src/outbox/messageBudget.js';
import { findStates, replaceNotifications } from '../../src/outbox/notifications.store.js';
import { claim, listDueQueues, purgeEnded } from '../../src/outbox/outbox.store.js';
import { recordOutcomes } from '../../src/outbox/recordOutcomes.js';
import { wasInForce } from '../../src/replays/inForce.store.js';
import { deleteSomeDifferences, pageOfDifferences, readDifferences } from '../../src/replays/differences.store.js';
import { claimJob } from '../../src/replays/jobs.store.js';
import { countRecords, measurePage, readRecords, windowBefore } from '../../src/replays/records.store.js';
import { countRunning, pageOfReplays } from '../../src/replays/replays.store.js';
import {
  countRunningShadows,
  listRunningShadows,
  pageOfShadows,
  readShadowRequests,
} from '../../src/replays/shadows.store.js';
import { notFoundReason } from '../../src/runs/notFoundReason.js';
import { findWholeExecution, pageOfExecutions, type HistoryFilter } from '../../src/runs/history.store.js';
import { countPrunable, pruneHistory } from '../../src/runs/prune.js';
import { takeKnownKeys } from '../../src/runs/batches/itemKeys.store.js';
import { createIdempotency, executionKeys } from '../../src/runs/idempotency.js';
import { idToBytes } from '../../src/storage/ids.js';
import { findGrant, grantsOf } from '../../src/workspaces/grants.store.js';
import { listPolicies, pageOfPolicies } from '../../src/workspaces/policies.store.js';
import { pageOfTenant } from '../../src/workspaces/workspaces.store.js';
import { openStore, type Store } from '../support/factories.js';
import { id, planOf, seedTables, type PlanStep } from '../support/queryPlans.js';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testConfig } from '../support/settings.js';

interface Case {
  readonly run: () => unknown;
  /** Which keys each table of the query may be read by. */
  readonly keys: Readonly<Record<string, string | readonly string[]>>;
  /** Sorts what it has found, since that is few: queues, not messages; one environment's variables. */
  readonly sorts?: true;
}

describe('plans of queries, on tables of 10,000 rows', () => {
  let scratch: ScratchDatabase;
  let store: Store;
  let database: Knex;
  before(async () => {
    scratch = await scratchDatabase(testConfig().databaseUrl);
    await migrate(scratch.url);
    store = openStore({ DATABASE_URL: scratch.url });
    ({ database } = store);
    await seedTables(database);
  });
  after(async () => {
    await store.close();
    await scratch.drop();
  });

  const workspaceId = id(1);
  const tenantId = id(1);
  const page = { size: 50, after: null, before: null };
  const middle = idToBytes(id(5000));
  const older = { size: 50, olderThan: id(5000) };
  const newest = { size: 50, olderThan: undefined };
  const pair = { workspaceId, environmentId: id(5001), decisionId: id(5001) };
  const place = { workspaceId, environmentId: id(5001) };
  const inquiry = { tenantId, id: id(5001) };
  const queue = { tenantId, channel: 'WEBHOOK' } as const;
  const message = { ...queue, id: id(9001), inquiryId: id(9001), content: Buffer.alloc(0), attempts: 1, fence: 0 };
  const replay = { workspaceId, id: id(1) };
  const unfiltered = { status: undefined, version: undefined, from: undefined };
  const scope = { workspaceId, decisionId: id(4997), environmentId: id(4997), ...unfiltered };
  const early = new Date(0x1000);
  const inTransaction = (work: (transaction: Knex.Transaction) => Promise<unknown>): Promise<unknown> =>
    database.transaction(work);

  const cases: Record<string, Case> = {
    'the first page of environments': {
      run: () => environments.list(database, workspaceId, page),
      keys: { environments: 'environments_workspace' },
    },
    'a page of environments after a cursor': {
      run: () => environments.list(database, workspaceId, { ...page, after: middle }),
      keys: { environments: 'environments_workspace' },
    },
    'a page of environments before a cursor': {
      run: () => environments.list(database, workspaceId, { ...page, before: middle }),
      keys: { environments: 'environments_workspace' },
    },
    'the first page of deployments': {
      run: () => deployments.list(database, workspaceId, page),
      keys: { deployments: 'deployments_workspace' },
    },
    'a page of deployments after a cursor': {
      run: () => deployments.list(database, workspaceId, { ...page, after: middle }),
      keys: { deployments: 'deployments_workspace' },
    },
    'a page of deployments before a cursor': {
      run: () => deployments.list(database, workspaceId, { ...page, before: middle }),
      keys: { deployments: 'deployments_workspace' },
    },
    'the first page of replays': {
      run: () => pageOfReplays(database, workspaceId, page),
      keys: { replays: 'replays_workspace' },
    },
    'a page of replays after a cursor': {
      run: () => pageOfReplays(database, workspaceId, { ...page, after: middle }),
      keys: { replays: 'replays_workspace' },
    },
    'replays that run in a workspace': {
      run: () => inTransaction((transaction) => countRunning(transaction, workspaceId)),
      keys: { replays: 'replays_status', workspaces: 'PRIMARY' },
    },
    'a replay that is due': {
      run: () => claimJob(database, 1000),
      keys: { replays: ['replays_due', 'replays_workspace', 'PRIMARY'] },
    },
    'the first page of differences': {
      run: () => pageOfDifferences(database, replay, undefined, page),
      keys: { replay_differences: 'PRIMARY' },
    },
    'a page of differences by place, after a cursor': {
      run: () => pageOfDifferences(database, replay, '/0', { ...page, after: middle }),
      keys: { replay_places: 'PRIMARY' },
    },
    'some differences of a page': {
      run: () => readDifferences(database, replay, [idToBytes(id(4999)), middle]).next(),
      keys: { replay_differences: 'PRIMARY' },
    },
    'differences to be deleted': {
      run: () => deleteSomeDifferences(database, replay),
      keys: { replay_places: 'PRIMARY' },
    },
    'executions to be replayed': {
      run: async () => {
        const window = (await windowBefore(database, scope, middle)) ?? { low: middle, high: middle };
        await countRecords(database, scope, middle, 100);
        await measurePage(database, scope, window, { records: 64, bytes: 1 });
        await readRecords(database, scope, window, 64);
      },
      keys: { executions: 'executions_decision' },
    },
    'the first page of shadows': {
      run: () => pageOfShadows(database, workspaceId, page),
      keys: { shadows: 'shadows_workspace' },
    },
    'shadows that run': { run: () => listRunningShadows(database, 100), keys: { shadows: 'shadows_running' } },
    'what shadows were asked for': {
      run: () => readShadowRequests(database, [id(1), id(2)]),
      keys: { shadows: 'PRIMARY' },
    },
    'whether a version was in force': {
      run: () => wasInForce(database, pair, 1),
      keys: { routings: 'routings_version' },
    },
    'whether the working copy is in force': {
      run: () => wasInForce(database, pair, 0),
      keys: { routings: 'routings_pair' },
    },
    'shadows that run in a workspace': {
      run: () => inTransaction((transaction) => countRunningShadows(transaction, workspaceId)),
      keys: { shadows: ['shadows_running', 'shadows_workspace'], workspaces: 'PRIMARY' },
    },
    'one execution': {
      run: () => findWholeExecution(database, workspaceId, id(5001)),
      keys: { executions: ['PRIMARY', 'executions_workspace'] },
    },
    'old executions and evaluations': {
      run: () => countPrunable(database, { before: early, workspaceId: undefined }),
      keys: { executions: 'PRIMARY', evaluations: 'PRIMARY' },
    },
    'old executions and evaluations, to be deleted': {
      run: () => pruneHistory(store, { before: early, workspaceId: undefined }, () => undefined),
      keys: { executions: 'PRIMARY', evaluations: 'PRIMARY' },
    },
    'old executions and evaluations of a workspace, to be deleted': {
      run: () => pruneHistory(store, { before: early, workspaceId }, () => undefined),
      keys: { executions: 'executions_workspace', evaluations: 'evaluations_decision' },
    },
    ...Object.fromEntries(
      [{}, { after: middle }, { before: middle }, { order: 'desc' } as const].map((more) => [
        `decisions by id, ${JSON.stringify(Object.keys(more))}`,
        {
          run: () => listDecisionPage(database, workspaceId, { by: 'id', ...page, ...more }),
          keys: { decisions: 'decisions_workspace', workspaces: 'PRIMARY' },
        },
      ]),
    ),
    ...Object.fromEntries(
      [
        {},
        { prefix: 'k1' },
        { prefix: 'k1', after: 'k15' },
        { prefix: 'k1', before: 'k15' },
        { prefix: 'k1', order: 'desc', after: 'k15' } as const,
        { key: 'k1' },
      ].map((more) => [
        `decisions by key, ${JSON.stringify(more)}`,
        {
          run: () => {
            const request = { by: 'key', key: undefined, prefix: undefined, ...page, ...more } as const;
            return listDecisionPage(database, workspaceId, request);
          },
          keys: { decisions: 'decisions_key', workspaces: 'PRIMARY' },
        },
      ]),
    ),
    'who uses names like a key': {
      run: () => listUsing(database, workspaceId, ['shop/k5001.json']).next(),
      keys: { d: 'decisions_workspace', c: 'PRIMARY' },
    },
    'decisions by keys and ids': {
      run: () => readDecisions(database, workspaceId, { keys: ['k1', 'k2'], ids: [id(5001)] }),
      keys: { decisions: ['decisions_key', 'PRIMARY', 'decisions_workspace'] },
    },
    'sizes of contents': {
      run: () => readSizes(database, ['00'.repeat(32), '01'.repeat(32)]),
      keys: { contents: 'PRIMARY' },
    },
    'a page of versions': {
      run: () => listVersionPage(database, { workspaceId, decisionId: id(5001) }, { ...page, after: 0 }),
      keys: { versions: ['PRIMARY', 'versions_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    },
    'what a version pins': {
      run: () => listDependencies(database, workspaceId, id(5001), 1),
      keys: { version_dependencies: 'PRIMARY' },
    },
    'a decision to be deleted': {
      run: () => inTransaction((transaction) => deleteDecisions(transaction, workspaceId, [entry(5001)])),
      keys: { versions: ['PRIMARY', 'versions_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    },
    'versions of a decision': {
      run: () => listVersions(database, workspaceId, id(5001)),
      keys: { versions: ['PRIMARY', 'versions_workspace'] },
    },
    'one version': {
      run: () => findManifest(database, workspaceId, id(5001), 1),
      keys: { versions: 'PRIMARY' },
    },
    'the newest versions of several decisions': {
      run: () => newestPrograms(database, workspaceId, [5001, 5005, 5009].map(entry)),
      keys: { versions: ['PRIMARY', 'versions_workspace'] },
    },
    'the routing in force': {
      run: () => new Routing({ database, cache: null, maxAgeMs: 1000 }).routeOf(pair),
      keys: { h: 'PRIMARY', r: 'PRIMARY', n: 'routings_pair' },
    },
    'the routings of a deployment': {
      run: () => inTransaction((transaction) => changeRoutesOfDeployment(transaction, workspaceId, id(5001))),
      keys: { routings: 'routings_deployment', h: 'PRIMARY', r: 'PRIMARY', n: 'routings_pair' },
      sorts: true,
    },
    'the pairs of an environment': {
      run: () => inTransaction((transaction) => changeRoutesOfEnvironment(transaction, workspaceId, id(5001))),
      keys: {
        routing_heads: 'PRIMARY',
        d: 'deployments_environment',
        r: ['routings_deployment', 'PRIMARY'],
        h: 'PRIMARY',
        n: 'routings_pair',
      },
      sorts: true,
    },
    'why a pair has no routing': {
      run: () => notFoundReason(database, pair),
      keys: { environments: ['PRIMARY', 'environments_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    },
    'an environment, to be changed': {
      run: () =>
        inTransaction(async (transaction) => {
          await environments.find(transaction, { workspaceId, id: id(5001) }, true);
          await environments.update(transaction, { workspaceId, id: id(5001) }, { name: 'x' });
        }),
      keys: { environments: ['PRIMARY', 'environments_workspace'] },
    },
    'the configuration of an environment': {
      run: () => loadConfiguration(store, workspaceId, id(501)),
      keys: { e: ['PRIMARY', 'environments_workspace'], v: ['PRIMARY', 'variables_workspace'] },
      sorts: true,
    },
    'a configuration of the past': {
      run: () => configurationAt(store, { ...place, environmentId: id(501) }, 5004),
      keys: {
        variables: ['PRIMARY', 'variables_workspace'],
        variable_history: 'PRIMARY',
        environments: ['PRIMARY', 'environments_workspace'],
      },
    },
    'values of variables that no record needs': {
      run: () =>
        inTransaction((transaction) =>
          forgetVariablesReplacedBefore(transaction, { ...place, environmentId: id(501) }, new Date()),
        ),
      keys: {
        variable_history: ['variable_history_age', 'PRIMARY'],
        environments: ['PRIMARY', 'environments_workspace'],
      },
    },
    'the program of a working copy': {
      run: () => findKeptManifest(database, workspaceId, `${'00'.repeat(31)}01`),
      keys: { kept_programs: 'PRIMARY' },
    },
    'programs that no record needs': {
      run: () => deleteProgramsUsedBefore(database, workspaceId, early),
      keys: { kept_programs: 'kept_programs_age' },
    },
    'contents that nothing names': {
      run: () => sweepContents(database),
      keys: {
        contents: 'PRIMARY',
        decisions: 'decisions_content',
        versions: 'versions_content',
        version_dependencies: 'version_dependencies_content',
        kept_program_contents: 'kept_program_contents_content',
      },
    },
    'the variables of an environment': {
      run: () => listVariables(store, { ...place, environmentId: id(9) }),
      keys: { environments: ['PRIMARY', 'environments_workspace'], variables: ['PRIMARY', 'variables_workspace'] },
    },
    'an idempotency key that was used': {
      async run() {
        const idempotency = createIdempotency({ ...store, leaseMs: () => 60_000 });
        const request = { workspaceId, principal: 'a', key: 'k', path: '/', body: '{}' };
        await idempotency.begin(request);
        await idempotency.begin(request);
      },
      keys: { idempotency_keys: 'PRIMARY' },
    },
    'keys of items, used and stale': {
      run: () =>
        takeKnownKeys(
          database,
          id(4),
          // The last one is past its time.
          [4, 8, 100].map((number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')),
        ),
      keys: { k: 'PRIMARY', e: ['PRIMARY', 'executions_workspace'], idempotency_keys: 'PRIMARY' },
    },
    'expired idempotency keys': {
      async run() {
        const idempotency = createIdempotency({ ...store, leaseMs: () => 60_000 });
        for (let count = 0; count < 100; count++) {
          await idempotency.begin({ workspaceId, principal: 'a', key: `k${count}`, path: '/', body: '{}' });
        }
      },
      keys: { idempotency_keys: 'idempotency_keys_expiry' },
    },
    'a client and its secrets': {
      async run() {
        await findClient(database, id(5001));
        await listLiveSecrets(database, id(5001), new Date());
      },
      keys: { clients: 'PRIMARY', client_secrets: 'client_secrets_client' },
    },
    'credentials of several clients': {
      run: () => findCredentials(database, [5001, 5002, 9_999_999].map(id)),
      keys: { clients: 'PRIMARY', client_secrets: 'client_secrets_client' },
    },
    'grants of a client': {
      run: () => findGrant(database, { tenantId, clientId: id(5001), workspaceId: id(5001) }),
      keys: { g: ['PRIMARY', 'grants_client', 'grants_workspace'], w: ['PRIMARY', 'workspaces_tenant'] },
    },
    'policies of a workspace': {
      run: () => listPolicies(database, workspaceId),
      keys: { policies: 'policies_workspace' },
    },
    'an inquiry': {
      run: () => findInquiry({ ...store, connection: database }, inquiry),
      keys: { i: 'PRIMARY', p: 'prerequisites_inquiry', c: 'PRIMARY' },
    },
    'an inquiry, to be changed': {
      async run() {
        const fields = { externalId: 'x' };
        await updateInquiry({ ...store, connection: database }, inquiry, {
          fields,
          revision: 2,
          updatedAt: new Date(),
        });
        await findInquiry({ ...store, connection: database }, inquiry, 'lockNowait');
      },
      keys: { inquiries: 'PRIMARY', i: 'PRIMARY', p: 'prerequisites_inquiry', c: 'PRIMARY' },
    },
    'the newest inquiries of a tenant': {
      run: () => listInquiries(database, tenantId, older),
      keys: { inquiries: 'PRIMARY' },
    },
    'a page of inquiries': {
      run: () => pageOfInquiries(database, tenantId, {}, page),
      keys: { inquiries: ['PRIMARY', 'inquiries_completed'] },
    },
    'a page of inquiries of an external id': {
      run: () => pageOfInquiries(database, tenantId, { externalId: 'e', completed: true }, page),
      keys: { inquiries: ['inquiries_external', 'inquiries_completed'] },
    },
    'a page of inquiries that are complete': {
      run: () => pageOfInquiries(database, tenantId, { completed: true }, page),
      keys: { inquiries: 'inquiries_completed' },
    },
    "a page of a tenant's clients": {
      run: () => pageOfClients(database, tenantId, page),
      keys: { clients: ['clients_tenant', 'PRIMARY'] },
    },
    'the grants of some clients': {
      run: () => grantsOf(database, tenantId, [id(1), id(5)]),
      keys: { grants: ['grants_client', 'PRIMARY'] },
      sorts: true,
    },
    "a page of a tenant's workspaces": {
      run: () => pageOfTenant(database, tenantId, page),
      keys: { workspaces: ['workspaces_tenant', 'PRIMARY'] },
    },
    "a page of a workspace's policies": {
      run: () => pageOfPolicies(database, workspaceId, page),
      keys: { policies: ['policies_workspace', 'PRIMARY'] },
    },
    'states of notifications': {
      run: () => findStates(database, tenantId, [id(5001), id(5005)]),
      keys: { outbox: ['PRIMARY', 'outbox_tenant'] },
    },
    'notifications that are replaced': {
      run: () => inTransaction((transaction) => replaceNotifications(transaction, tenantId, [id(5001), id(5005)])),
      keys: { outbox: ['PRIMARY', 'outbox_tenant'] },
    },
    'a tenant’s notifications of the last minute': {
      run: () => inTransaction((transaction) => requireBudget(transaction, { tenantId, count: 5, maxPerMinute: 1 })),
      keys: { tenants: 'PRIMARY', outbox: 'outbox_created' },
    },
    'messages of an inquiry': {
      run: () => listMessages(database, { tenantId, inquiryId: id(5001) }, newest),
      keys: { outbox: 'outbox_inquiry' },
    },
    'whose an inquiry is': {
      run: () => findTenantOf(database, id(5001)),
      keys: { inquiries: 'inquiries_id' },
    },
    'external ids for events': {
      run: () =>
        queueEvents({ ...store, connection: database }, [
          {
            type: 'notification.delivered',
            tenantId,
            inquiryId: id(5001),
            notification: { id: id(1), type: 'SMS' },
          },
        ]),
      keys: { inquiries: 'PRIMARY', i: 'inquiries_id', c: 'PRIMARY' },
    },
    'queues with a message that is due': {
      run: () => listDueQueues(database),
      keys: { outbox: 'outbox_due' },
      sorts: true,
    },
    'a claim': {
      run: () => claim(database, queue, { limit: 20, leaseMs: 1000 }),
      keys: { outbox: ['outbox_due', 'PRIMARY'] },
    },
    'what came of messages': {
      run: () => recordOutcomes(store, [{ message, outcome: { kind: 'delivered' } }], 1000),
      keys: { outbox: 'PRIMARY' },
    },
    'messages of long ago that need no sending': {
      run: () => purgeEnded(database, new Date(1)),
      keys: { outbox: ['outbox_ended', 'outbox_state', 'PRIMARY'] },
    },
    'the backlog': { run: () => readBacklog(database), keys: { outbox: 'outbox_state' } },
    'the newest messages': {
      run: () => listMessages(database, {}, newest),
      keys: { outbox: 'PRIMARY' },
    },
    'a tenant’s messages before one': {
      run: () => listMessages(database, { tenantId: id(4) }, older),
      keys: { outbox: 'outbox_tenant' },
    },
    'dead letters': {
      run: () => listMessages(database, { state: 'dead' }, older),
      keys: { outbox: 'outbox_state' },
    },
    'dead letters to be replayed': {
      run: () => replayMessages(store, { state: 'dead' }, () => undefined),
      keys: { outbox: ['outbox_state', 'PRIMARY'] },
    },
  };

  const asked = { ...page, order: 'desc' } as const;
  const entries: Record<string, [filter: AuditFilter, key: string]> = {
    none: [{}, 'audit_entries_workspace'],
    time: [{ from: new Date(0), to: new Date() }, 'audit_entries_workspace'],
    'type of resource': [{ resourceType: 'environment' }, 'audit_entries_type'],
    resource: [{ resourceId: id(5001) }, 'audit_entries_resource'],
    principal: [{ principal: 'p' }, 'audit_entries_principal'],
    action: [{ action: 'environment.create' }, 'audit_entries_action'],
    everything: [
      {
        resourceType: 'environment',
        resourceId: id(5001),
        principal: 'p',
        action: 'environment.create',
        from: new Date(0),
      },
      'audit_entries_resource',
    ],
  };
  for (const [by, [filter, key]] of Object.entries(entries)) {
    for (const [where, request] of Object.entries({ first: asked, next: { ...asked, after: middle } })) {
      cases[`the ${where} page of audit entries by ${by}`] = {
        run: () => listAuditEntries(database, workspaceId, filter, request),
        // All of the workspace are counted, by any index that begins with it: MySQL takes another one than MariaDB.
        keys: { audit_entries: [key, 'audit_entries_workspace', 'audit_entries_principal'] },
      };
    }
  }
  for (const [by, [filter, key]] of Object.entries(entries)) {
    for (const [where, request] of Object.entries({ newest, next: older })) {
      cases[`the ${where} entries of no workspace by ${by}`] = {
        run: () => listTenantEntries(database, filter, request),
        keys: { audit_entries: [key, 'audit_entries_workspace'] },
      };
    }
  }

  const executions: Record<string, [filter: HistoryFilter, key: string]> = {
    none: [{}, 'executions_workspace'],
    time: [{ from: new Date(0), to: new Date() }, 'executions_workspace'],
    environment: [{ environmentId: id(5001) }, 'executions_environment'],
    deployment: [{ deploymentId: id(5001) }, 'executions_deployment'],
    decision: [{ decisionId: id(5001) }, 'executions_decision'],
    version: [{ version: 1 }, 'executions_version'],
    status: [{ status: 'FAILED' }, 'executions_status'],
    reference: [{ reference: 'r5001' }, 'executions_reference'],
    request: [{ requestId: id(5001) }, 'executions_request'],
    everything: [
      {
        ...{ environmentId: id(5001), deploymentId: id(5001), decisionId: id(5001), requestId: id(5001) },
        ...{ version: 1, status: 'COMPLETED', reference: 'r5001', from: new Date(0) },
      },
      'executions_request',
    ],
  };
  for (const [by, [filter, key]] of Object.entries(executions)) {
    for (const [where, request] of Object.entries({ first: asked, next: { ...asked, after: middle } })) {
      cases[`the ${where} page of the history by ${by}`] = {
        run: () => pageOfExecutions(database, workspaceId, filter, request),
        keys: { executions: key },
      };
    }
  }

  // Of those that grow.
  const sealed = [sealedVariables, sealedVariableHistory, sealedInquiries, sealedMessages, executionKeys.sealed];
  const last = {
    ...{ id: middle, tenant_id: idToBytes(tenantId), environment_id: middle, name: 'V5001' },
    ...{ workspace_id: idToBytes(workspaceId), digest: Buffer.alloc(32), until_revision: 1, from_revision: 0 },
  };
  for (const table of sealed) {
    cases[`what is sealed in ${table.table}, page by page`] = {
      run: () => headsAfter(database, table, last),
      keys: { [table.table]: 'PRIMARY' },
    };
  }

  for (const [what, { run, keys, sorts }] of Object.entries(cases)) {
    it(`${what}: by key`, async () => {
      const steps = await explained(database, run);
      const text = steps.map((step) => JSON.stringify(step)).join('\n');
      const seen = new Set(steps.map(({ table }) => table));
      for (const table of Object.keys(keys)) expect(seen, text).to.include(table);
      for (const { table, type, key, Extra } of steps) {
        if (table === null || table.startsWith('<')) continue;
        expect([keys[table]].flat(), text).to.include(key);
        // `index` reads a whole index; with a limit it ends early, which only the newest of all messages do.
        expect(type, text).to.not.equal('ALL');
        if (what !== 'the newest messages') expect(type, text).to.not.equal('index');
        if (sorts === undefined) expect(Extra ?? '', text).to.not.match(/filesort|temporary/);
      }
    });
  }
});

const entry = (number: number): Parameters<typeof newestPrograms>[2][number] => ({
  ...newEntry(`k${number}`, '00'.repeat(32)),
  id: id(number),
  latestVersion: 1,
});

/** The plans of every statement that `run` sends, but for plain INSERTs. */
async function explained(database: Knex, run: () => unknown): Promise<PlanStep[]> {
  const sent: { sql: string; bindings: Knex.Value[] }[] = [];
  const listen = (query: { sql: string; bindings: Knex.Value[] }): void => void sent.push(query);
  database.on('query', listen);
  // The rows hold nothing sealed, so some are refused once they are read; what was sent is what counts here.
  await Promise.resolve(run()).catch(() => undefined);
  database.off('query', listen);
  const different = [...new Map(sent.map((query) => [query.sql, query])).values()];
  const steps: PlanStep[] = [];
  for (const { sql, bindings } of different) {
    if (!/^\s*(select|update|delete)/i.test(sql)) continue;
    steps.push(...(await planOf(database, sql, bindings)));
  }
  return steps;
}
