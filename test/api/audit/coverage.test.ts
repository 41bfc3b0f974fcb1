import { expect } from 'chai';
import type { Knex } from 'knex';
import { bootApp, type TestApp } from '../../support/app.js';
import { written } from '../../support/auditEntries.js';
import { buildInquiry } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { doubling } from '../../support/models.js';
import type { OpenApi } from '../../support/openapi.js';
import { replayed } from '../../support/replays.js';
import { buildScene, testDatabase, testStore, type Scene } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';

describe('every write appends an audit entry', function () {
  this.timeout(120_000);
  let app: TestApp;
  let scene: Scene;
  let database: Knex;
  let document: OpenApi;
  before(async () => {
    app = await bootApp();
    database = testDatabase();
    document = (await call(`${app.baseUrl}/openapi.json`)).body as OpenApi;
  });
  after(() => app.stop());
  beforeEach(async () => {
    scene = await buildScene(app);
  });

  describe('of the API', () => {
    interface Place {
      readonly environmentId: string;
      readonly decisionId: string;
      readonly deploymentId: string;
    }
    const place = async (): Promise<Place> => {
      const environmentId = await scene.environment();
      const decisionId = await scene.decision('d.json', doubling(2));
      return { environmentId, decisionId, deploymentId: await scene.deploy(decisionId, environmentId, 1) };
    };
    const variable = async (): Promise<string> => {
      const { environmentId } = await place();
      await scene.variable(environmentId, 'V', 1);
      return `/logic/environments/${environmentId}/variables/V`;
    };

    const shadow = async (): Promise<object> => {
      const { environmentId, decisionId } = await place();
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      return { environmentId, decisionId, version: 1, sample: 1, expiresAt };
    };

    /** By operationId: the request, once all that it needs is there, and the action that it appends last. */
    const writes: Record<
      string,
      { readonly action: string; readonly request: () => Promise<[path: string, body?: object]> }
    > = {
      createEnvironment: {
        action: 'environment.create',
        request: () => Promise.resolve(['/logic/environments', { name: 'x' }]),
      },
      updateEnvironment: {
        action: 'environment.update',
        request: async () => [`/logic/environments/${(await place()).environmentId}`, { name: 'x' }],
      },
      deleteEnvironment: {
        action: 'environment.delete',
        request: async () => [`/logic/environments/${(await place()).environmentId}`],
      },
      setVariable: { action: 'variable.update', request: async () => [await variable(), { value: 2 }] },
      deleteVariable: { action: 'variable.delete', request: async () => [await variable()] },
      setHosts: {
        action: 'hosts.update',
        request: async () => [`/logic/environments/${(await place()).environmentId}/hosts`, { hosts: ['a.example'] }],
      },
      createDeployment: {
        action: 'deployment.create',
        async request() {
          const { environmentId, decisionId } = await place();
          return ['/logic/deployments', { environmentId, decisionId, name: 'x', deployedBy: 'x' }];
        },
      },
      updateDeployment: {
        action: 'deployment.update',
        request: async () => [`/logic/deployments/${(await place()).deploymentId}`, { name: 'x' }],
      },
      deleteDeployment: {
        action: 'deployment.delete',
        request: async () => [`/logic/deployments/${(await place()).deploymentId}`],
      },
      createReplay: {
        action: 'replay.create',
        async request() {
          const { environmentId, decisionId } = await place();
          return ['/logic/replays', { environmentId, decisionId, candidate: { version: 1 } }];
        },
      },
      deleteReplay: {
        action: 'replay.delete',
        async request() {
          const { environmentId, decisionId } = await place();
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
      createDecision: {
        action: 'decision.create',
        request: () => Promise.resolve(['/logic/decisions', { key: 'new.json', content: doubling(2) }]),
      },
      updateDecision: {
        action: 'decision.update',
        request: async () => [`/logic/decisions/${(await place()).decisionId}`, { content: doubling(3) }],
      },
      deleteDecision: {
        action: 'decision.delete',
        request: async () => [`/logic/decisions/${await scene.write('unused.json', doubling(2))}`],
      },
      createVersion: {
        action: 'version.create',
        request: async () => [`/logic/decisions/${(await place()).decisionId}/versions`, {}],
      },
      importModels: {
        action: 'version.create',
        request: () =>
          Promise.resolve(['/logic/imports', { decisions: [{ key: 'a.json', content: doubling(2) }], save: true }]),
      },
      updateInquiry: {
        action: 'inquiry.update',
        async request() {
          const { id } = await buildInquiry(testStore(), scene.tenantId);
          return [`/fuse/v2/inquiries/${id}`, { externalId: 'x' }];
        },
      },
    };
    /** They change nothing that is kept of a workspace or tenant: runs have records of their own. */
    const others = [
      'evaluate',
      'execute',
      'executeBatch',
      'issueToken',
      'testDecision',
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

    for (const [id, { action, request }] of Object.entries(writes)) {
      it(`${id}: ${action}, by its client and with its request id`, async () => {
        const [path, body] = await request();
        const requestId = '01934f5e-7a60-7e08-9d13-4c2b8a5f1e07';
        const { client, token, workspaceId } = scene;
        const Authorization = path.startsWith('/fuse') ? basic(client.id, client.secret) : `Bearer ${token}`;
        const entries = await written(database, async () => {
          const answer = await call(app.baseUrl + path, {
            method: operations().get(id) ?? '',
            headers: { Authorization, 'X-Workspace-Id': workspaceId, 'X-Request-Id': requestId },
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
