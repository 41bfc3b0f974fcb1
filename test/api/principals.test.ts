import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { roleNames, roles, type RoleName } from '../../src/oauth/roles.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { all, apply, ask, buildPerson, protect, requestsPath, review } from '../support/changes.js';
import { verdictIn } from '../support/cli.js';
import { buildClient } from '../support/factories.js';
import { callerOf, type Answer, type Caller } from '../support/http.js';
import { doubling } from '../support/models.js';
import { remoteEnvironment } from '../support/remote.js';
import { buildScene, testStore, useFreshScene } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';

const path = '/logic/principals';

interface Named {
  readonly principal: string;
  readonly name: string;
}

interface Paths {
  readonly get?: {
    readonly responses: Record<string, { readonly content?: object } | undefined>;
  };
}

/** Who is named in lists, on paper and in files: people by name, for everybody who may read what names them. */
describe('people by name', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  const made = async (name: string, scopes: string): Promise<{ id: string; caller: Caller }> => {
    const { tenantId, workspaceId } = scene;
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name, scopes });
    return { id: client.id, caller: callerOf(app.baseUrl, await tokenOf(app.baseUrl, client), workspaceId) };
  };
  const ofRole = (name: string, role: RoleName) => made(name, roles[role].scopes.join(' '));

  it('has the names of its tenant for each role that reads what names them, and no other tenant’s', async () => {
    const stranger = await buildScene(app);
    const anna = await ofRole('Anna Approver', 'approver');
    for (const role of roleNames.filter((each) => each !== 'caller')) {
      const { caller } = await ofRole(role, role);
      const named = await all<Named>(caller, path);
      expect(named, role).to.deep.include({ principal: `client:${anna.id}`, name: 'Anna Approver' });
      expect(named.map(({ principal }) => principal)).to.not.include(`client:${stranger.client.id}`);
      for (const one of named) expect(Object.keys(one)).to.deep.equal(['principal', 'name']);
    }
    const theirs = await all<Named>(stranger.caller, path);
    expect(theirs.map(({ name }) => name)).to.not.include('Anna Approver');
  });

  it('has none for who may read nothing that names them', async () => {
    for (const scopes of ['execution:write', 'decisions:read pool:read']) {
      const { caller } = await made('System', scopes);
      expectProblem(await caller.get(path), 'insufficient_scope', {
        instance: path,
        detail: 'This operation needs the scope decision:read.',
      });
    }
    const { caller } = await made('Trail', 'audit:read');
    expect((await caller.get(path)).status).to.equal(200);
  });

  describe('beside the principals that records name', () => {
    let anna: { id: string; caller: Caller };
    let request: { id: string };
    let decisionId: string;
    beforeEach(async () => {
      anna = await ofRole('Anna Approver', 'approver');
      const oscar = await made('Oscar <Author>', `${roles.author.scopes.join(' ')} execution:write`);
      decisionId = await scene.decision('double.json', doubling(2));
      const environmentId = await scene.environment();
      await protect(scene.caller, environmentId);
      const asked = await ask(oscar.caller, environmentId, [{ type: 'deploy', decisionId, version: 1 }]);
      expect((await review(anna.caller, asked)).status).to.equal(201);
      expect((await apply(anna.caller, asked)).status).to.equal(200);
      const run = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      expect((await oscar.caller.post(run, { fact: { n: 2 } })).status).to.equal(201);
      request = asked;
    });
    const paper = (caller: Caller, of: string): Promise<Answer> => caller.get(of, { Accept: 'text/html' });
    const rows = async (of: string): Promise<Record<string, string>[]> =>
      parse((await anna.caller.get(of, { Accept: 'text/csv' })).text, { columns: true, bom: true });

    it('stands on the pages to hand over', async () => {
      const { text } = await paper(anna.caller, `${requestsPath}/${request.id}`);
      expect(text).to.include(`Anna Approver (client:${anna.id}) approved on`);
      expect(text).to.match(/Asked by<\/dt>\s*<dd>Oscar &lt;Author&gt; \(client:/);
      expect(text).to.match(/Applied by<\/dt>\s*<dd>Anna Approver \(client:/);
      const [record] = await all<{ id: string }>(anna.caller, '/logic/executions');
      const explained = await paper(anna.caller, `/logic/executions/${record!.id}/explanation`);
      expect(explained.text).to.match(/Asked by<\/dt>\s*<dd>Oscar &lt;Author&gt; \(client:/);
    });

    it('stands in what commands print for people, and in no document of theirs', async () => {
      const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
      const { id } = scene.client;
      await testStore().database('clients').where('id', idToBytes(id)).update({ name: 'Sam' });
      expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
      const erasure = await scene.caller.post('/logic/erasures', { reference: 'order-1' });
      const [anna, oscar, sam] = ['Anna Approver (client:', 'Oscar <Author> (client:', `Sam (client:${id})`];
      for (const [line, ...people] of [
        ['audit list --action change_request.create', oscar],
        ['audit list --action change_request.approve', anna],
        ['change list', oscar],
        [`change show ${request.id}`, oscar, anna],
        ['deployment list', anna],
        ['erasure list', sam],
        [`erasure show ${(erasure.body as { id: string }).id}`, sam],
        ['decision show double.json', sam],
      ] as const) {
        const { stdout, stderr, exit } = await verdictIn({ environment }, ...line.split(' '));
        expect(exit, stderr).to.equal(0);
        for (const person of people) expect(stdout, line).to.include(person);
        const { stdout: document } = await verdictIn({ environment }, ...line.split(' '), '--json');
        expect(document, `${line} --json`).to.not.include(' (client:');
      }
    });

    it('has a column of its own in each list’s file', async () => {
      const [asked] = await rows(requestsPath);
      expect(asked).to.include({ authorName: 'Oscar <Author>', appliedByName: 'Anna Approver' });
      const [executed] = await rows('/logic/executions');
      expect(executed).to.include({ principalName: 'Oscar <Author>' });
      const named = (await rows(path)).find(({ principal }) => principal === `client:${anna.id}`);
      expect(named, 'of the names themselves').to.deep.equal({ principal: `client:${anna.id}`, name: 'Anna Approver' });
      const names = (await rows('/logic/audit-entries')).map(({ action, principalName }) => [action, principalName]);
      expect(names).to.deep.include.members([
        ['change_request.create', 'Oscar <Author>'],
        ['change_request.approve', 'Anna Approver'],
      ]);
    });
  });

  it('has decisions and environments by name, too, in the file of every list that names them', async () => {
    const { decisionId, environmentId } = await scene.deployed('double.json', doubling(2));
    await protect(scene.caller, environmentId);
    const run = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    expect((await scene.caller.post(run, { fact: { n: 2 } })).status).to.equal(201);
    await ask(scene.caller, environmentId, [{ type: 'hosts', hosts: ['a.example'] }]);
    const { name } = (await scene.caller.get(`/logic/environments/${environmentId}`)).body as { name: string };
    const { paths } = (await scene.caller.get('/openapi.json')).body as { paths: Record<string, Paths> };
    const isList = (list: string): boolean => {
      const types = Object.keys(paths[list]?.get?.responses['200']?.content ?? {});
      return list.startsWith('/logic/') && types.includes('text/csv') && types.includes('application/json');
    };
    const seen: string[] = [];
    for (const list of Object.keys(paths).filter(isList)) {
      const { status, text } = await scene.caller.get(
        list.replace('{id}', list.startsWith('/logic/environments') ? environmentId : decisionId),
        { Accept: 'text/csv' },
      );
      expect(status, `${list} ${text}`).to.equal(200);
      const [header = [], ...rows]: string[][] = parse(text, { bom: true });
      expect(header, list).to.have.length.above(1);
      for (const [id, called, expected] of [
        ['decisionId', 'decisionKey', 'double.json'],
        ['environmentId', 'environmentName', name],
      ] as const) {
        for (const [at, column] of header.entries()) {
          if (column.split('.').at(-1) !== id) continue;
          expect(header[at + 1], `${list} ${column}`).to.equal(column.replace(id, called));
          for (const row of rows) expect(row[at + 1], `${list} ${column}`).to.equal(row[at] === '' ? '' : expected);
          if (rows.length > 0) seen.push(`${list} ${column}`);
        }
      }
    }
    expect(seen).to.include.members([
      '/logic/executions decisionId',
      '/logic/executions environmentId',
      '/logic/deployments decisionId',
      '/logic/routings environmentId',
      '/logic/protections environmentId',
      '/logic/change-requests environmentId',
    ]);
  });

  it('does not say who a client of another tenant is, whatever a record names', async () => {
    const stranger = await buildScene(app);
    const { caller } = await buildPerson(app, scene);
    await testStore()
      .database('audit_entries')
      .where('workspace_id', Buffer.from(scene.workspaceId.replaceAll('-', ''), 'hex'))
      .update({ principal: `client:${stranger.client.id}` });
    await caller.post('/logic/environments', { name: 'Two' });
    const file = await caller.get('/logic/audit-entries', { Accept: 'text/csv' });
    const lines: Record<string, string>[] = parse(file.text, { columns: true, bom: true });
    const theirs = lines.filter(({ principal }) => principal === `client:${stranger.client.id}`);
    expect(theirs.every(({ principalName }) => principalName === '')).to.equal(true);
  });
});
