/* eslint max-lines: ["error", { "max": 340 }] -- a table: what every writing operation needs, and appends */
import { expect } from 'chai';
import type { Knex } from 'knex';
import { setPolicy } from '../../../src/access/workspaces.service.js';
import { useApp } from '../../support/app.js';
import { written } from '../../support/auditEntries.js';
import { protect, review } from '../../support/changes.js';
import { buildInquiry } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { pathOf } from '../../support/inquiries.js';
import { deciding, doubling } from '../../support/models.js';
import { asCsv, asXlsx, plainFile } from '../../support/sheets.js';
import type { OpenApi } from '../../support/openapi.js';
import { replayed } from '../../support/replays.js';
import { testDatabase, testStore, useFreshScene } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';
import { writable } from '../../support/writable.js';

describe('every write appends an audit entry', function () {
  this.timeout(120_000);
  const app = useApp();
  const scene = useFreshScene(app);
  let database: Knex;
  let document: OpenApi;
  before(async () => {
    database = testDatabase();
    document = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi;
  });

  describe('of the API', () => {
    const { deployed, variable, changing, shadow, inquiry, other } = writable(scene);
    const policy = { effect: 'allow', subjects: ['bob'], scopes: ['pool:read'] } as const;

    const watching = async (): Promise<object> => {
      const { environmentId, decisionId } = await deployed();
      return { environmentId, decisionId, name: 'x', measure: 'failed', window: '1h', condition: '> 0.1' };
    };

    /** By operationId: the request, once all that it needs is there, and the action that it appends last. */
    const writes: Record<
      string,
      {
        readonly action: string;
        readonly request: () => Promise<[path: string, body?: object | string]>;
        readonly headers?: Readonly<Record<string, string>>;
      }
    > = {
      createEnvironment: {
        action: 'environment.create',
        request: () => Promise.resolve(['/logic/environments', { name: 'x' }]),
      },
      updateEnvironment: {
        action: 'environment.update',
        request: async () => [`/logic/environments/${(await deployed()).environmentId}`, { name: 'x' }],
      },
      deleteEnvironment: {
        action: 'environment.delete',
        request: async () => [`/logic/environments/${(await deployed()).environmentId}`],
      },
      setVariable: { action: 'variable.update', request: async () => [await variable(), { value: 2 }] },
      deleteVariable: { action: 'variable.delete', request: async () => [await variable()] },
      setHosts: {
        action: 'hosts.update',
        request: async () => [
          `/logic/environments/${(await deployed()).environmentId}/hosts`,
          { hosts: ['a.example'] },
        ],
      },
      setRetention: {
        action: 'retention.update',
        request: async () => [`/logic/environments/${(await deployed()).environmentId}/retention`, { days: 30 }],
      },
      createErasure: {
        action: 'erasure.create',
        request: () => Promise.resolve(['/logic/erasures', { reference: 'order-4711' }]),
      },
      createDeployment: {
        action: 'deployment.create',
        async request() {
          const { environmentId, decisionId } = await deployed();
          return ['/logic/deployments', { environmentId, decisionId, name: 'x', deployedBy: 'x' }];
        },
      },
      updateDeployment: {
        action: 'deployment.update',
        request: async () => [`/logic/deployments/${(await deployed()).deploymentId}`, { name: 'x' }],
      },
      deleteDeployment: {
        action: 'deployment.delete',
        request: async () => [`/logic/deployments/${(await deployed()).deploymentId}`],
      },
      setProtection: {
        action: 'protection.create',
        request: async () => [`/logic/environments/${(await deployed()).environmentId}/protection`, { approvals: 1 }],
      },
      deleteProtection: {
        action: 'protection.delete',
        async request() {
          const { environmentId } = await deployed();
          await protect(scene.caller, environmentId);
          return [`/logic/environments/${environmentId}/protection`];
        },
      },
      createChangeRequest: {
        action: 'change_request.create',
        async request() {
          const { environmentId } = await changing();
          return ['/logic/change-requests', { environmentId, title: 'x', changes: [{ type: 'hosts', hosts: [] }] }];
        },
      },
      reviewChangeRequest: {
        action: 'change_request.approve',
        async request() {
          const { id, digest } = await changing();
          return [`/logic/change-requests/${id}/reviews`, { verdict: 'approve', digest }];
        },
      },
      applyChangeRequest: {
        action: 'change_request.apply',
        async request() {
          const made = await changing();
          await review(scene.caller, made);
          return [`/logic/change-requests/${made.id}/apply`, {}];
        },
      },
      closeChangeRequest: {
        action: 'change_request.close',
        request: async () => [`/logic/change-requests/${(await changing()).id}/close`],
      },
      setCallback: {
        action: 'callback.create',
        request: () =>
          Promise.resolve(['/logic/callback', { url: 'https://hooks.invalid/', kinds: ['version.saved'] }]),
      },
      deleteCallback: {
        action: 'callback.delete',
        async request() {
          await scene.caller.put('/logic/callback', { url: 'https://hooks.invalid/', kinds: ['version.saved'] });
          return ['/logic/callback'];
        },
      },
      createReplay: {
        action: 'replay.create',
        async request() {
          const { environmentId, decisionId } = await deployed();
          return ['/logic/replays', { environmentId, decisionId, candidate: { version: 1 } }];
        },
      },
      deleteReplay: {
        action: 'replay.delete',
        async request() {
          const { environmentId, decisionId } = await deployed();
          const { id } = await replayed(scene.caller, { environmentId, decisionId, candidate: { version: 1 } });
          return [`/logic/replays/${id}`];
        },
      },
      createShadow: {
        action: 'shadow.create',
        request: async () => ['/logic/shadows', await shadow()],
      },
      deleteShadow: {
        action: 'shadow.cancel',
        async request() {
          const { body } = await scene.caller.post('/logic/shadows', await shadow());
          return [`/logic/shadows/${(body as { id: string }).id}`];
        },
      },
      putOutcomes: {
        action: 'outcomes.create',
        request: () =>
          Promise.resolve(['/logic/outcomes', { outcomes: [{ reference: 'r', name: 'fraud', value: true }] }]),
      },
      createMonitor: {
        action: 'monitor.create',
        request: async () => ['/logic/monitors', await watching()],
      },
      deleteMonitor: {
        action: 'monitor.delete',
        async request() {
          const { body } = await scene.caller.post('/logic/monitors', await watching());
          return [`/logic/monitors/${(body as { id: string }).id}`];
        },
      },
      setMeasured: {
        action: 'measured.update',
        request: async () => [`/logic/decisions/${(await deployed()).decisionId}/measured`, { pointers: ['/y'] }],
      },
      createDecision: {
        action: 'decision.create',
        request: () => Promise.resolve(['/logic/decisions', { key: 'new.json', content: doubling(2) }]),
      },
      updateDecision: {
        action: 'decision.update',
        request: async () => [`/logic/decisions/${(await deployed()).decisionId}`, { content: doubling(3) }],
      },
      deleteDecision: {
        action: 'decision.delete',
        request: async () => [`/logic/decisions/${await scene.write('unused.json', doubling(2))}`],
      },
      createVersion: {
        action: 'version.create',
        request: async () => [`/logic/decisions/${(await deployed()).decisionId}/versions`, {}],
      },
      importModels: {
        action: 'version.create',
        request: () =>
          Promise.resolve(['/logic/imports', { decisions: [{ key: 'a.json', content: doubling(2) }], save: true }]),
      },
      importTable: {
        action: 'decision.update',
        request: async () => [
          `/logic/decisions/${await scene.decision('table.json', deciding([]))}/tables/table`,
          'age,size,fee\n1,2,3\n',
        ],
        headers: asCsv,
      },
      importTestsCsv: {
        action: 'decision.update',
        request: async () => [`/logic/decisions/${(await deployed()).decisionId}/tests.csv`, 'name,input.x\na,1\n'],
        headers: asCsv,
      },
      importTestsSheet: {
        action: 'decision.update',
        request: async () => [
          `/logic/decisions/${(await deployed()).decisionId}/tests.xlsx`,
          plainFile([
            ['name', 'input.x'],
            ['a', '1'],
          ]),
        ],
        headers: asXlsx,
      },
      setEvaluationHosts: {
        action: 'evaluation_hosts.update',
        request: () => Promise.resolve(['/logic/evaluation-hosts', { hosts: ['a.example'] }]),
      },
      createInquiry: {
        action: 'inquiry.create',
        request: () => Promise.resolve(['/fuse/v2/inquiries', { personId: 'p' }]),
      },
      updateInquiry: { action: 'inquiry.update', request: async () => [await inquiry(), { externalId: 'x' }] },
      setPrerequisite: {
        action: 'inquiry.complete',
        async request() {
          const prerequisites = [{ type: 'CONSENT', url: 'https://consent.example/1' }];
          const made = await buildInquiry(testStore(), scene.tenantId, { prerequisites });
          return [`${pathOf(made.id)}/prerequisites/${made.prerequisites[0]!.id}`, { completed: true }];
        },
      },
      completeInquiry: { action: 'inquiry.complete', request: async () => [`${await inquiry()}/completion`, {}] },
      deleteInquiry: { action: 'inquiry.delete', request: async () => [await inquiry()] },
      createClient: {
        action: 'client.create',
        request: () => Promise.resolve(['/core/v1/clients', { name: 'x', scopes: ['pool:read'] }]),
      },
      updateClient: { action: 'client.update', request: async () => [await other(), { name: 'x' }] },
      deleteClient: { action: 'client.delete', request: async () => [await other()] },
      createClientSecret: { action: 'client.rotate_secret', request: async () => [`${await other()}/secrets`] },
      createWorkspace: {
        action: 'client.grant',
        request: () => Promise.resolve(['/core/v1/workspaces', { name: 'x' }]),
      },
      updateWorkspace: {
        action: 'workspace.update',
        request: () => Promise.resolve([`/core/v1/workspaces/${scene.workspaceId}`, { name: 'x' }]),
      },
      createPolicy: {
        action: 'policy.create',
        request: () => Promise.resolve([`/core/v1/workspaces/${scene.workspaceId}/policies`, policy]),
      },
      deletePolicy: {
        action: 'policy.delete',
        async request() {
          const fields = { ...policy, roles: [], scopes: 'pool:read' };
          const { id } = await setPolicy(testStore(), { workspaceId: scene.workspaceId }, fields);
          return [`/core/v1/workspaces/${scene.workspaceId}/policies/${id}`];
        },
      },
    };
    /** They change nothing that is kept of a workspace or tenant: runs have records of their own. */
    const others = [
      'evaluate',
      'execute',
      'executeBatch',
      'callTools',
      'issueToken',
      'testDecision',
      'analyseModel',
      'suggestTests',
      'convertTable',
      'validateModels',
      'evaluateDraft',
    ];

    const operations = (): Map<string, string> =>
      new Map(
        Object.values(document.paths).flatMap((methods) =>
          Object.entries(methods)
            .filter(([method]) => method !== 'get')
            .map(([method, { operationId }]): [string, string] => [operationId, method.toUpperCase()]),
        ),
      );

    it('is known to this test, or writes nothing', () => {
      const unknown = [...operations().keys()].filter((id) => !(id in writes) && !others.includes(id));
      expect(unknown).to.deep.equal([]);
      expect([...operations().keys()]).to.include.members([...Object.keys(writes), ...others]);
    });

    for (const [id, { action, request, headers = {} }] of Object.entries(writes)) {
      it(`${id}: ${action}, by its client and with its request id`, async () => {
        const [path, body] = await request();
        const requestId = '01934f5e-7a60-7e08-9d13-4c2b8a5f1e07';
        const { client, token, workspaceId } = scene;
        const Authorization = /^\/(fuse|core)/.test(path) ? basic(client.id, client.secret) : `Bearer ${token}`;
        const entries = await written(database, async () => {
          const answer = await call(app.baseUrl + path, {
            method: operations().get(id) ?? '',
            headers: { Authorization, 'X-Workspace-Id': workspaceId, 'X-Request-Id': requestId, ...headers },
            body,
          });
          expect(answer.status, answer.text).to.be.oneOf([200, 201, 202, 204]);
        });
        expect(entries.at(-1)?.action).to.equal(action);
        for (const { principal, requestId: named } of entries) {
          expect([principal, named]).to.deep.equal([`client:${client.id}`, requestId]);
        }
      });
    }
  });
});
