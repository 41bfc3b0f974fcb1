/* eslint max-lines: ["error", { "max": 320 }] -- a table: what every writing command needs, and appends */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { written } from '../../support/auditEntries.js';
import { review } from '../../support/changes.js';
import { done, verdict, verdictIn } from '../../support/cli.js';
import { commands } from '../../support/commands.js';
import { tableOf } from '../../support/consoleScene.js';
import { buildInquiry } from '../../support/factories.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { replayed } from '../../support/replays.js';
import { testDatabase, testStore, useFreshScene } from '../../support/scene.js';
import { writable } from '../../support/writable.js';

describe('every write of the command line appends an audit entry', function () {
  this.timeout(120_000);
  const app = useApp();
  const scene = useFreshScene(app);
  let folder: string;
  // A shadow that goes on would hold memory under the tests after these.
  afterEach(async () => {
    const { body } = await scene.caller.get('/logic/shadows');
    // Some tests have taken the client's access away.
    const { data = [] } = body as { data?: readonly { id: string }[] };
    for (const { id } of data) await scene.caller.delete(`/logic/shadows/${id}`);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verdict-audit-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const ofClient = (): string[] => ['--client', scene.client.id, '--workspace', scene.workspaceId];
  const inquiry = async (): Promise<string> => (await buildInquiry(testStore(), scene.tenantId)).id;
  const ofTenant = (): string[] => ['--tenant', scene.tenantId];
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
    'client update': { actions: ['client.update'], args: () => [scene.client.id, '--per-second', '5', '--burst', '5'] },
    'client enable': {
      actions: ['client.enable'],
      async args() {
        await done('client', 'disable', scene.client.id);
        return [scene.client.id];
      },
    },
    'client delete': { actions: ['client.revoke', 'client.delete'], args: () => [scene.client.id] },
    'workspace limit': {
      actions: ['workspace.update'],
      args: () => [scene.workspaceId, '--per-second', '5', '--burst', '5'],
    },
    'client disable': { actions: ['client.disable'], args: () => [scene.client.id] },
    'client rotate-secret': { actions: ['client.rotate_secret'], args: () => [scene.client.id] },
    'measures recount': {
      actions: ['measures.update'],
      args: () => ['--workspace', scene.workspaceId, '--from', '2026-01-31T09:00:00Z', '--to', '2026-01-31T10:00:00Z'],
    },
    'key rotate': { actions: ['key.rotate'], args: () => [] },
    'evidence rotate': { actions: ['evidence_key.rotate'], args: () => [] },
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
  /** The same of commands that work by HTTP. */
  const remoteWrites: typeof writes = {
    push: { actions: ['decision.create', 'version.create'], args: () => ['.', '--save'] },
    'decision import': { actions: ['decision.create'], args: () => ['d.json'] },
    'decision copy': { actions: ['decision.create'], args: async () => [...(await ofWorkingCopy()), 'copy.json'] },
    'decision move': { actions: ['decision.update'], args: async () => [...(await ofWorkingCopy()), 'moved.json'] },
    'decision delete': { actions: ['decision.delete'], args: ofWorkingCopy },
    'decision save': { actions: ['version.create'], args: ofWorkingCopy },
    'environment create': { actions: ['environment.create'], args: () => ['--name', 'x'] },
    'environment update': {
      actions: ['environment.update'],
      args: async () => [await scene.environment(), '--name', 'x'],
    },
    'environment delete': { actions: ['environment.delete'], args: async () => [await scene.environment()] },
    'environment hosts set': { actions: ['hosts.update'], args: async () => ['a.example', ...(await ofEnvironment())] },
    'variable set': { actions: ['variable.create'], args: async () => [...(await ofEnvironment()), 'V', '1'] },
    'variable unset': {
      actions: ['variable.delete'],
      async args() {
        const id = await scene.environment();
        await scene.variable(id, 'V', 1);
        return ['--environment', id, 'V'];
      },
    },
    'deployment create': {
      actions: ['routing.create', 'deployment.create'],
      async args() {
        await scene.decision('d.json', doubling(2));
        return ['d.json', ...(await ofEnvironment())];
      },
    },
    'deployment rollback': {
      actions: ['routing.update', 'deployment.create'],
      async args() {
        const environmentId = await scene.environment();
        const decisionId = await scene.decision('d.json', doubling(2));
        for (const version of [1, 0]) await scene.deploy(decisionId, environmentId, version);
        return ['d.json', '--environment', environmentId];
      },
    },
    'replay start': {
      actions: ['replay.create'],
      args: async () => [...(await ofVersion()), '--candidate', '1', '--no-wait'],
    },
    'replay cancel': { actions: ['replay.cancel'], args: runningReplay },
    'shadow start': {
      actions: ['shadow.create'],
      args: async () => [...(await ofVersion()), '--candidate', '1', '--expires', tomorrow()],
    },
    'shadow end': {
      actions: ['shadow.cancel'],
      async args() {
        const { decisionId, environmentId } = await version();
        const request = { decisionId, environmentId, version: 1, sample: 1, expiresAt: tomorrow() };
        const { body } = await scene.caller.post('/logic/shadows', request);
        return [(body as { id: string }).id];
      },
    },
    'change create': {
      actions: ['change_request.create'],
      async args() {
        const { environmentId } = await changing();
        return ['--environment', environmentId, '--title', 'T', '--host', 'a.example'];
      },
    },
    ...Object.fromEntries(
      ['approve', 'reject', 'comment'].map((command) => [
        `change ${command}`,
        { actions: [`change_request.${command}`], args: async () => [(await changing()).id, '--message', 'M'] },
      ]),
    ),
    'change close': { actions: ['change_request.close'], args: async () => [(await changing()).id] },
    'change apply': {
      actions: ['routing.update', 'deployment.create', 'change_request.apply'],
      async args() {
        const made = await changing();
        await review(scene.caller, made);
        return [made.id];
      },
    },
    'table create': { actions: ['decision.create'], args: () => ['d.csv', '--key', 't.json'] },
    'table import': {
      actions: ['decision.update'],
      async args() {
        await scene.write('fees.json', tableOf(2));
        return ['fees.json', 'fees', 'd.csv'];
      },
    },
    'tests import': {
      actions: ['decision.update'],
      async args() {
        await scene.write('d.json', doubling(2));
        return ['d.json', 'tests.csv'];
      },
    },
  };
  const { changing } = writable(scene);
  const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString();
  const version = async (): Promise<{ decisionId: string; environmentId: string }> => ({
    decisionId: await scene.decision('d.json', doubling(2)),
    environmentId: await scene.environment(),
  });
  const ofVersion = async (): Promise<string[]> => ['d.json', '--environment', (await version()).environmentId];
  const ofEnvironment = async (): Promise<string[]> => ['--environment', await scene.environment()];

  /** They read, or write files of this machine alone; the entry of `encryption rotate` is tested with what it does. */
  const others = [
    'encryption rotate',
    ...['tenant list', 'tenant audit', 'tenant callback show', 'tenant callback test', 'workspace list', 'client list'],
    ...['policy list', 'inquiry list', 'inquiry show', 'outbox list'],
    ...['login', 'logout', 'whoami', 'pull', 'diff', 'audit list'],
    ...['execution list', 'execution show', 'execution explain'],
    ...['decision list', 'decision show', 'decision diff', 'decision analyse', 'decision validate', 'decision test'],
    'batch run',
    ...['change list', 'change show', 'table export', 'tests export'],
    ...['environment list', 'environment show', 'environment hosts show', 'variable list', 'deployment list'],
    ...['replay show', 'shadow list', 'shadow show', 'evidence export', 'evidence verify', 'evidence check'],
  ];

  async function ofWorkingCopy(): Promise<string[]> {
    await scene.write('d.json', doubling(2));
    return ['d.json'];
  }

  /** It has ended; its state says otherwise, and nobody takes it up. */
  async function runningReplay(): Promise<string[]> {
    const { id } = await replayed(scene.caller, { ...(await version()), candidate: { version: 1 } });
    await testDatabase()('replays').whereRaw("id = UNHEX(REPLACE(?, '-', ''))", [id]).update({ status: 'RUNNING' });
    return [id];
  }

  /** A message in that state, of the tenant. */
  async function message(state: string): Promise<string[]> {
    await setCallback();
    const id = await inquiry();
    await verdict('inquiry', 'complete', id);
    const { messages } = await done<{ messages: { id: string }[] }>('outbox', 'list', ...ofTenant());
    const [first] = messages;
    if (first === undefined) return expect.fail('nothing was queued');
    await testDatabase()('outbox')
      .whereRaw("id = UNHEX(REPLACE(?, '-', ''))", [first.id])
      .update({ state, due_at: null });
    return [first.id];
  }

  it('is known to this test, or writes nothing', async () => {
    const known = [...Object.keys(writes), ...Object.keys(remoteWrites), ...others];
    expect((await commands()).sort()).to.deep.equal(known.sort());
  });

  for (const [words, { actions, args }] of Object.entries(writes)) {
    it(`${words}: ${actions.join(', ')}, by the operator`, async () => {
      const given = await args();
      const entries = await written(testDatabase(), async () => {
        const ran = await verdict(...words.split(' '), ...given);
        expect(ran.exit, ran.stderr).to.equal(0);
      });
      expect(entries.map(({ action }) => action)).to.deep.equal(actions);
      for (const { principal, requestId } of entries) {
        expect([principal, requestId]).to.deep.equal([`operator:${userInfo().username}`, null]);
      }
    });
  }

  for (const [words, { actions, args }] of Object.entries(remoteWrites)) {
    it(`${words}: ${actions.join(', ')}, by the client and of one request`, async () => {
      const given = await args();
      await writeFile(join(folder, 'd.json'), JSON.stringify(doubling(2)));
      await writeFile(join(folder, 'd.csv'), 'amount,fee\n1,2\n');
      await writeFile(join(folder, 'tests.csv'), 'name,input.x,output.y\na,1,2\n');
      const { client, workspaceId } = scene;
      const place = { directory: folder, environment: remoteEnvironment(app, { ...client, workspaceId }) };
      const entries = await written(testDatabase(), async () => {
        const ran = await verdictIn(place, ...words.split(' '), ...given);
        expect(ran.exit, ran.stderr).to.equal(0);
      });
      expect(entries.map(({ action }) => action)).to.deep.equal(actions);
      const [first] = entries;
      expect(first?.requestId).to.be.a('string');
      for (const { principal, requestId } of entries) {
        expect([principal, requestId]).to.deep.equal([`client:${client.id}`, first?.requestId]);
      }
    });
  }
});
