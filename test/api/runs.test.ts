import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { limitRuns, useApp } from '../support/app.js';
import { expectProblem, timestamp, uuidV7 } from '../support/asserts.js';
import type { Answer } from '../support/http.js';
import { doubling, endless, expressing, scripting } from '../support/models.js';
import { eventually } from '../support/eventually.js';
import { buildScene, testDatabase, type Scene, useScene } from '../support/scene.js';
import { recordedRows } from '../support/records.js';

describe('evaluations and executions', () => {
  const app = useApp({ POOL_MIN_THREADS: '2', POOL_MAX_THREADS: '2' });
  const scene = useScene(app);
  let environmentId: string;
  before(async () => {
    environmentId = await scene.environment();
  });

  const evaluations = (decisionId: string): string => `/logic/decisions/${decisionId}/evaluations`;
  const executions = (decisionId: string, environment = environmentId): string =>
    `/logic/${environment}/decisions/${decisionId}/executions`;
  const deployed = async (key: string, model: Parameters<Scene['decision']>[1]): Promise<string> =>
    (await scene.deployed(key, model, environmentId)).decisionId;
  const recorded = (id: string): Promise<Record<string, unknown>[]> =>
    recordedRows(testDatabase()).where({ id: idToBytes(id) }) as Promise<Record<string, unknown>[]>;

  it('an evaluation runs exactly the version asked for, with a trace, without an environment', async () => {
    const decisionId = await scene.decision('evaluated.json', doubling(2));
    await scene.write('evaluated.json', doubling(5));
    await scene.settled();
    for (const [version, y] of [
      [1, 8],
      [0, 20],
    ] as const) {
      const answer = await scene.caller.post(evaluations(decisionId), { version, fact: { x: 4 } });
      expect(answer.status, answer.text).to.equal(201);
      const body = answer.body as Record<string, unknown> & { trace: Record<string, Record<string, unknown>> };
      expect(body).to.deep.equal({
        id: body.id,
        status: 'COMPLETED',
        result: { y },
        performance: body.performance,
        trace: body.trace,
      });
      expect(body.id).to.match(uuidV7);
      expect(body.performance).to.match(/^\d+(\.\d{1,3})?ms$/);
      expect(body.trace.calc).to.deep.include({
        id: 'calc',
        name: 'Calculation',
        input: { x: 4 },
        output: { y },
        traceData: { y: { result: y } },
      });
    }
  });

  it('an evaluation sees no variables, and is recorded without its trace', async () => {
    const decisionId = await scene.decision('variables.json', expressing({ absent: '$env.NAME == null' }));
    const answer = await scene.caller.post(evaluations(decisionId), { version: 1, fact: { a: 1 } });
    expect(answer.body).to.include({ status: 'COMPLETED' }).and.to.have.deep.property('result', { absent: true });
    const { id } = answer.body as { id: string };
    const row = await eventually(
      async () => ((await testDatabase()('evaluations').where({ id: idToBytes(id) })) as Record<string, unknown>[])[0],
    );
    expect(row).to.deep.include({
      status: 'COMPLETED',
      fact: '{"a":1}',
      result: '{"absent":true}',
      error: null,
      version: 1,
    });
  });

  it('an evaluation of a version that is not there is 404', async () => {
    const decisionId = await scene.decision('there.json', doubling(1));
    expectProblem(await scene.caller.post(evaluations(decisionId), { version: 2, fact: {} }), 'version_not_found', {
      instance: evaluations(decisionId),
    });
    // Any whole number is a version; those above 2^32 were validation_failed.
    for (const version of [2 ** 32, Number.MAX_SAFE_INTEGER, 1e300]) {
      expectProblem(await scene.caller.post(evaluations(decisionId), { version, fact: {} }), 'version_not_found', {
        instance: evaluations(decisionId),
      });
    }
  });

  const badBodies: [string, unknown, object[]][] = [
    [
      '__proto__ in the fact',
      '{"fact":{"a":{"__proto__":1}}}',
      [{ pointer: '/fact/a/__proto__', message: 'is not allowed as a name' }],
    ],
    [
      'NUL in the fact',
      { fact: { a: ['\0'] } },
      [{ pointer: '/fact/a/0', message: 'must not contain the NUL character' }],
    ],
  ];
  for (const [what, body, errors] of badBodies) {
    it(`an execution with ${what} is refused`, async () => {
      const path = executions(randomUUID());
      expectProblem(await scene.caller.post(path, body, { 'Content-Type': 'application/json' }), 'validation_failed', {
        instance: path,
        errors: errors.map((error) => ({ in: 'body', ...error })) as never,
      });
    });
  }

  it('an execution says what is absent: environment, then decision, then routing', async () => {
    const decisionId = await scene.decision('undeployed.json', doubling(1));
    const cases = [
      [executions(randomUUID(), randomUUID()), 'environment_not_found'],
      [executions(randomUUID()), 'decision_not_found'],
      [executions(decisionId), 'routing_not_found'],
    ] as const;
    for (const [instance, code] of cases)
      expectProblem(await scene.caller.post(instance, { fact: {} }), code, { instance });
  });

  it('an execution answers the fields of the specification, and no trace', async () => {
    const decisionId = await deployed('plain.json', doubling(2));
    const answer = await scene.caller.post(executions(decisionId), {
      fact: { x: 21, name: 'Zoë 🎈', constructor: { prototype: 1 } },
    });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    const body = answer.body as Record<string, string>;
    expect(body).to.deep.equal({
      id: body.id,
      decisionId,
      status: 'COMPLETED',
      result: { y: 42 },
      performance: body.performance,
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    });
    expect(body.createdAt).to.match(timestamp);
    const [row] = await recorded(body.id!);
    expect(row).to.include({ fact: '{"x":21,"name":"Zoë 🎈","constructor":{"prototype":1}}', version: 1 });
    expect(row!.request_id).to.deep.equal(idToBytes(answer.headers['x-request-id']!));
  });

  it('a failing node is 201 FAILED with one line of error and a trace up to the node', async () => {
    const decisionId = await deployed('failing.json', expressing({ fine: 'x + 1', broken: 'len(x)' }));
    const answer = await scene.caller.post(executions(decisionId), { fact: { x: 1 } });
    expect(answer.status, answer.text).to.equal(201);
    const body = answer.body as {
      id: string;
      status: string;
      result: { error: string };
      trace: Record<string, { error?: object }>;
    };
    expect(body.status).to.equal('FAILED');
    expect(body.result).to.have.all.keys('error');
    expect(body.result.error)
      .to.match(/Calculation.*broken/)
      .and.not.include('\n');
    expect(body.trace).to.have.all.keys('in', 'calc');
    expect(body.trace.calc!.error).to.include({ code: 'type_error' });
    const [row] = await recorded(body.id);
    expect(row).to.include({ status: 'FAILED', result: JSON.stringify(body.result) });
    expect(JSON.parse(row!.trace as string)).to.deep.equal(body.trace);
  });

  it('a fault larger than its column is cut: a function node of 70 KB throws, and that is recorded', async () => {
    const decisionId = await deployed(
      'large-source.json',
      scripting(`/* ${'x'.repeat(70_000)} */ throw new Error('no')`),
    );
    const answer = await scene.caller.post(executions(decisionId), { fact: {} });
    expect(answer.status, answer.text).to.equal(201);
    const { id, status, result } = answer.body as { id: string; status: string; result: { error: string } };
    expect([status, result.error]).to.deep.equal(['FAILED', 'Node "Code", source: no']);
    const [row] = await recorded(id);
    expect(JSON.parse(row!.error as string)).to.include({ code: 'function_failed', message: 'no', nodeId: 'code' });
  });

  it('an endless decision is stopped with 504, recorded, and does not delay another workspace', async () => {
    const endlessId = await deployed('endless.json', endless());
    const other = await buildScene(app);
    const { decisionId: quickId, environmentId: otherEnvironment } = await other.deployed('quick.json', doubling(2));
    const quick = (): Promise<Answer> => other.caller.post(executions(quickId, otherEnvironment), { fact: { x: 1 } });
    await quick();
    // Long enough for this machine to serve the others, and to stand still for a moment.
    const alone = performance.now();
    for (let nth = 0; nth < 11; nth++) await quick();
    const limitMs = Math.round(3000 + 4 * (performance.now() - alone));
    await limitRuns(app, limitMs);

    let stopped: Answer | undefined;
    const running = scene.caller.post(executions(endlessId), { fact: {} }).then((answer) => (stopped = answer));
    let served = 0;
    while (stopped === undefined) {
      expect((await quick()).status).to.equal(201);
      served++;
    }
    const answer = await running;
    const { executionId } = answer.body as { executionId: string };
    expectProblem(answer, 'engine_timeout', { instance: executions(endlessId), extensions: { executionId } });
    const [row] = await recorded(executionId);
    expect(row).to.include({ status: 'FAILED', version: 1 });
    expect(served).to.be.greaterThan(10);
    await limitRuns(app, 60_000);
    expect((await quick()).status).to.equal(201);
  });

  it('a 1 MB fact is refused whole, and nothing is recorded', async () => {
    const decisionId = await deployed('large.json', doubling(1));
    const path = executions(decisionId);
    expectProblem(await scene.caller.post(path, { fact: { x: 'y'.repeat(1024 * 1024) } }), 'body_too_large', {
      instance: path,
    });
    expect(await recordedRows(testDatabase()).where({ decision_id: idToBytes(decisionId) })).to.deep.equal([]);
  });

  it('sub-decisions run without a deployment of their own, pinned by the version', async () => {
    const parent = {
      nodes: [
        { id: 'in', type: 'inputNode', name: 'Request', content: {} },
        { id: 'sub', type: 'decisionNode', name: 'Inner', content: { key: './inner' } },
        { id: 'out', type: 'outputNode', name: 'Response', content: {} },
      ],
      edges: [
        { id: 'a', sourceId: 'in', targetId: 'sub', type: 'edge' },
        { id: 'b', sourceId: 'sub', targetId: 'out', type: 'edge' },
      ],
    };
    const decisionId = await scene.decision('outer/main.json', parent, { 'outer/inner.json': doubling(2) });
    await scene.deploy(decisionId, environmentId, 1);
    await scene.decision('outer/inner.json', doubling(9));
    await scene.settled();
    const answer = await scene.caller.post(executions(decisionId), { fact: { x: 2 } });
    expect(answer.body, answer.text).to.have.deep.property('result', { y: 4 });
    const working = await scene.caller.post(evaluations(decisionId), { version: 0, fact: { x: 2 } });
    expect(working.body).to.have.deep.property('result', { y: 18 });
  });

  it('a variable that is set takes effect within a second', async () => {
    const decisionId = await deployed('configured.json', expressing({ rate: '$env.RATE ?? 0' }));
    const run = async (): Promise<unknown> =>
      ((await scene.caller.post(executions(decisionId), { fact: {} })).body as { result: unknown }).result;
    expect(await run()).to.deep.equal({ rate: 0 });
    await scene.variable(environmentId, 'RATE', { a: [1.5] });
    await scene.settled();
    expect(await run()).to.deep.equal({ rate: { a: [1.5] } });
  });
});
