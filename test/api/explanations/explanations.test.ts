import { expect } from 'chai';
import { setVariable, unsetVariable } from '../../../src/environments/variables.store.js';
import { findLeaf } from '../../../src/evidence/leaves.store.js';
import { createRecords, noAccount } from '../../../src/evidence/records.js';
import { leafHash } from '../../../src/evidence/tree.js';
import { findWholeExecution } from '../../../src/runs/history.store.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { limitRuns, useApp } from '../../support/app.js';
import { bodyOf } from '../../support/asserts.js';
import { eventually } from '../../support/eventually.js';
import { testActor } from '../../support/factories.js';
import { between, calling, doubling, expressing, scripting, type Model } from '../../support/models.js';
import { testDatabase, testStore, useFreshScene } from '../../support/scene.js';

type Trace = Record<string, { readonly output: unknown }>;
interface Explanation {
  readonly executionId: string;
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly result: unknown;
  readonly trace: Trace | null;
}

describe('the explanation of an execution', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  beforeEach(async () => {
    environmentId = await scene.environment();
  });

  /** Writes the model, and deploys version 1 of it, or the working copy. */
  async function deployed(model: Model, version: 0 | 1 = 1, others: Record<string, Model> = {}): Promise<string> {
    const decisionId = await scene.decision('d.json', model, others);
    await scene.deploy(decisionId, environmentId, version);
    return decisionId;
  }
  async function execute(decisionId: string, fact: object = {}): Promise<string> {
    const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact });
    expect(answer.status, answer.text).to.equal(201);
    return (answer.body as { id: string }).id;
  }
  async function explained(id: string): Promise<Explanation> {
    return bodyOf(await scene.caller.get(`/logic/executions/${id}/explanation`)) as Explanation;
  }
  const record = async (id: string): Promise<{ result: unknown; trace: unknown }> =>
    (await scene.caller.get(`/logic/executions/${id}`)).body as { result: unknown; trace: unknown };
  /** Changes a record as if it had been made so: with its leaf, which is waited for, since it would come of the old record or the new one. */
  const change = async (id: string, fields: object): Promise<void> => {
    const { workspaceId } = scene;
    const database = testDatabase();
    const leaf = await eventually(() => findLeaf(database, workspaceId, id));
    await database('executions')
      .where({ id: idToBytes(id) })
      .update(fields);
    const execution = await findWholeExecution(database, workspaceId, id);
    const text = await createRecords(testStore()).ofExecution(execution!, noAccount);
    await database('evidence_leaves')
      .where({ subject_id: idToBytes(id) })
      .update({ hash: leafHash(leaf.salt!, text) });
  };
  const nothing = { exact: false, result: null, trace: null };

  it('runs it again with a trace', async () => {
    const id = await execute(await deployed(doubling(2)), { x: 4 });
    const answer = await scene.caller.get(`/logic/executions/${id.toUpperCase()}/explanation`);
    expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
    const { trace, ...rest } = answer.body as Explanation;
    expect(rest).to.deep.equal({ executionId: id, exact: true, reasons: [], result: { y: 8 } });
    expect(Object.keys(trace ?? {})).to.deep.equal(['in', 'calc', 'out']);
    expect(trace?.['calc']).to.have.deep.property('output', { y: 8 });
    expect(await record(id)).to.deep.include({ result: { y: 8 }, trace: null });
  });

  it('says which row would have matched, in the trace and in words, where a later one answered', async () => {
    const content = {
      hitPolicy: 'first',
      inputs: [{ id: 'i', name: 'Score', field: 'score' }],
      outputs: [{ id: 'o', name: 'Max loan', field: 'maxLoan' }],
      rules: [
        { _id: '1', i: '> 5', o: 'bonus * 2' },
        { _id: '2', i: '', o: '7' },
      ],
    };
    const id = await execute(await deployed(between({ id: 't', type: 'decisionTableNode', name: 'Limits', content })), {
      score: 9,
    });
    const why = 'its Max loan (bonus * 2) could not be computed: `*` does not take a missing value (null) and a number';
    const { exact, trace } = await explained(id);
    expect(exact).to.equal(true);
    expect(trace?.['t']).to.have.nested.property('passedOver[0].message', why);
    const page = await scene.caller.get(`/logic/executions/${id}/explanation`, { Accept: 'text/html' });
    expect(page.text).to.contain(`passed over row 1, which would match, but ${why}`);
  });

  it('sees the clock, the random numbers and the variables that the run saw', async () => {
    const model = expressing({ at: "date('now')", dice: 'rand(1000000)', v: '$env.V', all: '$env' });
    const decisionId = await deployed(model);
    await scene.variable(environmentId, 'V', { first: [1, 2.5] });
    await scene.variable(environmentId, 'W', 'as ever');
    await scene.settled();
    const id = await execute(decisionId);
    await scene.variable(environmentId, 'V', 'second');
    await scene.variable(environmentId, 'LATER', 1);
    const ref = { workspaceId: scene.workspaceId, environmentId };
    await unsetVariable({ ...testStore(), actor: testActor }, ref, 'W');
    await scene.variable(environmentId, 'W', 'other');
    await scene.settled();
    const second = await execute(decisionId);
    for (const each of [id, second]) {
      const { result } = await record(each);
      expect(await explained(each)).to.deep.include({ exact: true, reasons: [], result });
    }
    expect(await record(id)).to.have.deep.nested.property('result.all', { V: { first: [1, 2.5] }, W: 'as ever' });
  });

  it('is of the working copy and of the sub-decisions as they were', async () => {
    const decisionId = await deployed(calling('sub.json'), 0, { 'sub.json': doubling(2) });
    const ids = [await execute(decisionId, { x: 3 })];
    for (const factor of [10, 2, 20]) {
      await scene.write('sub.json', doubling(factor));
      await scene.settled();
      ids.push(await execute(decisionId, { x: 3 }));
    }
    await scene.write('d.json', doubling(0));
    const results = [6, 30, 6, 60];
    for (const [index, id] of ids.entries()) {
      expect(await explained(id)).to.deep.include({ exact: true, reasons: [], result: { y: results[index] } });
    }
  });

  it('is exact for function nodes, whatever they wait for', async () => {
    const waits = `const order = []; const wait = async (ms) => { await console.sleep(ms); order.push([ms, Date.now()]); };
      await Promise.all([wait(9), wait(3), wait(3).then(() => wait(2)), wait(6)]);
      for (const end = Date.now() + 2; Date.now() < end;);
      return { order, dice: [Math.random(), Math.random()], day: dayjs().valueOf(), env: input.$env.V };`;
    const decisionId = await deployed(scripting(waits, "import dayjs from 'dayjs';"));
    await scene.variable(environmentId, 'V', 7);
    await scene.settled();
    for (const id of [await execute(decisionId), await execute(decisionId)]) {
      const { result } = await record(id);
      expect(await explained(id)).to.deep.include({ exact: true, reasons: [], result });
    }
  });

  it('is exact for a run that failed, by the same error', async () => {
    const id = await execute(await deployed(doubling(2)), { x: 'text' });
    const { result, trace } = await record(id);
    const explanation = await explained(id);
    expect(explanation).to.deep.include({ exact: true, reasons: [], result });
    expect(Object.keys(explanation.trace ?? {})).to.deep.equal(Object.keys(trace as Trace));
  });

  it('shows secrets no more than the record does, after they were changed too', async () => {
    const secret = 'hush-hush-1234';
    const decisionId = await deployed(expressing({ key: '$env.KEY', public: 'x' }));
    await scene.variable(environmentId, 'KEY', secret, true);
    await scene.settled();
    const id = await execute(decisionId, { x: 1 });
    await scene.variable(environmentId, 'KEY', 'another one', true);
    const { text, body } = await scene.caller.get(`/logic/executions/${id}/explanation`);
    expect(text).to.not.include(secret);
    expect(body).to.deep.include({ exact: true, reasons: [], result: { key: '[REDACTED]', public: 1 } });
    expect((body as Explanation).trace?.['calc']?.output).to.deep.equal({ key: '[REDACTED]', public: 1 });
  });

  it('says that the fact had a secret in it, and runs the redacted one', async () => {
    const decisionId = await deployed(expressing({ same: 'x == $env.KEY' }));
    await scene.variable(environmentId, 'KEY', 'hush-hush-1234', true);
    await scene.settled();
    const id = await execute(decisionId, { x: 'hush-hush-1234' });
    expect(await explained(id)).to.deep.include({ exact: false, reasons: ['fact_redacted'], result: { same: false } });
    const marked = await execute(decisionId, { x: '[REDACTED]' });
    expect(await explained(marked)).to.deep.include({ exact: true, reasons: [], result: { same: false } });
  });

  it('calls no host again, and says so', async () => {
    const call = scripting(
      `try { await http.get('https://example.com/') } catch {} return { y: 1 }`,
      `import http from 'http';`,
    );
    const id = await execute(await deployed(call));
    const { trace, ...rest } = await explained(id);
    expect(rest).to.deep.equal({ executionId: id, exact: false, reasons: ['http'], result: null });
    expect(trace?.['code']).to.have.nested.property('error.code', 'http_withheld');
  });

  it('says what is not there any more', async () => {
    const decisionId = await deployed(doubling(2), 0);
    const id = await execute(decisionId, { x: 1 });
    await change(id, { fact: null });
    expect(await explained(id)).to.deep.include({ ...nothing, reasons: ['facts_not_recorded'] });
    const own = { workspace_id: idToBytes(scene.workspaceId) };
    await testDatabase()('environments').where(own).update({ config_kept_from: 2 });
    await testDatabase()('kept_programs').where(own).delete();
    const reasons = ['facts_not_recorded', 'configuration_gone', 'program_gone'];
    expect(await explained(id)).to.deep.include({ ...nothing, reasons });
  });

  it('compares by every digit, and blames another engine only for a difference', async () => {
    const id = await execute(await deployed(doubling(2)), { x: 1 });
    await change(id, { result: '{"y":2.0}' });
    expect(await explained(id)).to.deep.include({ exact: false, reasons: [], result: { y: 2 } });
    const context = testDatabase().raw('INSERT(context, 39, 2, ?)', [Buffer.from([0, 0])]);
    const setting = testDatabase()('executions')
      .where({ id: idToBytes(id) })
      .select('setting');
    await testDatabase()('execution_settings').where({ code: setting }).update({ context });
    await change(id, { result: '{"y":2.0}' });
    expect(await explained(id)).to.deep.include({ exact: false, reasons: ['engine_changed'], result: { y: 2 } });
    await change(id, { result: '{"y":2}' });
    expect(await explained(id)).to.deep.include({ exact: true, reasons: [] });
  });

  it('says that a limit had stopped the run, and is 504 where one stops it now', async () => {
    const id = await execute(await deployed(scripting('await console.sleep(300); return { y: 1 }')));
    await limitRuns(app, 100);
    try {
      const answer = await scene.caller.get(`/logic/executions/${id}/explanation`);
      expect([answer.status, (answer.body as { code: string }).code]).to.deep.equal([504, 'engine_timeout']);
    } finally {
      await limitRuns(app, 60_000);
    }
    const error = '{"code":"timeout","message":"stopped"}';
    await change(id, { status: 'FAILED', result: '{"error":"stopped"}', error });
    expect(await explained(id)).to.deep.include({ exact: false, reasons: ['limit'], result: { y: 1 } });
  });

  it('opens no value that was sealed for another variable', async () => {
    const decisionId = await deployed(expressing({ v: '$env.V' }));
    await scene.variable(environmentId, 'V', 'first');
    await scene.settled();
    const id = await execute(decisionId);
    await setVariable(
      testStore(),
      { workspaceId: scene.workspaceId, environmentId },
      { name: 'V', value: 2, secret: false },
    );
    await testDatabase()('variable_history')
      .where({ environment_id: idToBytes(environmentId) })
      .update({ name: 'U' });
    expect(await explained(id)).to.deep.include({ ...nothing, reasons: ['configuration_gone'] });
  });
});
