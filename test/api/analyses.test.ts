import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { bodyOf, expectProblem } from '../support/asserts.js';
import { calling, deciding, expressing, type Model } from '../support/models.js';
import { useFreshScene } from '../support/scene.js';

const path = '/logic/analyses';
const table = 'table';
const fees = (limit: number): Model =>
  deciding([
    { _id: 'young', age: `< ${limit}`, size: '', fee: '1' },
    { _id: 'old', age: '> 18', size: '', fee: '2' },
    { _id: 'never', age: '> 60', size: '', fee: '3' },
  ]);
const gap = {
  kind: 'gap',
  rules: [],
  status: 'proved',
  witness: { fact: { age: 18 }, input: { age: 18 }, result: {} },
  message: 'No row takes age = 18',
};
const shadowed = {
  kind: 'shadowed',
  rules: ['never'],
  status: 'proved',
  witness: { fact: { age: 61 }, input: { age: 61 }, result: { fee: 2 } },
  message: 'Row 3 is never reached: row 2 takes all of its inputs',
};
const element = (ruleId: string, status: string) => ({ nodeId: table, ruleId, status });
const reach = {
  reachable: 2,
  unreachable: 1,
  unknown: 0,
  elements: [element('young', 'reachable'), element('old', 'reachable'), element('never', 'unreachable')],
};
const tables = [{ nodeId: table, node: 'Table', hitPolicy: 'first', findings: [shadowed, gap] }];

describe('POST /logic/analyses', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const analysed = async (body: object): Promise<Record<string, unknown>> =>
    bodyOf(await scene.caller.post(path, body)) as Record<string, unknown>;

  it('tells what is proved of a version, and of its working copy', async () => {
    const decisionId = await scene.decision('fees.json', fees(18));
    const report = { decisionId, tables, properties: [], change: null, reach };
    expect(await analysed({ decisionId, version: 1 })).to.deep.equal({ ...report, version: 1 });
    expect(await analysed({ decisionId, version: 0 })).to.deep.equal({ ...report, version: 0 });
  });

  it('tells the same of a draft, which is stored nowhere', async () => {
    expect(await analysed({ content: fees(18) })).to.deep.equal({
      ...{ decisionId: null, version: null, tables, properties: [] },
      ...{ change: null, reach },
    });
    expect((await scene.caller.get('/logic/decisions')).body)
      .to.have.property('data')
      .that.deep.equals([]);
  });

  it('tells findings alone where no facts are to be searched for: what only a run would show is unknown', async () => {
    expect(await analysed({ content: fees(18), search: false })).to.deep.equal({
      ...{ decisionId: null, version: null, tables, properties: [], change: null },
      reach: {
        ...{ reachable: 0, unreachable: 1, unknown: 2 },
        elements: [element('young', 'unknown'), element('old', 'unknown'), element('never', 'unreachable')],
      },
    });
  });

  it('tells exactly where two versions differ, and proves that equal ones are equal', async () => {
    const decisionId = await scene.decision('fees.json', fees(18));
    await scene.write('fees.json', fees(10));
    const witness = (age: number) => ({ fact: { age }, input: { age }, result: {} });
    expect((await analysed({ decisionId, version: 0, against: { version: 1 } }))['change']).to.deep.equal({
      status: 'different',
      regions: [{ when: 'age in [10..18)', witness: witness(10), before: { fee: 1 }, after: {} }],
      rows: [{ nodeId: table, before: ['young'], after: [], regions: [0] }],
      undecided: [],
      reason: null,
    });
    expect((await analysed({ decisionId, version: 1, against: { version: 1 } }))['change']).to.deep.equal({
      status: 'equal',
      regions: [],
      rows: [],
      undecided: [],
      reason: null,
    });
  });

  it('says what could not be compared, and why', async () => {
    const changeTo = async (key: string, model: Model): Promise<unknown> => {
      const decisionId = await scene.decision(key, fees(18));
      await scene.write(key, model);
      return (await analysed({ decisionId, version: 0, against: { version: 1 } }))['change'];
    };
    expect(await changeTo('other.json', expressing({ fee: '1' }))).to.include({
      status: 'different',
      reason: 'they differ in more than rows and columns of tables',
    });
    const young = { _id: 'young', age: '', size: 'len(size) < 9', fee: '1' };
    expect(await changeTo('calls.json', deciding([young]))).to.include({
      reason: 'in the table “Table” `len(size) < 9` does more than compare a field with constants',
    });
  });

  it('does not take versions for equal whose sub-decisions differ', async () => {
    const decisionId = await scene.decision('main.json', calling('sub.json'), { 'sub.json': fees(18) });
    await scene.write('sub.json', expressing({ fee: '7' }));
    const { change } = await analysed({ decisionId, version: 0, against: { version: 1 } });
    expect(change).to.deep.equal({
      status: 'different',
      regions: [{ when: null, witness: { fact: {}, input: {}, result: { fee: 7 } }, before: {}, after: { fee: 7 } }],
      rows: [],
      undecided: [],
      reason: 'a decision that they call is another one',
    });
  });

  it('proves properties, and refutes others with a fact', async () => {
    const { properties } = await analysed({
      content: fees(18),
      properties: [
        { name: 'dear', never: 'result.fee > 2' },
        { name: 'minors', never: 'fact.age < 17 and result.fee != 1' },
        { name: 'always 1', always: 'result.fee == 1' },
        { name: 'beyond the method', never: 'len(string(result.fee)) > 5' },
      ],
    });
    const [dear, minors, one, beyond] = properties as { witness: { fact: { age: unknown }; result: unknown } | null }[];
    expect([dear, minors, beyond]).to.deep.equal([
      { name: 'dear', status: 'proved', witness: null, reason: null },
      { name: 'minors', status: 'proved', witness: null, reason: null },
      {
        ...{ name: 'beyond the method', status: 'unknown', witness: null },
        reason: 'it does more than compare fields of the fact and the result with constants',
      },
    ]);
    expect(one).to.deep.include({ name: 'always 1', status: 'refuted' });
    const seen = await scene.caller.post('/logic/evaluations', { content: fees(18), fact: one?.witness?.fact });
    expect(seen.body).to.have.property('result').that.deep.equals(one?.witness?.result);
  });

  it('refuses a property that does not parse, naming it', async () => {
    const properties = [
      { name: 'good', never: 'result.fee > 2' },
      { name: 'bad', always: '1 +' },
    ];
    const answer = await scene.caller.post(path, { content: fees(18), properties });
    const { errors } = answer.body as { errors: { in: string; pointer: string }[] };
    expectProblem(answer, 'validation_failed', { instance: path, errors: errors as [] });
    expect(errors.map((error) => [error.in, error.pointer])).to.deep.equal([['body', '/properties/1/always']]);
    const both = await scene.caller.post(path, {
      content: fees(18),
      properties: [{ name: 'both', never: 'true', always: 'true' }],
    });
    expectProblem(both, 'validation_failed', {
      instance: path,
      errors: [{ in: 'body', pointer: '/properties/0', message: 'needs `name`, and either `never` or `always`' }],
    });
  });

  it('takes either a version or a draft', async () => {
    const decisionId = await scene.decision('fees.json', fees(18));
    const message =
      'must have either `decisionId` and `version`, with or without `against`, or `content`, with or without `key`';
    for (const body of [
      {},
      { decisionId },
      { decisionId, version: 1, content: fees(18) },
      { decisionId, version: 1, key: 'a' },
      { content: fees(18), against: { version: 1 } },
    ]) {
      const answer = await scene.caller.post(path, body);
      expectProblem(answer, 'validation_failed', { instance: path, errors: [{ in: 'body', pointer: '', message }] });
    }
    const lost = await scene.caller.post(path, { decisionId, version: 9 });
    expectProblem(lost, 'version_not_found', { instance: path });
    const bad = await scene.caller.post(path, { content: { nodes: 1 } });
    const { faults } = bad.body as { faults: [] };
    expectProblem(bad, 'model_has_faults', { instance: path, extensions: { faults } });
  });

  it('ends in `unknown` for a table with exponentially many boxes, and serves its neighbours', async () => {
    const columns = Array.from({ length: 40 }, (_, index) => `c${index}`);
    // Each row leaves two parts in five columns of its own choice.
    const rules = Array.from({ length: 1000 }, (_, row) => ({
      _id: `r${row}`,
      o: '1',
      ...Object.fromEntries(
        [1, 7, 11, 13, 17].map((step) => [`c${(row * step + (row >> 3)) % 40}`, `$ != ${row % 50}`]),
      ),
    }));
    const content = fees(18) as { nodes: { id: string; content: object }[] };
    for (const node of content.nodes) {
      if (node.id !== table) continue;
      const inputs = columns.map((id) => ({ id, name: id, field: id }));
      node.content = { hitPolicy: 'first', inputs, outputs: [{ id: 'o', name: 'o', field: 'o' }], rules };
    }
    const [report, other] = await Promise.all([
      analysed({ content }),
      scene.caller.post('/logic/evaluations', { content: fees(18), fact: { age: 1 } }),
    ]);
    const [found] = report['tables'] as { findings: { status: string }[] }[];
    expect(found?.findings.some(({ status }) => status === 'unknown')).to.equal(true);
    expect(other.status).to.equal(201);
  });
});

describe('POST /logic/decisions/{id}/tests/suggestions', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  it('suggests a test for each row that can be reached, and they pass', async () => {
    const decisionId = await scene.decision('fees.json', fees(18));
    const suggestions = `/logic/decisions/${decisionId}/tests/suggestions`;
    const { status, body } = await scene.caller.post(suggestions, { version: 1 });
    const { tests } = body as { tests: { name: string; input: object; output: object; reaches: object[] }[] };
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      tests,
      unreachable: [{ nodeId: table, ruleId: 'never' }],
      unknown: [],
    });
    // By what a person calls it, and what goes in.
    for (const { name } of tests) expect(name).to.match(/^(Table row [12]|Boundary \d): -?\d+/);
    expect(tests.flatMap(({ reaches }) => reaches)).to.have.deep.members([
      { nodeId: table, ruleId: 'young' },
      { nodeId: table, ruleId: 'old' },
    ]);
    await scene.write('fees.json', { ...fees(18), tests });
    const run = await scene.caller.post(`/logic/decisions/${decisionId}/tests`, { version: 0 });
    expect(run.body).to.deep.include({ passed: tests.length, failed: 0 });
    const lost = await scene.caller.post(suggestions, { version: 5 });
    expectProblem(lost, 'version_not_found', { instance: suggestions });
  });

  it('gives nothing for a column in which no row says anything', async () => {
    const [first, second] = [
      { _id: '1', kind: '"Car"', home: '', fee: '1' },
      { _id: '2', kind: '"Personal"', home: '', fee: '2' },
    ];
    const content = {
      hitPolicy: 'first',
      inputs: [
        { id: 'kind', name: 'Kind', field: 'kind' },
        { id: 'home', name: 'Home country', field: 'homeCountry' },
      ],
      outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
    };
    const inputsOf = async (key: string, rules: readonly object[]): Promise<object[]> => {
      const { nodes, ...rest } = fees(18) as { nodes: { type: string }[] };
      const changed = nodes.map((node) =>
        node.type === 'decisionTableNode' ? { ...node, content: { ...content, rules } } : node,
      );
      const id = await scene.decision(key, { ...rest, nodes: changed });
      const { body } = await scene.caller.post(`/logic/decisions/${id}/tests/suggestions`, { version: 1 });
      return (body as { tests: { input: object }[] }).tests.map(({ input }) => input);
    };
    const idle = await inputsOf('idle.json', [first, second]);
    expect(idle).to.have.length.at.least(2);
    for (const input of idle) expect(input).to.not.have.property('homeCountry');
    // One row that asks for it is enough.
    const used = await inputsOf('used.json', [first, { ...second, home: '"DE"' }]);
    expect(used.some((input) => 'homeCountry' in input)).to.equal(true);
  });
});
