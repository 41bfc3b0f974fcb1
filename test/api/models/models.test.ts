import { expect } from 'chai';
import { limitRuns, useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { freight } from '../../support/freight.js';
import { type Model, calling, doubling, expressing } from '../../support/models.js';
import { buildScene, useScene } from '../../support/scene.js';

/** A switch to a table of three rows, or past it. */
const priced = (): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', content: {} },
    {
      id: 'way',
      type: 'switchNode',
      name: 'Way',
      content: {
        statements: [
          { id: 'member', condition: 'customer.member' },
          { id: 'others', condition: '' },
        ],
      },
    },
    {
      id: 'fees',
      type: 'decisionTableNode',
      name: 'Fees',
      content: {
        hitPolicy: 'first',
        inputs: [{ id: 'age', name: 'Age', field: 'customer.age' }],
        outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
        rules: [
          { _id: 'child', age: '< 18', fee: '0' },
          { _id: 'senior', age: '>= 65', fee: '5.5' },
          { age: '', fee: '10' },
        ],
      },
    },
    { id: 'out', type: 'outputNode', name: 'Response', content: {} },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'way' },
    { id: 'b', sourceId: 'way', sourceHandle: 'member', targetId: 'out' },
    { id: 'c', sourceId: 'way', sourceHandle: 'others', targetId: 'fees' },
    { id: 'd', sourceId: 'fees', targetId: 'out' },
  ],
});

describe('models over HTTP', () => {
  const app = useApp();
  const scene = useScene(app);

  describe('POST /logic/decisions/{id}/tests', () => {
    const tests = [
      { name: 'child', input: { customer: { age: 3 } }, output: { fee: 0 } },
      { input: { customer: { age: 30 } }, output: { fee: 12 } },
      { name: 'again', input: { customer: { age: 40 } }, output: { fee: 10 } },
    ];

    it('runs the tests of the working copy and tells what no test reaches', async () => {
      const id = await scene.write('priced.json', { ...priced(), tests });
      const { status, body } = await scene.caller.post(`/logic/decisions/${id}/tests`, { version: 0 });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        passed: 2,
        failed: 1,
        tests: [
          { name: 'child', passed: true, differences: [] },
          { name: 'test 2', passed: false, differences: [{ pointer: '/fee', expected: 12, actual: 10 }] },
          { name: 'again', passed: true, differences: [] },
        ],
        coverage: {
          nodes: ['in', 'way', 'fees', 'out'].map((nodeId) => ({ nodeId, hits: 3 })),
          rules: [
            { nodeId: 'way', ruleId: 'member', hits: 0 },
            { nodeId: 'way', ruleId: 'others', hits: 3 },
            { nodeId: 'fees', ruleId: 'child', hits: 1 },
            { nodeId: 'fees', ruleId: 'senior', hits: 0 },
            { nodeId: 'fees', ruleId: '2', hits: 2 },
          ],
        },
      });
    });

    it('runs more tests than one turn takes, each once', async () => {
      const many = Array.from({ length: 3000 }, (_, n) => ({
        name: `t${n}`,
        input: { customer: { age: n } },
        output: {},
      }));
      const id = await scene.write('many.json', { ...priced(), tests: many });
      const { body } = await scene.caller.post(`/logic/decisions/${id}/tests`, { version: 0 });
      const report = body as { failed: number; tests: { name: string }[]; coverage: { nodes: { hits: number }[] } };
      expect(report.failed).to.equal(3000);
      expect(report.tests.map(({ name }) => name)).to.deep.equal(many.map(({ name }) => name));
      expect(report.coverage.nodes[0]?.hits).to.equal(3000);
    });

    it('counts a test that does not end within the time of a run as failed', async () => {
      await limitRuns(app, 500);
      const endless = expressing({ y: 'len(map([1..3000], len(map([1..3000], len(map([1..3000], # + 1))))))' });
      const id = await scene.write('endless.json', { ...endless, tests: [{ input: {}, output: {} }] });
      const { status, body } = await scene.caller.post(`/logic/decisions/${id}/tests`, { version: 0 });
      expect([200, 504]).to.include(status);
      if (status === 200) expect((body as { failed: number }).failed).to.equal(1);
      await limitRuns(app, 60_000);
    });

    it('is refused for more tests than may run at once', async () => {
      const many = Array.from({ length: 10_001 }, () => ({ input: {}, output: {} }));
      const id = await scene.write('too-many.json', { ...doubling(2), tests: many });
      const instance = `/logic/decisions/${id}/tests`;
      const detail = 'The model has 10001 tests; at most 10000 can be run at once.';
      expectProblem(await scene.caller.post(instance, { version: 0 }), 'model_too_large', { instance, detail });
    });
  });

  describe('POST /logic/evaluations', () => {
    const path = '/logic/evaluations';

    it('runs a draft that is stored nowhere, with working copies seen from its key', async () => {
      await scene.write('shop/fees.json', doubling(3));
      const before = await scene.caller.get('/logic/decisions?prefix=shop');
      const body = { content: calling('./fees.json'), key: 'shop/draft.json', fact: { x: 2 } };
      const { status, body: answer } = await scene.caller.post(path, body);
      expect(status).to.equal(201);
      const { id, performance, trace, ...rest } = answer as Record<string, unknown>;
      expect(rest).to.deep.equal({ status: 'COMPLETED', result: { y: 6 } });
      expect([typeof id, typeof performance, typeof trace]).to.deep.equal(['string', 'string', 'object']);
      expect((await scene.caller.get('/logic/decisions?prefix=shop')).body).to.deep.equal(before.body);
      const elsewhere = await scene.caller.post(path, { ...body, key: 'draft.json' });
      expect((elsewhere.body as { status: string }).status).to.equal('FAILED');
    });

    it('runs a large draft as it runs a small one, by its key too', async () => {
      await scene.write('shop/rate.json', doubling(3));
      const draft = { key: 'shop/draft.json', content: { ...calling('./rate.json'), note: 'x'.repeat(70_000) } };
      const answer = await scene.caller.post(path, { ...draft, fact: { x: 2 } });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.body).to.deep.include({ status: 'COMPLETED', result: { y: 6 } });
    });

    it('runs the same draft by the sub-decisions of each workspace', async () => {
      const other = await buildScene(app);
      await scene.write('sub.json', doubling(2));
      await other.write('sub.json', doubling(5));
      const body = { content: calling('sub.json'), fact: { x: 1 } };
      const results = [];
      for (const one of [scene, other, scene]) {
        results.push(((await one.caller.post(path, body)).body as { result: unknown }).result);
      }
      expect(results).to.deep.equal([{ y: 2 }, { y: 5 }, { y: 2 }]);
    });

    it('follows the working copies as they change', async () => {
      const body = { content: calling('moving.json'), fact: { x: 1 } };
      for (const factor of [2, 3, 4]) {
        await scene.write('moving.json', doubling(factor));
        await scene.settled();
        expect(((await scene.caller.post(path, body)).body as { result: unknown }).result).to.deep.equal({ y: factor });
      }
    });

    it('answers for what a draft does wrong', async () => {
      const failed = await scene.caller.post(path, { content: expressing({ y: '1 +' }), fact: {} });
      expect([failed.status, (failed.body as { status: string }).status]).to.deep.equal([201, 'FAILED']);
      const empty = await scene.caller.post(path, { content: {}, fact: {} });
      expect([empty.status, (empty.body as { status: string }).status]).to.deep.equal([201, 'FAILED']);
      expect((await scene.caller.post(path, { content: doubling(2), key: '../x', fact: {} })).status).to.equal(400);
    });
  });

  describe('GET /logic/decisions/{id}/versions/{version}/schema', () => {
    it('tells the schemas that a model declares', async () => {
      const input = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
      const output = { type: 'object', properties: { y: { type: 'number' } } };
      const model = doubling(2) as { nodes: { content: unknown }[] };
      model.nodes[0]!.content = { schema: JSON.stringify(input) };
      model.nodes[2]!.content = { schema: output };
      const id = await scene.decision('declared.json', model);
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/1/schema`);
      expect(body).to.deep.equal({ input, output, inferred: false, about: 'Calculation: gives y.' });
    });

    it('infers them from what expressions and tables read and write', async () => {
      const id = await scene.write('inferred.json', priced());
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0/schema`);
      expect(body).to.deep.equal({
        input: {
          type: 'object',
          properties: {
            customer: { type: 'object', properties: { member: { type: 'boolean' }, age: { type: 'number' } } },
          },
        },
        output: { type: 'object', properties: { fee: { type: 'number' } } },
        inferred: true,
        about: 'Fees: a table that gives Fee (fee) by Age (customer.age).',
      });
    });
  });

  it('GET …/openapi.json describes executing what is deployed, typed by its schemas', async () => {
    const decisionId = await scene.decision('deployed.json', priced());
    const environmentId = await scene.environment();
    const path = `/logic/${environmentId}/decisions/${decisionId}/openapi.json`;
    expectProblem(await scene.caller.get(path), 'routing_not_found', { instance: path });
    await scene.deploy(decisionId, environmentId, 1);
    await scene.settled();
    const { status, body } = await scene.caller.get(path);
    expect(status).to.equal(200);
    const document = body as {
      openapi: string;
      info: object;
      paths: object;
      components: { schemas: Record<string, unknown> };
    };
    expect(document.openapi).to.match(/^3\.1/);
    expect(document.info).to.deep.include({ title: 'deployed.json', version: '1' });
    expect(Object.keys(document.paths)).to.deep.equal([`/logic/${environmentId}/decisions/${decisionId}/executions`]);
    expect(document.components.schemas['Result']).to.deep.equal({
      type: 'object',
      properties: { fee: { type: 'number' } },
    });
  });
});

interface Fields {
  readonly properties: Readonly<Record<string, { readonly type?: unknown }>>;
}

describe('what a decision asks of its callers, where another one reads it', () => {
  const scene = useScene(useApp());

  it('is told by the schema of a version, and of the working copy as it is now', async () => {
    const inner = await scene.decision('inner.json', expressing({ fee: 'weight * 2' }));
    const id = await scene.decision('outer.json', calling('inner.json'));
    const fields = async (version: number): Promise<object> => {
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/${version}/schema`);
      return (body as { input: Fields }).input.properties;
    };
    const before = { weight: { type: 'number' } };
    expect([await fields(1), await fields(0)]).to.deep.equal([before, before]);
    await scene.caller.patch(`/logic/decisions/${inner}`, { content: expressing({ fee: 'weight * size' }) });
    expect([await fields(1), await fields(0)]).to.deep.equal([before, { ...before, size: { type: 'number' } }]);
  });

  it('is what they need together and none of them gives, by whatever name, for a version and for clients', async () => {
    const { 'freight/price.json': price, ...others } = freight();
    const decisionId = await scene.decision('freight/price.json', price, others);
    const number = { type: 'number' };
    const properties = { Zone: { type: 'string' }, Weight: number, Customer: { type: 'string' }, Pieces: number };
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/1/schema`);
    const input = { type: 'object', properties };
    const given = { 'Base price (EUR)': number, Class: { type: 'string' }, VAT: number, Net: number, Gross: number };
    expect(body).to.deep.equal({
      input,
      output: { type: 'object', properties: given },
      inferred: true,
      about: 'Total: gives Net, Gross.',
    });
    const environmentId = await scene.environment();
    await scene.deploy(decisionId, environmentId, 1);
    await scene.settled();
    const told = await scene.caller.get(`/logic/${environmentId}/decisions/${decisionId}/openapi.json`);
    const { schemas } = (told.body as { components: { schemas: { Fact: Fields } } }).components;
    expect(schemas.Fact).to.deep.equal(input);
  });

  it('is told to generators of clients and to agents', async () => {
    await scene.decision('fee.json', expressing({ fee: 'weight * 2' }));
    const { decisionId, environmentId } = await scene.deployed('order.json', calling('fee.json'));
    await scene.settled();
    const { body } = await scene.caller.get(`/logic/${environmentId}/decisions/${decisionId}/openapi.json`);
    const { schemas } = (body as { components: { schemas: { Fact: Fields } } }).components;
    expect(schemas.Fact.properties).to.deep.equal({ weight: { type: 'number' } });

    const listed = await scene.caller.post(`/mcp/${environmentId}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { tools } = (listed.body as { result: { tools: { name: string; inputSchema: Fields }[] } }).result;
    expect(tools.find(({ name }) => name === 'order')?.inputSchema.properties).to.have.key('weight');
  });
});
