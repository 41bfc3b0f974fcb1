import { expect } from 'chai';
import { timestamp, uuidV7 } from '../../support/asserts.js';
import { deciding, doubling, expressing, scripting } from '../../support/models.js';
import { ended, masked, replayed, ReplayStage, type ShownReplay, startReplay } from '../../support/replays.js';
import { testDatabase } from '../../support/scene.js';
import { idToBytes } from '../../../src/storage/ids.js';

const nothing = { identical: 0, changed: 0, newlyFailed: 0, newlyCompleted: 0, skipped: {}, measures: [] };

describe('replays', () => {
  const stage = new ReplayStage();
  const execute = async (fact: object, headers?: Record<string, string>): Promise<string> =>
    (await stage.execute(fact, headers)).id;
  const report = async (more: object = {}): Promise<ShownReplay['report']> =>
    (await replayed(stage.scene.caller, stage.request(more))).report;

  it('say which rows and branches of the version the recorded facts reach, and which none does', async () => {
    const rules = [
      { _id: 'young', age: '< 18', fee: '0' },
      { _id: 'dead', age: '< 12', fee: '1' },
      { _id: 'grown', age: '[18..65]', size: '> 3', fee: '2' },
      { age: '', fee: '3' },
    ];
    const table = deciding(rules) as { nodes: object[]; edges: object[] };
    const switching = {
      id: 'switch',
      type: 'switchNode',
      name: 'Switch',
      content: {
        hitPolicy: 'first',
        statements: [
          { id: 'large', condition: 'size > 3' },
          { id: 'never', condition: 'size > 300' },
          { id: 'else', condition: '' },
        ],
      },
    };
    const index = { id: 'index', type: 'expressionNode', name: 'Index', content: { expressions: [] } };
    const before = deciding(rules);
    await stage.deployed(before);
    for (const [age, size] of [
      [3, 1],
      [30, 5],
      [40, 9],
      [40, 1],
    ])
      await execute({ age, size });
    await stage.next({
      nodes: [...table.nodes, switching, index],
      edges: [
        ...table.edges,
        { id: 'c', sourceId: 'in', targetId: 'switch', type: 'edge' },
        { id: 'd', sourceId: 'switch', sourceHandle: 'large', targetId: 'index', type: 'edge' },
        { id: 'e', sourceId: 'index', targetId: 'out', type: 'edge' },
      ],
    });
    const found = (await report()) as unknown as { reach: { nodes: object[]; rules: object[]; unreached: number } };
    expect(found.reach.rules).to.deep.equal([
      { nodeId: 'table', ruleId: 'young', hits: 1 },
      { nodeId: 'table', ruleId: 'dead', hits: 0 },
      { nodeId: 'table', ruleId: 'grown', hits: 2 },
      { nodeId: 'table', ruleId: '3', hits: 1 },
      { nodeId: 'switch', ruleId: 'large', hits: 2 },
      { nodeId: 'switch', ruleId: 'never', hits: 0 },
      { nodeId: 'switch', ruleId: 'else', hits: 2 },
    ]);
    expect(found.reach.unreached).to.equal(2);
    expect(found.reach.nodes).to.deep.include({ nodeId: 'index', hits: 2 });
  });

  it('compare what was recorded with what another version gives now', async () => {
    await stage.deployed(expressing({ y: 'x * 2', kind: "x > 2 ? 'large' : 'small'" }));
    const ids: string[] = [];
    for (let x = 1; x <= 4; x++) ids.push(await execute({ x }, { 'Execution-Reference': `order-${x}` }));
    await stage.next(expressing({ kind: "x > 3 ? 'large' : 'small'", y: 'x * 2.0' }));
    const started = await startReplay(stage.scene.caller, stage.request());
    expect(started).to.have.all.keys('id', 'status', 'done', 'total', 'report', 'request', 'createdAt', 'updatedAt');
    expect(started.id).to.match(uuidV7);
    const {
      status,
      done,
      total,
      report: found,
      createdAt,
      updatedAt,
      request: asked,
    } = await ended(stage.scene.caller, started.id);
    expect({ status, done, total, asked }).to.deep.equal({
      status: 'COMPLETED',
      done: 4,
      total: 4,
      asked: stage.request(),
    });
    expect([createdAt, updatedAt].every((time) => timestamp.test(time))).to.equal(true);
    const { engine, ...counts } = masked(found);
    expect(counts).to.deep.equal({
      ...nothing,
      replayed: 4,
      identical: 3,
      changed: 1,
      fields: [{ pointer: '/kind', count: 1 }],
      transitions: [{ pointer: '/kind', hash: '#', count: 1 }],
      reach: {
        nodes: [
          { nodeId: 'in', hits: 4 },
          { nodeId: 'calc', hits: 4 },
          { nodeId: 'out', hits: 4 },
        ],
        rules: [],
        unreached: 0,
      },
    });
    for (const { p50, p99 } of [engine.before, engine.after]) expect(p99).to.be.at.least(p50!).and.at.least(0.001);
    expect((await stage.differences(started.id)).data).to.deep.equal([
      {
        executionId: ids[2],
        reference: 'order-3',
        changes: [{ pointer: '/kind', before: 'large', after: 'small' }],
      },
    ]);
  });

  it('count what fails now, what does not any more, and two failures as identical', async () => {
    await stage.deployed(doubling(2));
    for (const x of [1, 'a', 'b']) await execute({ x, text: 'z' });
    await stage.next(expressing({ y: "x == 'a' ? 1 : (x == 1 ? text * 2 : x * 2)" }));
    const { id, report: found } = await replayed(stage.scene.caller, stage.request());
    expect(found).to.deep.include({ ...nothing, replayed: 3, identical: 1, newlyFailed: 1, newlyCompleted: 1 });
    expect(found).to.deep.include({ fields: [], transitions: [] });
    const { data } = (await stage.differences(id)) as {
      data: { changes: { pointer: string; before: object; after: object }[] }[];
    };
    expect(data.map(({ changes }) => changes[0]?.pointer)).to.deep.equal(['', '']);
    expect(data.map(({ changes: [change] }) => 'error' in change!.after)).to.deep.equal([false, true]);
  });

  it('run the newest executions first, those of the decision, the environment and the filters alone', async () => {
    await stage.deployed(doubling(2));
    const first = stage.environmentId;
    const ids: string[] = [];
    for (const x of [1, 2, 'a', 3]) ids.push(await execute({ x }));
    stage.environmentId = await stage.scene.environment();
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 1);
    await execute({ x: 9 });
    stage.environmentId = first;
    await stage.next(doubling(3));
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 2);
    await execute({ x: 7 });
    expect(await report()).to.deep.include({ replayed: 5, identical: 2, changed: 3 });
    expect(await report({ filter: { version: 1 } })).to.deep.include({ replayed: 4, changed: 3 });
    expect(await report({ filter: { version: 2 } })).to.deep.include({ replayed: 1, identical: 1 });
    expect(await report({ filter: { status: 'FAILED' } })).to.deep.include({ replayed: 1, identical: 1 });
    const { id, report: newest } = await replayed(stage.scene.caller, stage.request({ limit: 2 }));
    expect(newest).to.deep.include({ replayed: 2, identical: 1, changed: 1 });
    expect((await stage.differences(id)).data[0]).to.deep.include({ executionId: ids[3] });
    expect(await report({ to: '2020-01-01' })).to.include({ replayed: 0 });
    expect(await report({ from: '2020-01-01T00:00:00Z', to: '2120-01-01' })).to.include({ replayed: 5 });
    expect(await report({ from: '2120-01-01' })).to.include({ replayed: 0 });
  });

  it('use the working copy, and the present variables of the environment', async () => {
    await stage.scene.variable(stage.environmentId, 'RATE', 2);
    await stage.deployed(expressing({ y: 'x * $env.RATE' }));
    for (let made = 0; made < 5; made++) await execute({ x: 1 });
    expect(await report({ candidate: { version: 1 } })).to.include({ identical: 5 });
    await stage.scene.variable(stage.environmentId, 'RATE', 3);
    await stage.scene.settled();
    expect((await report({ candidate: { version: 1 } })).transitions).to.deep.equal([
      { pointer: '/y', before: 2, after: 3, count: 5 },
    ]);
    await stage.scene.write('d.json', expressing({ y: '7' }));
    await stage.scene.settled();
    expect((await report({ candidate: { version: 0 } })).transitions).to.deep.equal([
      { pointer: '/y', before: 2, after: 7, count: 5 },
    ]);
  });

  it('ignore, tolerate and measure as they are told', async () => {
    await stage.deployed(expressing({ y: 'x', list: '[{id: x, v: x}]', ok: 'x > 1' }));
    for (const x of [1, 2, 3]) await execute({ x });
    await stage.next(expressing({ y: 'x + 0.1', list: '[{id: x + 10, v: x}]', ok: 'x > 2' }));
    const measure = (name: string, expression: string): object => ({ name, expression, aggregate: name });
    const measures = [
      measure('sum', 'result.y'),
      measure('mean', 'result.y * fact.x'),
      measure('count', 'result.ok'),
      measure('min', 'result.y'),
      measure('max', 'result.y'),
      measure('share', 'result.ok'),
    ];
    const found = await report({ ignore: ['/list/*/id'], tolerance: 0.1, measures });
    expect(found).to.deep.include({ identical: 2, changed: 1, fields: [{ pointer: '/ok', count: 1 }] });
    expect(found.measures.map(({ name, before, after }) => [name, before, after])).to.deep.equal([
      ['sum', 6, 6.3],
      ['mean', 14 / 3, 14.6 / 3],
      ['count', 2, 1],
      ['min', 1, 1.1],
      ['max', 3, 3.1],
      ['share', 2 / 3, 1 / 3],
    ]);
    expect(await report()).to.deep.include({ changed: 3 });
  });

  it('skip facts that held a secret or were not recorded, and show no secret of the environment', async () => {
    await stage.scene.variable(stage.environmentId, 'SECRET', 'very-secret', true);
    await stage.deployed(expressing({ y: '$env.SECRET', z: 'x' }));
    await execute({ x: 'very-secret' });
    await execute({ x: 1 });
    const unrecorded = await execute({ x: 2 });
    await testDatabase()('executions')
      .where({ id: idToBytes(unrecorded) })
      .update({ fact: null });
    await stage.next(expressing({ y: "$env.SECRET + '!'", z: 'x' }));
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 2);
    const answer = await replayed(stage.scene.caller, stage.request());
    expect(masked(answer.report)).to.deep.include({
      replayed: 1,
      changed: 1,
      skipped: { facts_not_recorded: 1, fact_redacted: 1 },
      transitions: [{ pointer: '/y', hash: '#', count: 1 }],
    });
    expect(answer).to.include({ done: 3, total: 3 });
    expect(JSON.stringify([answer, await stage.differences(answer.id)])).to.not.include('very-secret');
  });

  it('skip executions whose candidate would call another host, and call none', async () => {
    await stage.deployed(scripting('return { y: input.x };'));
    for (const x of [1, 2]) await execute({ x });
    // What it catches, it would catch of a call that was refused.
    const call = "try { if (input.x > 1) await http.get('http://127.0.0.1:9/x'); } catch {}";
    await stage.next(scripting(`${call} return { y: input.x };`, "import http from 'http';"));
    expect(await report()).to.deep.include({ replayed: 1, identical: 1, skipped: { http: 1 } });
  });

  it('have the clock and the random numbers of the execution', async () => {
    await stage.deployed(expressing({ time: "d().format('%Y-%m-%d %H:%M:%S')", random: 'rand(1000000000)' }));
    for (let count = 0; count < 3; count++) await execute({});
    await stage.scene.settled();
    expect(await report({ candidate: { version: 1 } })).to.include({ replayed: 3, identical: 3 });
  });

  it('write no execution and no evaluation', async () => {
    await stage.deployed(doubling(2));
    await execute({ x: 1 });
    const rows = async (): Promise<number[]> => {
      const counts = ['executions', 'evaluations'].map(async (table) => {
        const found = await testDatabase()(table).where({ workspace_id: idToBytes(stage.scene.workspaceId) });
        return found.length;
      });
      return Promise.all(counts);
    };
    const before = await rows();
    await report({ candidate: { version: 1 } });
    expect(await rows()).to.deep.equal(before);
  });
});
