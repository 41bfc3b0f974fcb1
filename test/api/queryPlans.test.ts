/* eslint-disable max-lines -- a table of queries, by the keys that they use */
import { expect } from 'chai';
import type { Knex } from 'knex';
import { listAuditEntries, listTenantEntries } from '../../src/audit/audit.store.js';
import { resourcesAbout, type AuditFilter } from '../../src/audit/filter.js';
import { readSizes, sweepContents } from '../../src/decisions/contents.store.js';
import { listDecisionPage, listVersionPage } from '../../src/decisions/decisionLists.js';
import { findManifest, listDependencies, newestPrograms } from '../../src/decisions/versions.store.js';
import { deleteProgramsUsedBefore, findKeptManifest } from '../../src/decisions/programs/keptPrograms.store.js';
import { deleteDecisions, listUsing, readDecisions } from '../../src/decisions/decisions.store.js';
import { newEntry } from '../../src/decisions/decisionIndex.js';
import { deployments } from '../../src/deployments/deployments.store.js';
import { changeRoutesOfDeployment, changeRoutesOfEnvironment, Routing } from '../../src/deployments/routing.js';
import { listRoutings } from '../../src/deployments/routings.store.js';
import { headsAfter } from '../../src/encryption/reseal.js';
import { environments } from '../../src/environments/environments.store.js';
import { sealedVariableHistory, sealedVariables } from '../../src/environments/sealedVariable.js';
import { configurationAt, forgetVariablesReplacedBefore } from '../../src/environments/variableHistory.store.js';
import { loadConfiguration, pageOfVariables } from '../../src/environments/variables.store.js';
import { findTenantOf, pageOfInquiries } from '../../src/inquiries/admin.store.js';
import { findInquiry, sealedInquiries, updateInquiry } from '../../src/inquiries/inquiries.store.js';
import { clients, findClient } from '../../src/oauth/clients.store.js';
import { findCredentials } from '../../src/oauth/credentials.store.js';
import { listLiveSecrets } from '../../src/oauth/secrets.store.js';
import { readBacklog } from '../../src/outbox/backlog.js';
import { queueNotificationEvents } from '../../src/outbox/events.js';
import { listMessages, replayMessages } from '../../src/outbox/admin.js';
import { sealedMessages } from '../../src/outbox/message.js';
import { requireBudget } from '../../src/outbox/messageBudget.js';
import { findStates, replaceNotifications } from '../../src/outbox/notifications.store.js';
import { purgeEnded, readMessages } from '../../src/outbox/outbox.store.js';
import { recordOutcomes } from '../../src/outbox/recordOutcomes.js';
import { endJobs, renewJob, requireHeld } from '../../src/jobs/jobs.store.js';
import { ownerOverKinds, JobTurns } from '../../src/jobs/turns.js';
import { Counter, Source } from '../../src/measures/counter.js';
import { addMeasures, readMeasured, readParts, sizesOfParts } from '../../src/measures/measures.store.js';
import { pageOfProtections } from '../../src/protections/protections.store.js';
import { monitors } from '../../src/measures/monitors/monitors.store.js';
import { wasInForce } from '../../src/replays/inForce.store.js';
import { deleteSomeDifferences, pageOfDifferences, readDifferences } from '../../src/replays/differences.store.js';
import { eraseCounts, eraseDifferences, keptWithoutRecord } from '../../src/replays/erase.store.js';
import { latestOutcomes, valuesAt } from '../../src/replays/outcomes/outcomes.store.js';
import { countRecords, measurePage, readRecords, idsBefore } from '../../src/replays/records.store.js';
import { replays, running as runningReplays } from '../../src/replays/replays.store.js';
import {
  listRunningShadows,
  readShadowRequests,
  running as runningShadows,
  shadows,
} from '../../src/replays/shadows.store.js';
import { countHeld } from '../../src/resource/write.js';
import { notFoundReason } from '../../src/runs/notFoundReason.js';
import { eraseExecutions } from '../../src/runs/erase.store.js';
import { findWholeExecution, pageOfExecutions, type HistoryFilter } from '../../src/runs/history.store.js';
import { countPrunable, pruneHistory } from '../../src/runs/prune.js';
import { takeUsedKeys } from '../../src/runs/batches/itemKeys.store.js';
import { createIdempotency, executionKeys } from '../../src/runs/idempotency.js';
import { idToBytes } from '../../src/storage/ids.js';
import { findGrant, grantsOf } from '../../src/workspaces/grants.store.js';
import { listPolicies, listPoliciesNaming, policies } from '../../src/workspaces/policies.store.js';
import { workspaces } from '../../src/workspaces/workspaces.store.js';
import { type Store, openScratchStore } from '../support/factories.js';
import { id, planOf, seedTables, type PlanStep } from '../support/queryPlans.js';

/**
 * A query, which keys each of its tables may be read by, and whether it sorts what it has found, since that is few: queues,
 * not messages; one environment's variables.
 */
type Case = readonly [run: () => unknown, keys: Readonly<Record<string, string | readonly string[]>>, sorts?: 'sorts'];

describe('plans of queries, on tables of 10,000 rows', () => {
  let store: Store;
  let database: Knex;
  before(async () => {
    store = await openScratchStore();
    ({ database } = store);
    await seedTables(database);
  });
  after(() => store.close());

  const workspaceId = id(1);
  const tenantId = id(1);
  const page = { size: 50, after: null, before: null };
  const middle = idToBytes(id(5000));
  const older = { size: 50, olderThan: id(5000) };
  const newest = { size: 50, olderThan: undefined };
  const part = {
    hour: new Date(Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000),
    environment_id: middle,
    version: 1,
    part_id: middle,
  };
  const measuresOf = {
    workspaceId,
    decisionId: id(1),
    environmentId: undefined,
    from: new Date(Date.now() - 86_400_000),
    to: new Date(),
  };
  const additions = [4997, 5001].map((n) => {
    const counter = new Counter({ workspaceId, decisionId: id(n), environmentId: id(n), version: 1 }, 0, new Source());
    counter.begin([]);
    return counter.take();
  });
  const erased = [4997, 5001].map((n) => ({ id: id(n), decisionId: 'none', environmentId: 'none', result: undefined }));
  const pair = { workspaceId, environmentId: id(5001), decisionId: id(5001) };
  const ref = { workspaceId, environmentId: id(5001) };
  const inquiry = { tenantId, id: id(5001) };
  const replay = { workspaceId, id: id(1) };
  const job = { kind: 'replay', id: id(4997), tenantId, workspaceId, attempts: 1, reason: null, fence: 0 } as const;
  const sent = { ...job, kind: 'WEBHOOK', channel: 'WEBHOOK', id: id(9001) } as const;
  const message = { ...sent, inquiryId: id(9001), content: Buffer.alloc(0), isReplaced: false };
  const unfiltered = { status: undefined, version: undefined, from: undefined };
  const scope = { workspaceId, decisionId: id(4997), environmentId: id(4997), ...unfiltered };
  const early = new Date(0x1000);
  const inTransaction = (work: (transaction: Knex.Transaction) => Promise<unknown>): Promise<unknown> =>
    database.transaction(work);

  const byRoute = {
    // Of many routes, the next executions of the workspace are looked through first.
    executions: ['executions_route', 'executions_workspace'],
    execution_routes: ['deployment', 'environment', 'decision'].map((name) => `execution_routes_${name}`),
  };
  /** Records that were found, and what they name by number. */
  const fetched: Case[1] = { e: ['PRIMARY', 'executions_workspace'], r: 'PRIMARY', s: 'PRIMARY' };

  const cases: Record<string, Case> = {
    ...Object.fromEntries(
      [page, { ...page, after: middle }, { ...page, before: middle }].flatMap((at): [string, Case][] => [
        [
          `environments, ${JSON.stringify(at)}`,
          [() => environments.list(database, workspaceId, at), { environments: 'environments_workspace' }],
        ],
        [
          `deployments, ${JSON.stringify(at)}`,
          [() => deployments.list(database, workspaceId, at), { deployments: 'deployments_workspace' }],
        ],
      ]),
    ),
    'the latest outcomes of some executions': [
      () => latestOutcomes(database, workspaceId, [{ reference: 'r5' }, { executionId: id(7) }], ['n1', 'n2']),
      { outcomes: 'PRIMARY', o: 'PRIMARY' },
      'sorts',
    ],
    'the values that outcomes have at a time': [
      () =>
        valuesAt(
          database,
          workspaceId,
          ['r5', 'r6', 'r7'].map((reference) => ({
            subject: { reference },
            name: 'n1',
            value: '1',
            at: new Date(5000),
          })),
        ),
      { outcomes: 'PRIMARY' },
    ],
    'the first page of protections': [
      () => pageOfProtections(database, workspaceId, page),
      { protections: 'protections_workspace' },
    ],
    'the first page of monitors': [
      () => monitors.list(database, workspaceId, page),
      { monitors: 'monitors_workspace' },
    ],
    'a job that is due': [
      () =>
        new JobTurns(database, ['check', 'erasure', 'monitor', 'replay'], ownerOverKinds).claim({
          leaseMs: 1000,
          room: () => 1,
        }),
      { jobs: ['jobs_turn', 'PRIMARY'] },
    ],
    'jobs that are held, begun anew and ended': [
      () =>
        inTransaction(async (transaction) => {
          await requireHeld(transaction, job);
          await renewJob(transaction, job, 1000);
          await endJobs(transaction, 'replay', [id(4997), id(5001)]);
        }),
      { jobs: 'PRIMARY' },
    ],
    'a day of measures of a decision': [
      () => readParts(database, measuresOf, { first: part, last: part, withFields: true }),
      { measures: 'PRIMARY' },
    ],
    'how long a day of measures is': [
      () => sizesOfParts(database, measuresOf, { after: part, withFields: true, most: 10 }),
      { measures: 'PRIMARY' },
    ],
    'an addition to measures': [
      () => inTransaction((transaction) => addMeasures(transaction, additions)),
      { measures: 'PRIMARY' },
    ],
    'executions to be erased, with the answers of their requests': [
      () => inTransaction((transaction) => eraseExecutions(transaction, workspaceId, [id(4997), id(5001)])),
      { executions: ['PRIMARY', 'executions_workspace'], idempotency_keys: 'idempotency_keys_execution' },
    ],
    'what replays and shadows kept of executions': [
      async () => {
        await eraseCounts(database, { workspaceId, executions: erased, hold: () => Promise.resolve() });
        await inTransaction((transaction) =>
          eraseDifferences(
            transaction,
            workspaceId,
            erased.map((one) => one.id),
          ),
        );
      },
      {
        replay_differences: ['replay_differences_execution', 'PRIMARY'],
        replay_places: 'PRIMARY',
        replays: ['replays_workspace', 'replays_status', 'PRIMARY'],
        shadows: ['shadows_workspace', 'PRIMARY'],
      },
    ],
    'what replays kept of executions without a record': [
      () => keptWithoutRecord(database, { workspaceId, reference: 'r5001' }, 50),
      { d: 'replay_differences_reference', e: ['PRIMARY', 'executions_workspace'] },
    ],
    'which fields of decisions are measured': [
      () =>
        readMeasured(
          database,
          [1, 2, 3].map((n) => ({ workspaceId: id(((n - 1) % 4) + 1), decisionId: id(n) })),
        ),
      { measured_fields: 'PRIMARY' },
    ],
    'the first page of replays': [() => replays.list(database, workspaceId, page), { replays: 'replays_workspace' }],
    'a page of replays after a cursor': [
      () => replays.list(database, workspaceId, { ...page, after: middle }),
      { replays: 'replays_workspace' },
    ],
    'replays that run in a workspace': [
      () => inTransaction((transaction) => countHeld(transaction, workspaceId, runningReplays(transaction))),
      { replays: 'replays_status', workspaces: 'PRIMARY' },
    ],
    'the first page of differences': [
      () => pageOfDifferences(database, replay, undefined, page),
      { replay_differences: 'PRIMARY' },
    ],
    'a page of differences by place, after a cursor': [
      () => pageOfDifferences(database, replay, '/0', { ...page, after: middle }),
      { replay_places: 'PRIMARY' },
    ],
    'some differences of a page': [
      () => readDifferences(database, replay, [idToBytes(id(4999)), middle]).next(),
      { replay_differences: 'PRIMARY' },
    ],
    'differences to be deleted': [() => deleteSomeDifferences(database, replay), { replay_places: 'PRIMARY' }],
    'executions to be replayed': [
      async () => {
        const ids = [...(await idsBefore(database, scope, middle, 512)), middle];
        await countRecords(database, scope, middle, 100);
        await measurePage(database, workspaceId, ids, { records: 64, bytes: 1 });
        await readRecords(database, workspaceId, ids);
      },
      { ...byRoute, ...fetched, executions: ['executions_route', 'PRIMARY', 'executions_workspace'] },
    ],
    'the first page of shadows': [() => shadows.list(database, workspaceId, page), { shadows: 'shadows_workspace' }],
    'shadows that run': [() => listRunningShadows(database, 100), { shadows: 'shadows_running' }],
    'what shadows were asked for': [() => readShadowRequests(database, [id(1), id(2)]), { shadows: 'PRIMARY' }],
    'whether a version was in force': [() => wasInForce(database, pair, 1), { routings: 'routings_version' }],
    'whether the working copy is in force': [() => wasInForce(database, pair, 0), { routings: 'routings_pair' }],
    'shadows that run in a workspace': [
      () => inTransaction((transaction) => countHeld(transaction, workspaceId, runningShadows(transaction))),
      { shadows: ['shadows_running', 'shadows_workspace'], workspaces: 'PRIMARY' },
    ],
    'one execution': [() => findWholeExecution(database, workspaceId, id(5001)), fetched],
    'old executions and evaluations': [
      () => countPrunable(database, { before: early, workspaceId: undefined }),
      { executions: 'PRIMARY', evaluations: 'PRIMARY' },
    ],
    'old executions and evaluations, to be deleted': [
      () => pruneHistory(store, { before: early, workspaceId: undefined }, () => undefined),
      { executions: 'PRIMARY', evaluations: 'PRIMARY', execution_days: 'PRIMARY' },
    ],
    'old executions and evaluations of a workspace, to be deleted': [
      () => pruneHistory(store, { before: early, workspaceId }, () => undefined),
      { executions: ['executions_workspace', 'PRIMARY'], evaluations: ['evaluations_decision', 'PRIMARY'] },
    ],
    ...Object.fromEntries(
      [{}, { after: middle }, { before: middle }, { order: 'desc' } as const].map((more): [string, Case] => [
        `decisions by id, ${JSON.stringify(Object.keys(more))}`,
        [
          () => listDecisionPage(database, workspaceId, { by: 'id', ...page, ...more }),
          { decisions: 'decisions_workspace', workspaces: 'PRIMARY' },
        ],
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
      ].map((more): [string, Case] => [
        `decisions by key, ${JSON.stringify(more)}`,
        [
          () => {
            const request = { by: 'key', key: undefined, prefix: undefined, ...page, ...more } as const;
            return listDecisionPage(database, workspaceId, request);
          },
          { decisions: 'decisions_key', workspaces: 'PRIMARY' },
        ],
      ]),
    ),
    'who uses names like a key': [
      () => listUsing(database, workspaceId, ['shop/k5001.json']).next(),
      { d: 'decisions_workspace', c: 'PRIMARY' },
    ],
    'decisions by keys and ids': [
      () => readDecisions(database, workspaceId, { keys: ['k1', 'k2'], ids: [id(5001)] }),
      { decisions: ['decisions_key', 'PRIMARY', 'decisions_workspace'] },
    ],
    'sizes of contents': [() => readSizes(database, ['00'.repeat(32), '01'.repeat(32)]), { contents: 'PRIMARY' }],
    'a page of versions': [
      () => listVersionPage(database, { workspaceId, decisionId: id(5001) }, { ...page, after: 0 }),
      { versions: ['PRIMARY', 'versions_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    ],
    'what a version pins': [
      () => listDependencies(database, workspaceId, id(5001), 1),
      { version_dependencies: 'PRIMARY' },
    ],
    'a decision to be deleted': [
      () => inTransaction((transaction) => deleteDecisions(transaction, workspaceId, [entry(5001)])),
      { versions: ['PRIMARY', 'versions_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    ],
    'one version': [() => findManifest(database, workspaceId, id(5001), 1), { versions: 'PRIMARY' }],
    'the newest versions of several decisions': [
      () => newestPrograms(database, workspaceId, [5001, 5005, 5009].map(entry)),
      { versions: ['PRIMARY', 'versions_workspace'] },
    ],
    'the routing in force': [
      () => new Routing({ database, cache: null, maxAgeMs: 1000 }).routeOf(pair),
      { h: 'PRIMARY', e: ['PRIMARY', 'environments_workspace'], r: 'PRIMARY', n: 'routings_pair' },
    ],
    ...Object.fromEntries(
      [{}, { after: middle }, { before: middle }].map((more): [string, Case] => [
        `routings, ${JSON.stringify(Object.keys(more))}`,
        [
          () => listRoutings(database, workspaceId, { ...page, ...more }),
          { r: 'routings_deployment', n: 'routings_pair' },
        ],
      ]),
    ),
    'the routings of a deployment': [
      () => inTransaction((transaction) => changeRoutesOfDeployment(transaction, workspaceId, id(5001))),
      {
        ...{ routings: 'routings_deployment', h: 'PRIMARY', e: ['PRIMARY', 'environments_workspace'] },
        ...{ r: 'PRIMARY', n: 'routings_pair' },
      },
      'sorts',
    ],
    'the pairs of an environment': [
      () => inTransaction((transaction) => changeRoutesOfEnvironment(transaction, workspaceId, id(5001))),
      {
        routing_heads: 'PRIMARY',
        d: 'deployments_environment',
        r: ['routings_deployment', 'PRIMARY'],
        h: 'PRIMARY',
        e: ['PRIMARY', 'environments_workspace'],
        n: 'routings_pair',
      },
      'sorts',
    ],
    'why a pair has no routing': [
      () => notFoundReason(database, pair),
      { environments: ['PRIMARY', 'environments_workspace'], decisions: ['PRIMARY', 'decisions_workspace'] },
    ],
    'an environment, to be changed': [
      () =>
        inTransaction(async (transaction) => {
          await environments.find(transaction, { workspaceId, id: id(5001) }, true);
          await environments.update(transaction, { workspaceId, id: id(5001) }, { name: 'x' });
        }),
      { environments: ['PRIMARY', 'environments_workspace'] },
    ],
    'the configuration of an environment': [
      () => loadConfiguration(store, workspaceId, id(501)),
      { e: ['PRIMARY', 'environments_workspace'], v: ['PRIMARY', 'variables_workspace'] },
      'sorts',
    ],
    'a configuration of the past': [
      () => configurationAt(store, { ...ref, environmentId: id(501) }, 5004),
      {
        variables: ['PRIMARY', 'variables_workspace'],
        variable_history: 'PRIMARY',
        environments: ['PRIMARY', 'environments_workspace'],
      },
    ],
    'values of variables that no record needs': [
      () =>
        inTransaction((transaction) =>
          forgetVariablesReplacedBefore(transaction, { ...ref, environmentId: id(501) }, new Date()),
        ),
      {
        variable_history: ['variable_history_age', 'PRIMARY'],
        environments: ['PRIMARY', 'environments_workspace'],
      },
    ],
    'the program of a working copy': [
      () => findKeptManifest(database, workspaceId, `${'00'.repeat(31)}01`),
      { kept_programs: 'PRIMARY' },
    ],
    'programs that no record needs': [
      () => deleteProgramsUsedBefore(database, workspaceId, early),
      { kept_programs: 'kept_programs_age' },
    ],
    'contents that nothing names': [
      () => sweepContents(database),
      {
        contents: 'PRIMARY',
        decisions: 'decisions_content',
        versions: 'versions_content',
        version_dependencies: 'version_dependencies_content',
        kept_program_contents: 'kept_program_contents_content',
      },
    ],
    'the variables of an environment': [
      () => pageOfVariables(store, { ...ref, environmentId: id(9) }, page),
      { environments: ['PRIMARY', 'environments_workspace'], variables: ['PRIMARY', 'variables_workspace'] },
    ],
    'an idempotency key that was used': [
      async () => {
        const idempotency = createIdempotency({ ...store, leaseMs: () => 60_000 });
        const request = { owner: workspaceId, principal: 'a', key: 'k', target: '/', bodyText: '{}' };
        await idempotency.begin(request);
        await idempotency.begin(request);
      },
      { idempotency_keys: 'PRIMARY' },
    ],
    'keys of items, used and stale': [
      () =>
        takeUsedKeys(
          database,
          id(4),
          // The last one is past its time.
          [4, 8, 100].map((number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')),
        ),
      {
        ...{ k: 'PRIMARY', e: ['PRIMARY', 'executions_workspace'] },
        idempotency_keys: ['PRIMARY', 'idempotency_keys_execution'],
      },
    ],
    'expired idempotency keys': [
      async () => {
        const idempotency = createIdempotency({ ...store, leaseMs: () => 60_000 });
        for (let count = 0; count < 100; count++) {
          await idempotency.begin({
            owner: workspaceId,
            principal: 'a',
            key: `k${count}`,
            target: '/',
            bodyText: '{}',
          });
        }
      },
      { idempotency_keys: 'idempotency_keys_expiry' },
    ],
    'a client and its secrets': [
      async () => {
        await findClient(database, id(5001));
        await listLiveSecrets(database, id(5001), new Date());
      },
      { clients: 'PRIMARY', client_secrets: 'client_secrets_client' },
    ],
    'credentials of several clients': [
      () => findCredentials(database, [5001, 5002, 9_999_999].map(id)),
      { clients: 'PRIMARY', client_secrets: 'client_secrets_client' },
    ],
    'grants of a client': [
      () => findGrant(database, { tenantId, clientId: id(5001), workspaceId: id(5001) }),
      { g: ['PRIMARY', 'grants_client', 'grants_workspace'], w: ['PRIMARY', 'workspaces_tenant'] },
    ],
    'policies of a workspace': [() => listPolicies(database, workspaceId), { policies: 'policies_workspace' }],
    'an inquiry': [
      () => findInquiry({ ...store, connection: database }, inquiry),
      { i: 'PRIMARY', p: 'prerequisites_inquiry', c: 'PRIMARY' },
    ],
    'an inquiry, to be changed': [
      async () => {
        const fields = { externalId: 'x' };
        await updateInquiry({ ...store, connection: database }, inquiry, {
          fields,
          revision: 2,
          updatedAt: new Date().toISOString(),
        });
        await findInquiry({ ...store, connection: database }, inquiry, 'lockNowait');
      },
      { inquiries: 'PRIMARY', i: 'PRIMARY', p: 'prerequisites_inquiry', c: 'PRIMARY' },
    ],
    'a page of inquiries': [
      () => pageOfInquiries(database, tenantId, {}, page),
      { inquiries: ['PRIMARY', 'inquiries_completed'] },
    ],
    'a page of inquiries of an external id': [
      () => pageOfInquiries(database, tenantId, { externalId: 'e', completed: true }, page),
      { inquiries: ['inquiries_external', 'inquiries_completed'] },
    ],
    'a page of inquiries that are complete': [
      () => pageOfInquiries(database, tenantId, { completed: true }, page),
      { inquiries: 'inquiries_completed' },
    ],
    "a page of a tenant's clients": [
      () => clients.list(database, tenantId, page),
      { clients: ['clients_tenant', 'PRIMARY'] },
    ],
    'the grants of some clients': [
      () => grantsOf(database, tenantId, [id(1), id(5)]),
      { grants: ['grants_client', 'PRIMARY'] },
      'sorts',
    ],
    "a page of a tenant's workspaces": [
      () => workspaces.list(database, tenantId, page),
      { workspaces: ['workspaces_tenant', 'PRIMARY'] },
    ],
    'policies that name a user': [
      () => listPoliciesNaming(database, { kind: 'user', name: 'user:i#s', issuer: 'i', subject: 's', roles: ['r'] }),
      { policy_names: 'PRIMARY', policies: ['PRIMARY', 'policies_filed'] },
    ],
    "a page of a workspace's policies": [
      () => policies.list(database, workspaceId, page),
      { policies: ['policies_workspace', 'PRIMARY'] },
    ],
    'states of notifications': [
      () => findStates(database, tenantId, [id(5001), id(5005)]),
      { outbox: ['PRIMARY', 'outbox_tenant'] },
    ],
    'notifications that are replaced': [
      () => inTransaction((transaction) => replaceNotifications(transaction, tenantId, [id(5001), id(5005)])),
      { outbox: ['PRIMARY', 'outbox_tenant'], jobs: 'PRIMARY' },
    ],
    'a tenant’s notifications of the last minute': [
      () => inTransaction((transaction) => requireBudget(transaction, { tenantId, count: 5, maxPerMinute: 1 })),
      { tenants: 'PRIMARY', outbox: 'outbox_created' },
    ],
    'messages of an inquiry': [
      () => listMessages(database, { tenantId, inquiryId: id(5001) }, newest),
      { outbox: 'outbox_inquiry' },
    ],
    'whose an inquiry is': [() => findTenantOf(database, id(5001)), { inquiries: 'inquiries_id' }],
    'external ids for events': [
      () =>
        queueNotificationEvents({ ...store, connection: database }, [
          {
            type: 'notification.delivered',
            tenantId,
            inquiryId: id(5001),
            notification: { id: id(1), type: 'SMS' },
          },
        ]),
      { inquiries: 'PRIMARY', i: 'inquiries_id', c: 'PRIMARY' },
    ],
    'messages that are due': [
      async () => {
        const [first] = await new JobTurns(database, ['WEBHOOK'], ownerOverKinds).claim({
          leaseMs: 1000,
          room: () => 20,
        });
        await readMessages(database, first === undefined ? [] : [first]);
      },
      { jobs: ['jobs_turn', 'PRIMARY'], outbox: 'PRIMARY' },
    ],
    'what came of messages': [
      () => recordOutcomes(store, [{ message, outcome: { kind: 'delivered' } }], 1000),
      { outbox: 'PRIMARY', jobs: 'PRIMARY' },
    ],
    'messages of long ago that need no sending': [
      () => purgeEnded(database, new Date(1)),
      { outbox: ['outbox_ended', 'outbox_state', 'PRIMARY'] },
    ],
    'the backlog': [() => readBacklog(database), { outbox: 'outbox_state' }],
    'the newest messages': [() => listMessages(database, {}, newest), { outbox: 'PRIMARY', jobs: 'PRIMARY' }],
    'a tenant’s messages before one': [
      () => listMessages(database, { tenantId: id(4) }, older),
      { outbox: 'outbox_tenant' },
    ],
    'dead letters': [() => listMessages(database, { state: 'dead' }, older), { outbox: 'outbox_state' }],
    'dead letters to be replayed': [
      () => replayMessages(store, { state: 'dead' }, () => undefined),
      { outbox: ['outbox_state', 'PRIMARY'], jobs: 'PRIMARY' },
    ],
  };

  cases['what belongs to a decision or an environment'] = [
    () => resourcesAbout(database, workspaceId, id(5001)),
    {
      deployments: ['deployments_decision', 'deployments_environment'],
      ...{ change_requests: 'change_requests_environment', change_request_changes: 'change_request_changes_decision' },
      ...{ environments: 'environments_workspace', audit_entries: 'audit_entries_action' },
    },
  ];
  const asked = { ...page, order: 'desc' } as const;
  // Those of one thing stand apart, by its deployments and requests, which are as many as people make.
  const about = { ids: [id(5001), `${id(3)}/${id(5001)}`], prefix: `${id(5001)}/` };
  for (const [where, request] of Object.entries({ first: asked, next: { ...asked, after: middle } }))
    cases[`the ${where} page of audit entries by what they are about`] = [
      () => listAuditEntries(database, workspaceId, { about }, request),
      { audit_entries: ['audit_entries_resource', 'audit_entries_workspace', 'audit_entries_principal'] },
      'sorts',
    ];
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
      cases[`the ${where} page of audit entries by ${by}`] = [
        () => listAuditEntries(database, workspaceId, filter, request),
        // All of the workspace are counted, by any index that begins with it: MySQL takes another one than MariaDB.
        { audit_entries: [key, 'audit_entries_workspace', 'audit_entries_principal'] },
      ];
    }
  }
  for (const [by, [filter, key]] of Object.entries(entries)) {
    for (const [where, request] of Object.entries({ newest, next: older })) {
      cases[`the ${where} entries of no workspace by ${by}`] = [
        () => listTenantEntries(database, filter, request),
        { audit_entries: [key, 'audit_entries_workspace'] },
      ];
    }
  }

  const byWorkspace = { executions: 'executions_workspace' };
  const executions: Record<string, [filter: HistoryFilter, keys: Case[1]]> = {
    none: [{}, byWorkspace],
    time: [{ from: new Date(0), to: new Date() }, byWorkspace],
    environment: [{ environmentId: id(5001) }, byRoute],
    deployment: [{ deploymentId: id(5001) }, byRoute],
    decision: [{ decisionId: id(5001) }, byRoute],
    version: [{ version: 1 }, byRoute],
    status: [{ status: 'FAILED' }, byRoute],
    reference: [{ reference: 'r5001' }, { e: ['executions_reference', 'PRIMARY', 'executions_workspace'] }],
    request: [{ requestId: id(5001) }, { e: ['executions_request', 'PRIMARY', 'executions_workspace'] }],
    everything: [
      {
        ...{ environmentId: id(5001), deploymentId: id(5001), decisionId: id(5001), requestId: id(5001) },
        ...{ version: 1, status: 'COMPLETED', reference: 'r5001', from: new Date(0) },
      },
      { e: ['executions_request', 'PRIMARY', 'executions_workspace'] },
    ],
  };
  for (const [by, [filter, keys]] of Object.entries(executions)) {
    for (const [where, request] of Object.entries({ first: asked, next: { ...asked, after: middle } })) {
      cases[`the ${where} page of the history by ${by}`] = [
        () => pageOfExecutions(database, workspaceId, filter, request),
        keys,
      ];
    }
  }

  // Of those that grow.
  const sealed = [sealedVariables, sealedVariableHistory, sealedInquiries, sealedMessages, executionKeys.sealed];
  const last = {
    ...{ id: middle, tenant_id: idToBytes(tenantId), environment_id: middle, name: 'V5001' },
    ...{ workspace_id: idToBytes(workspaceId), digest: Buffer.alloc(32), until_revision: 1, from_revision: 0 },
  };
  for (const table of sealed) {
    cases[`what is sealed in ${table.table}, page by page`] = [
      () => headsAfter(database, table, last),
      { [table.table]: 'PRIMARY' },
    ];
  }

  cases['the previous page of the history by none'] = [
    () => pageOfExecutions(database, workspaceId, {}, { ...asked, before: middle }),
    byWorkspace,
  ];

  /** They begin at a cursor, at any depth. */
  const ranged = new Set([
    ...['environments', 'deployments'].flatMap((list) =>
      [
        { ...page, after: middle },
        { ...page, before: middle },
      ].map((at) => `${list}, ${JSON.stringify(at)}`),
    ),
    ...['next', 'previous'].map((where) => `the ${where} page of the history by none`),
  ]);
  for (const [what, [run, keys, sorts]] of Object.entries(cases)) {
    it(`${what}: by key`, async () => {
      const steps = await explained(database, run);
      const text = steps.map((step) => JSON.stringify(step)).join('\n');
      const seen = new Set(steps.map(({ table }) => table));
      for (const table of Object.keys(keys)) expect(seen, text).to.include(table);
      // The page, before the count: `ref` would be all rows of the workspace up to the cursor.
      if (ranged.has(what)) expect(steps[0]?.type, text).to.equal('range');
      for (const { table, type, key, Extra } of steps) {
        if (table === null || table.startsWith('<')) continue;
        expect([keys[table] ?? fetched[table]].flat(), text).to.include(key);
        // `index` reads a whole index; with a limit it ends early, which only the newest of all messages do.
        expect(type, text).to.not.equal('ALL');
        if (what !== 'the newest messages') expect(type, text).to.not.equal('index');
        if (sorts === undefined) expect(Extra ?? '', text).to.not.match(/filesort|temporary/);
      }
    });
  }
});

const entry = (number: number): Parameters<typeof newestPrograms>[2][number] => ({
  ...newEntry(`k${number}`, { hash: '00'.repeat(32), text: '' }),
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
    // What tables there are is no data that grows.
    if (!/^[\s(]*(select|update|delete)/i.test(sql) || sql.includes('information_schema')) continue;
    steps.push(...(await planOf(database, sql, bindings)));
  }
  return steps;
}
