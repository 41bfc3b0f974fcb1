/* eslint max-lines: ["error", { "max": 370 }] -- a table: what every writing operation and command needs, and appends */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { createProgram } from '../../../src/cli/program.js';
import { createSession } from '../../../src/cli/session.js';
import { idFromBytes } from '../../../src/storage/ids.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { done, verdict } from '../../support/cli.js';
import { buildInquiry } from '../../support/factories.js';
import { call } from '../../support/http.js';
import { doubling } from '../../support/models.js';
import type { OpenApi } from '../../support/openapi.js';
import { buildScene, testDatabase, testStore, type Scene } from '../../support/scene.js';
import { basic } from '../../support/tokens.js';

interface Written {
  readonly action: string;
  readonly principal: string;
  readonly requestId: string | null;
}

/** What was appended while `work` ran, in order. Tests come one after the other, so nobody else writes meanwhile. */
async function written(database: Knex, work: () => Promise<unknown>): Promise<Written[]> {
  const [last] = await database('audit_entries').select<{ id: Buffer }[]>('id').orderBy('id', 'desc').limit(1);
  await work();
  const rows = (await database('audit_entries')
    .where('id', '>', last?.id ?? Buffer.alloc(16))
    .orderBy('id')) as { action: string; principal: string; request_id: Buffer | null }[];
  return rows.map(({ action, principal, request_id: requestId }) => ({
    action,
    principal,
    requestId: requestId && idFromBytes(requestId),
  }));
}

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
    const others = ['evaluate', 'execute', 'issueToken', 'testDecision', 'validateModels', 'evaluateDraft'];

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
          expect(answer.status, answer.text).to.be.oneOf([200, 201, 204]);
        });
        expect(entries.at(-1)?.action).to.equal(action);
        for (const { principal, requestId: named } of entries) {
          expect([principal, named]).to.deep.equal([`client:${client.id}`, requestId]);
        }
      });
    }
  });

  describe('of the command line', () => {
    const ofClient = (): string[] => ['--client', scene.client.id, '--workspace', scene.workspaceId];
    const inEnvironment = async (): Promise<string[]> => [
      ...['--workspace', scene.workspaceId, '--environment', await scene.environment()],
    ];
    const inquiry = async (): Promise<string> => (await buildInquiry(testStore(), scene.tenantId)).id;
    const ofTenant = (): string[] => ['--tenant', scene.tenantId];
    let modelFile: string;
    before(() => {
      const folder = mkdtempSync(join(tmpdir(), 'verdict-audit-'));
      modelFile = join(folder, 'model.json');
      writeFileSync(modelFile, JSON.stringify(doubling(2)));
    });
    after(() => rmSync(dirname(modelFile), { recursive: true, force: true }));
    const setCallback = async (): Promise<string[]> => {
      await done('tenant', 'callback', 'set', ...ofTenant(), '--url', 'https://93.184.215.14/events');
      return ofTenant();
    };

    /** By the command's words: its arguments, once all that it needs is there, and the actions that it appends. */
    const writes: Record<
      string,
      { readonly actions: readonly string[]; readonly args: () => Promise<string[]> | string[] }
    > = {
      'tenant create': { actions: ['tenant.create'], args: () => ['--name', 'x'] },
      'tenant callback set': {
        actions: ['callback.create'],
        args: () => [...ofTenant(), '--url', 'https://93.184.215.14/events'],
      },
      'tenant callback rotate': { actions: ['callback.rotate_secret'], args: setCallback },
      'tenant callback remove': { actions: ['callback.delete'], args: setCallback },
      'workspace create': { actions: ['workspace.create'], args: () => [...ofTenant(), '--name', 'x'] },
      'client create': {
        actions: ['client.create', 'client.grant'],
        args: () => [...ofTenant(), '--name', 'x', '--scopes', 'audit:read', '--workspace', scene.workspaceId],
      },
      'client grant': {
        actions: ['client.grant'],
        async args() {
          await done('client', 'revoke', ...ofClient());
          return ofClient();
        },
      },
      'client revoke': { actions: ['client.revoke'], args: ofClient },
      'client disable': { actions: ['client.disable'], args: () => [scene.client.id] },
      'client rotate-secret': { actions: ['client.rotate_secret'], args: () => [scene.client.id] },
      'key rotate': { actions: ['key.rotate'], args: () => [] },
      'policy set': {
        actions: ['policy.create'],
        args: () => [
          ...['--workspace', scene.workspaceId, '--effect', 'allow', '--subject', '*', '--scopes', 'audit:read'],
        ],
      },
      'policy remove': {
        actions: ['policy.delete'],
        async args() {
          const in_ = ['--workspace', scene.workspaceId];
          const allow = ['--effect', 'allow', '--subject', '*', '--scopes', 'audit:read'];
          const { id } = await done<{ id: string }>('policy', 'set', ...in_, ...allow);
          return [...in_, id];
        },
      },
      'decision import': {
        actions: ['decision.create', 'version.create'],
        args: () => [modelFile, '--save', '--workspace', scene.workspaceId],
      },
      'decision save': {
        actions: ['version.create'],
        args: async () => [await scene.write('d.json', doubling(2)), '--workspace', scene.workspaceId],
      },
      'environment hosts set': {
        actions: ['hosts.update'],
        args: async () => ['a.example', ...(await inEnvironment())],
      },
      'variable set': { actions: ['variable.create'], args: async () => [...(await inEnvironment()), 'V', '1'] },
      'variable unset': {
        actions: ['variable.delete'],
        async args() {
          const in_ = await inEnvironment();
          await done('variable', 'set', ...in_, 'V', '1');
          return [...in_, 'V'];
        },
      },
      'execution prune': {
        actions: ['execution.prune'],
        async args() {
          const environmentId = await scene.environment();
          const decisionId = await scene.decision('d.json', doubling(2));
          await scene.deploy(decisionId, environmentId, 1);
          await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x: 1 } });
          return ['--workspace', scene.workspaceId, '--before', '2100-01-01'];
        },
      },
      'inquiry create': { actions: ['inquiry.create'], args: () => [...ofTenant(), '--person', 'x'] },
      'inquiry complete': { actions: ['inquiry.complete'], args: async () => [await inquiry()] },
      'inquiry delete': { actions: ['inquiry.delete'], args: async () => [await inquiry()] },
      'outbox retry': { actions: ['outbox.retry'], args: () => message('dead') },
      'outbox drop': { actions: ['outbox.drop'], args: () => message('dead') },
      'audit prune': { actions: [], args: () => ['--before', '2001-01-01'] },
    };
    /** They read, or check files. */
    const others = [
      ...[
        'tenant list',
        'tenant audit',
        'tenant callback show',
        'tenant callback test',
        'workspace list',
        'client list',
        'policy list',
      ],
      ...['environment list', 'environment hosts show', 'variable list', 'execution list', 'execution show'],
      ...['inquiry list', 'inquiry show', 'outbox list', 'outbox show'],
      ...['decision list', 'decision show', 'decision diff', 'decision validate', 'decision test', 'decision types'],
    ];
    /** A message in that state, of the tenant. */
    async function message(state: string): Promise<string[]> {
      await setCallback();
      const id = await inquiry();
      await verdict('inquiry', 'complete', id);
      const { messages } = await done<{ messages: { id: string }[] }>('outbox', 'list', ...ofTenant());
      const [first] = messages;
      if (first === undefined) return expect.fail('nothing was queued');
      await database('outbox').whereRaw("id = UNHEX(REPLACE(?, '-', ''))", [first.id]).update({ state, due_at: null });
      return [first.id];
    }

    /** Every command of the program that has no commands below it, by its words. */
    function commands(): string[] {
      const nowhere = new Writable({ write: (_chunk, _encoding, next) => next() });
      const terminal = {
        environment: {},
        directory: '.',
        stdin: process.stdin,
        stdout: nowhere,
        stderr: nowhere,
      };
      const leaves = (command: Command, words: readonly string[]): string[] =>
        command.commands.length === 0
          ? [words.join(' ')]
          : command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
      return leaves(createProgram(createSession(terminal), terminal), []);
    }

    it('is known to this test, or writes nothing', () => {
      const known = [...Object.keys(writes), ...others];
      expect(commands().filter((words) => !known.includes(words))).to.deep.equal([]);
    });

    for (const [words, { actions, args }] of Object.entries(writes)) {
      it(`${words}: ${actions.join(', ')}, by the operator`, async () => {
        const given = await args();
        const entries = await written(database, async () => {
          const ran = await verdict(...words.split(' '), ...given);
          expect(ran.exit, ran.stderr).to.equal(0);
        });
        expect(entries.map(({ action }) => action)).to.deep.equal(actions);
        for (const { principal, requestId } of entries) {
          expect([principal, requestId]).to.deep.equal([`operator:${userInfo().username}`, null]);
        }
      });
    }
  });
});
