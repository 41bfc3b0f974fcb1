import { expect } from 'chai';
import { useOwnApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import type { Answer } from '../support/http.js';
import { eventually } from '../support/eventually.js';
import { calling, scripting, type Model } from '../support/models.js';
import { buildScene, useScene } from '../support/scene.js';
import { json, useTestServer } from '../support/target-server.js';

const path = '/logic/evaluation-hosts';

interface Evaluated {
  readonly status: string;
  readonly result: { readonly got?: unknown; readonly env?: unknown; readonly error?: string };
}

describe('hosts that evaluations call', () => {
  const server = useTestServer((_request, response) => json(response, { answer: 42 }));
  /** What redirects to the first one. */
  const redirecting = useTestServer((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${server.port}/` }).end();
  });
  let allowed: string;
  // Another address of the machine than the one that is not allowed.
  before(() => void (allowed = `127.0.0.2:${server.port}`));
  const app = useOwnApp(() => ({ OUTBOUND_ALLOW: `${allowed},127.0.0.2:${redirecting.port}` }));
  const scene = useScene(app);
  beforeEach(() => server.seen.splice(0));

  const calls = (address: string): Model =>
    scripting(
      `return { got: (await http.get(${JSON.stringify(address)})).data, env: input.$env }`,
      "import http from 'http';",
    );
  const allow = (...hosts: string[]): Promise<Answer> => scene.caller.put(path, { hosts });
  const draft = (content: Model): Promise<Answer> => scene.caller.post('/logic/evaluations', { content, fact: {} });
  const evaluate = (id: string, version = 1): Promise<Answer> =>
    scene.caller.post(`/logic/decisions/${id}/evaluations`, { version, fact: {} });

  /** The answer of an evaluation whose call came through, once. */
  function reached(answer: Answer): void {
    expect(answer.status, answer.text).to.equal(201);
    const { status, result } = answer.body as Evaluated;
    expect({ status, result }).to.deep.equal({ status: 'COMPLETED', result: { got: { answer: 42 }, env: {} } });
    expect(server.seen.splice(0).length).to.equal(1);
  }
  /** The answer of an evaluation that reached nobody. */
  function reachedNobody(answer: Answer, why = /not on the list|not a public address|not stand at a public/): void {
    expect(answer.status, answer.text).to.equal(201);
    const { status, result } = answer.body as Evaluated;
    expect(status, answer.text).to.equal('FAILED');
    expect(result.error).to.match(why);
    expect(server.seen.length).to.equal(0);
  }

  it('are a list of the workspace, empty at first, with an entity tag', async () => {
    const other = await buildScene(app);
    const empty = await other.caller.get(path);
    expect([empty.status, empty.body]).to.deep.equal([200, { hosts: [] }]);
    const tag = empty.headers['etag'] ?? expect.fail('no tag');
    expect((await other.caller.get(path, { 'If-None-Match': tag })).status).to.equal(304);
    const written = await other.caller.put(path, { hosts: ['API.example', 'api.example', '*.example.org:8443'] });
    expect([written.status, written.body]).to.deep.equal([200, { hosts: ['api.example', '*.example.org:8443'] }]);
    expectProblem(await other.caller.put(path, { hosts: [] }, { 'If-Match': tag }), 'precondition_failed', {
      instance: path,
    });
    expect((await other.caller.get(path)).headers['etag']).to.equal(written.headers['etag']);
    expect((await scene.caller.get(path)).body).to.deep.equal({ hosts: [] });
    const entries = await other.caller.get('/logic/audit-entries?action=evaluation_hosts.update');
    expect((entries.body as { data: object[] }).data[0]).to.deep.include({
      resource: { type: 'evaluation_hosts', id: other.workspaceId },
      before: { hosts: [] },
      after: { hosts: ['api.example', '*.example.org:8443'] },
    });
  });

  it('are called by an evaluation, a draft and a sub-decision of each, from the answer of the list on', async () => {
    const model = calls(`http://${allowed}/`);
    const parent = await scene.decision('parent.json', calling('child.json'), { 'child.json': model });
    reachedNobody(await draft(model));
    reachedNobody(await evaluate(parent));
    await allow(allowed);
    reached(await draft(model));
    reached(await draft(calling('child.json')));
    reached(await evaluate(parent));
    reached(await evaluate(parent, 0));
    await allow();
    reachedNobody(await evaluate(parent));
    reachedNobody(await draft(model));
  });

  it('are those of the evaluations alone: an environment has a list of its own', async () => {
    const model = calls(`http://${allowed}/`);
    const { environmentId: environment, decisionId: decision, path } = await scene.deployed('deployed.json', model);
    await allow(allowed);
    const execute = (): Promise<Answer> => scene.caller.post(path, { fact: {} });
    reachedNobody(await execute());
    await allow();
    const hosts = await scene.caller.put(`/logic/environments/${environment}/hosts`, { hosts: [allowed] });
    expect(hosts.status).to.equal(200);
    expect((await execute()).body).to.deep.include({ status: 'COMPLETED' });
    expect(server.seen.splice(0).length).to.equal(1);
    reachedNobody(await evaluate(decision));
  });

  it('are no others, however they are written, also where the operator allows one or the list names them', async () => {
    const { port } = server;
    const spellings = ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:127.0.0.2]'];
    const names = [...spellings, '0.0.0.0', 'localhost', '127.0.0.3', '169.254.169.254'];
    await allow(allowed, ...names, ...names.map((name) => `${name}:${port}`), '*.0.0.2');
    for (const name of names) reachedNobody(await draft(calls(`http://${name}:${port}/`)));
    reachedNobody(await draft(calls(`http://user:pw@${allowed}/`)), /credentials/);
    reachedNobody(await draft(calls(`https://127.0.0.1:${port}\\@${allowed}/`)));
    reachedNobody(await draft(calls(`ftp://${allowed}/`)), /only http/);
    // What the operator allows counts only where the list names it, with its port.
    await allow('127.0.0.2', '*.0.0.2');
    reachedNobody(await draft(calls(`http://${allowed}/`)));
    reachedNobody(await draft(calls(`http://127.0.0.2:${redirecting.port}/`)));
  });

  it('do not lead on by a redirect to one that is not allowed', async () => {
    await allow(`127.0.0.2:${redirecting.port}`, '127.0.0.1');
    reachedNobody(await draft(calls(`http://127.0.0.2:${redirecting.port}/`)));
    expect(redirecting.seen.splice(0).length).to.equal(1);
  });

  it('are called by no test of a model, no replay and no shadow', async () => {
    await allow(allowed);
    const decision = await scene.decision('tested.json', {
      ...calls(`http://${allowed}/`),
      tests: [{ input: {}, output: { got: { answer: 42 } } }],
    });
    const report = await scene.caller.post(`/logic/decisions/${decision}/tests`, { version: 1 });
    expect(report.body).to.deep.include({ passed: 0, failed: 1 });
    const environment = await scene.environment();
    const pair = { environmentId: environment, decisionId: decision };
    await scene.deploy(decision, environment);
    const executed = await scene.caller.post(`/logic/${environment}/decisions/${decision}/executions`, { fact: {} });
    expect(executed.body).to.deep.include({ status: 'FAILED' });
    const replay = await scene.caller.post('/logic/replays', { ...pair, candidate: { version: 1 } });
    expect(replay.status, replay.text).to.equal(202);
    const { id } = replay.body as { id: string };
    await eventually(async () => {
      const { status } = (await scene.caller.get(`/logic/replays/${id}`)).body as { status: string };
      return status === 'COMPLETED' || undefined;
    });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const shadow = await scene.caller.post('/logic/shadows', { ...pair, version: 1, sample: 1, expiresAt });
    expect(shadow.status, shadow.text).to.equal(201);
    const { id: shadowId } = shadow.body as { id: string };
    await eventually(async () => {
      await scene.caller.post(`/logic/${environment}/decisions/${decision}/executions`, { fact: {} });
      const { report } = (await scene.caller.get(`/logic/shadows/${shadowId}`)).body as { report: Report };
      return report.replayed + Object.values(report.skipped).reduce((sum, count) => sum + count, 0) > 0 || undefined;
    });
    expect(server.seen.length).to.equal(0);
  });
});

interface Report {
  readonly replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
}
