import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { bootApp } from '../support/app.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { call, callerOf, type Answer, type Caller } from '../support/http.js';
import { calling, doubling, expressing, type Model } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { ended } from '../support/replays.js';
import { buildScene, testDatabase, type Scene } from '../support/scene.js';

const parts = 50;
const partBytes = 6_000_000;
/** Of the server: less than the program has. */
const heapMb = 256;
/** What the server may gain in RAM meanwhile: less than the program, whatever is asked for at once. */
const maxGainBytes = 256 * 1024 * 1024;

const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

const partKey = (n: number): string => `parts/${n}.json`;

const spareKey = 'spare.json';

/** Runs all parts, one after the other. */
function assembling(name: string): Model {
  const calls = Array.from({ length: parts }, (_, n) => ({
    id: `call${n}`,
    type: 'decisionNode',
    name: `Part ${n}`,
    content: { key: partKey(n) },
  }));
  const nodes = [
    { id: 'in', type: 'inputNode', name, content: {} },
    ...calls,
    { id: 'out', type: 'outputNode', name: 'Response', content: {} },
  ];
  const edges = nodes.slice(1).map(({ id }, n) => ({ id: `e${n}`, sourceId: nodes[n]!.id, targetId: id }));
  return { nodes, edges };
}

describe('a program of 300 MB', function () {
  let scene: Scene;
  let server: ServerProcess;
  let caller: Caller;
  let root: string;
  let part: string;
  let spare: string;
  let changes = 0;
  let environmentId: string;
  let executionId: string;

  before(async () => {
    const app = await bootApp();
    scene = await buildScene(app);
    for (let n = 0; n < parts; n++) part = await scene.write(partKey(n), expressing({ [`part${n}`]: '1' }));
    root = await scene.write('root.json', assembling('Root'));
    spare = await scene.write(spareKey, doubling(2));
    await scene.write('parts/user.json', calling(spareKey));
    environmentId = await scene.environment();
    await scene.deploy(root, environmentId, 0);
    const ran = await scene.caller.post(`/logic/${environmentId}/decisions/${root}/executions`, { fact: {} });
    expect(ran.status, ran.text).to.equal(201);
    executionId = (ran.body as { id: string }).id;
    await app.stop();
    // Contents are known by their hashes, which nobody computes again: this is as if they had been imported so.
    // MySQL may set the columns of one statement in any order, where that asks another table.
    const ofParts = `WHERE hash IN (SELECT content_hash FROM decisions WHERE workspace_id = ? AND decision_key LIKE 'parts/%')`;
    const workspace = Buffer.from(scene.workspaceId.replaceAll('-', ''), 'hex');
    await testDatabase().raw(
      `UPDATE contents SET body = CONCAT(LEFT(body, CHAR_LENGTH(body) - 1), ',"pad":"', REPEAT('x', ?), '"}') ${ofParts}`,
      [partBytes, workspace],
    );
    await testDatabase().raw(`UPDATE contents SET bytes = LENGTH(body) ${ofParts}`, [workspace]);
    // It is deployed, so that it is looked at while the server starts.
    server = await startServer(
      {
        LOG_LEVEL: 'warn',
        MAX_BYTES_IN_FLIGHT: String((heapMb / 4) * 1024 * 1024),
        DATABASE_TIMEOUT_MS: '30000',
        POOL_MAX_WAIT_MS: '60000',
        RUN_TIMEOUT_MS: '20000',
      },
      [`--max-old-space-size=${heapMb}`],
    );
    caller = callerOf(server.baseUrl, scene.token, scene.workspaceId);
  });
  after(() => server.stop());

  const decision = (id: string): string => `/logic/decisions/${id}`;
  const draft = (): object => ({ key: 'draft.json', content: assembling('Draft') });
  /** What each route answers: the status, and the code of a refusal. */
  const routes: Readonly<Record<string, readonly [() => Promise<Answer>, string]>> = {
    'an execution': [
      () => caller.post(`/logic/${environmentId}/decisions/${root}/executions`, { fact: {} }),
      '422 model_too_large',
    ],
    'an evaluation of the working copy': [
      () => caller.post(`${decision(root)}/evaluations`, { version: 0, fact: {} }),
      '422 model_too_large',
    ],
    'its tests': [() => caller.post(`${decision(root)}/tests`, { version: 0 }), '422 model_too_large'],
    'a draft that reaches it': [
      () => caller.post('/logic/evaluations', { ...draft(), fact: {} }),
      '422 model_too_large',
    ],
    'the explanation of a run': [
      () => caller.get(`/logic/executions/${executionId}/explanation`),
      '422 model_too_large',
    ],
    'its save': [() => caller.post(`${decision(root)}/versions`, {}), '422 model_too_large'],
    'an import that saves another that reaches it': [
      () => caller.post('/logic/imports', { decisions: [{ ...draft(), key: 'saved.json' }], save: true }),
      '422 model_too_large',
    ],
    'an import of another that reaches it': [
      () => caller.post('/logic/imports', { decisions: [{ ...draft(), key: 'imported.json' }] }),
      '200',
    ],
    'a validation': [() => caller.post('/logic/validations', { decisions: [draft()] }), '200'],
    'a change of its key': [() => caller.patch(decision(root), { key: `root${Math.random()}.json` }), '200'],
    'a change of a key, after which a part that names it is checked': [
      () => caller.patch(decision(spare), { key: changes++ % 2 === 0 ? 'other.json' : spareKey }),
      '200',
    ],
    'a part': [() => caller.get(`${decision(part)}/versions/0`), '200'],
    'the differences of a part': [() => caller.get(`${decision(part)}/versions/0/differences/0`), '200'],
    "a part's schemas": [() => caller.get(`${decision(part)}/versions/0/schema`), '200'],
    'its document for generators': [() => caller.get(`/logic/${environmentId}/decisions/${root}/openapi.json`), '200'],
  };
  const shown = ({ status, body }: Answer): string =>
    status < 300 ? String(status) : `${status} ${(body as { code: string }).code}`;

  it('keeps no server from starting', async () => {
    expect((await call(`${server.adminUrl}/readyz`)).status).to.equal(200);
    await eventually(() => server.log().includes('a deployed decision is not prepared'));
  });

  for (const [name, [ask, wanted]] of Object.entries(routes)) {
    it(`is refused with its code, or served: ${name}`, async () => {
      const answer = await ask();
      expect(shown(answer), answer.text.slice(0, 500)).to.equal(wanted);
    });
  }

  it('fails a replay, with the reason', async () => {
    const request = { decisionId: root, environmentId, candidate: { version: 0 } };
    const { body } = await caller.post('/logic/replays', request);
    const { status, error } = await ended(caller, (body as { id: string }).id);
    expect(status).to.equal('FAILED');
    expect(error).to.match(
      /^The model and all decisions that it reaches have \d{9} bytes together; at most \d+ can be run\.$/,
    );
  });

  it('takes a server no more memory than it may have, asked for on all routes at once', async () => {
    const before = residentBytes(server.pid);
    let largest = 0;
    const watch = setInterval(() => (largest = Math.max(largest, residentBytes(server.pid))), 20);
    const asked = Object.values(routes).flatMap((route) => Array<typeof route>(isLong ? 4 : 2).fill(route));
    const answers = await Promise.all(asked.map(async ([ask, wanted]) => [shown(await ask()), wanted]));
    clearInterval(watch);
    // Where all ask at once, a workspace may hold less than they would take together.
    const unexpected = answers.filter(([got, wanted]) => got !== wanted && got !== '503 overloaded');
    expect(unexpected).to.deep.equal([]);
    expect(largest - before).to.be.below(maxGainBytes);
    expect((await call(`${server.adminUrl}/readyz`)).status).to.equal(200);
  });
});
