import { expect } from 'chai';
import { createSandbox, readJson, type Outcome } from '../../../../workers/engine/index.js';
import { expressions, frozen, graph, input, output, program, single, type NodeDraft } from '../../../support/engine.js';

const sandbox = createSandbox();
const script = (source: string): NodeDraft => ({ id: 'f', type: 'functionNode', content: { source } });
const handler = (body: string): NodeDraft =>
  script(`import { evaluateExpression } from 'zen'; export const handler = async (input) => { ${body} };`);

/** Each of its keys holds the one before twice: a text of 2^40 ones. */
const doubling = expressions(
  'e',
  Object.fromEntries<string>([
    ['k0', '[1]'] as const,
    ...Array.from({ length: 40 }, (_, level) => [`k${level + 1}`, `[$.k${level}, $.k${level}]`] as const),
  ]),
);

async function run(model: unknown, fact: object, trace = true): Promise<Outcome> {
  const deadline = Infinity;
  return program(model, { sandbox }).run(fact as never, { ...frozen, trace, deadline, env: { REGION: 'EU' } });
}

async function failure(model: unknown, fact: object = {}): Promise<Extract<Outcome, { status: 'FAILED' }>> {
  const outcome = await run(model, fact);
  if (outcome.status !== 'FAILED') throw new Error('the run completed');
  return outcome;
}

describe('function nodes', () => {
  it('run in the sandbox, plain and traced alike', async () => {
    const model = graph(
      [
        input,
        handler('console.log("seen", input.n); return { n: input.n + 1 }'),
        expressions('x', { twice: 'n * 2' }),
        output,
      ],
      ['in>f', 'f>x', 'x>out'],
    );
    expect(program(model, { sandbox }).async).to.equal(true);
    const [plain, traced] = [await run(model, { n: 1 }, false), await run(model, { n: 1 })];
    expect(plain).to.deep.include({ status: 'COMPLETED', result: { twice: 4 } });
    expect(traced).to.deep.include({ status: 'COMPLETED', result: { twice: 4 } });
    expect(traced.trace?.['f']?.traceData).to.have.nested.property('log[0].lines').deep.equal(['"seen"', '1']);
  });

  it('refuse a whole number that no double holds, and see the nearest double of a fraction', async () => {
    const model = single(handler('return { same: input.rate === 0.1 + 0.2, kind: typeof input.id }'));
    const given = async (json: string) => run(model, readJson(json).value as object);
    expect(await given('{"rate":0.3000000000000000444089,"id":9007199254740992}')).to.deep.include({
      status: 'COMPLETED',
      result: { same: true, kind: 'number' },
    });
    expect(await given('{"rate":1,"id":9007199254740993}')).to.have.nested.property(
      'error.message',
      'JavaScript has no number for 9007199254740993: a function node takes it as a text, `string(…)`.',
    );
    const asked = handler("return { x: await evaluateExpression('9007199254740992 + 1', {}) }");
    expect((await failure(single(asked))).message).to.contain('JavaScript has no number for 9007199254740993');
  });

  describe('beside numbers that no double holds', () => {
    const fact = (json: string): object => readJson(json).value as object;
    const ids = fact(
      '{"id":9007199254740993,"n":2,"deep":{"ids":[1,18446744073709551615],"x":3},"list":[9007199254740993,5]}',
    );

    for (const [what, body, result] of [
      ['another field', 'return { x: input.n * 2 }', { x: 4 }],
      ['a field beside one deep within', 'return { x: input.deep.x, y: input.deep.ids[0] }', { x: 3, y: 1 }],
      ['an item beside one', 'return { x: input.list[1], y: input.list.length }', { x: 5, y: 2 }],
      ['names alone', 'return { x: Object.keys(input).length, y: "id" in input }', { x: 4, y: true }],
      ['what it has written there itself', 'input.id = 7; return { x: input.id }', { x: 7 }],
      ['another part of earlier nodes', 'return { x: input.$nodes.Request.n }', { x: 2 }],
    ] as const) {
      it(`run when they read ${what}`, async () => {
        for (const traced of [false, true]) {
          expect(await run(single(handler(body)), ids, traced)).to.deep.include({ status: 'COMPLETED', result });
        }
      });
    }

    for (const body of [
      ...['return { x: input.id }', 'return { x: input.deep.ids[1] }', 'return { x: input.list.map((id) => id) }'],
      ...['return { ...input }', 'const { n, ...rest } = input; return rest', 'return input'],
      ...['return { x: JSON.stringify(input) }', 'return { x: input.$nodes.Request.id }'],
    ]) {
      it(`fail by its name when they read one: ${body}`, async () => {
        const { error } = await failure(single(handler(body)), ids);
        expect(error).to.include({ nodeId: 'f', code: 'function_failed' });
        expect(error.message).to.match(/^JavaScript has no number for (9007199254740993|18446744073709551615): /);
      });
    }

    it('may catch that', async () => {
      const body = 'try { return { x: input.id } } catch (error) { return { x: 0 } }';
      expect(await run(single(handler(body)), ids)).to.deep.include({ result: { x: 0 } });
    });
  });

  it('fail with a place, the trace up to them, and what they logged', async () => {
    const outcome = await run(single(handler('console.log("here"); throw new Error("no such animal")')), {});
    expect(outcome.status).to.equal('FAILED');
    expect(outcome)
      .to.have.property('message')
      .that.matches(/^Node "f".*no such animal/);
    expect(outcome.trace).to.have.all.keys('in', 'f');
    expect(outcome.trace?.['f']?.error?.code).to.equal('function_failed');
    expect(outcome.trace?.['f']?.traceData).to.have.nested.property('log[0].lines');
  });

  it('are not given values whose shared parts make an endless text', async () => {
    const { error } = await failure(graph([input, doubling, handler('return 1')], ['in>e', 'e>f']));
    expect(error).to.include({ code: 'limit_output', nodeId: 'f' });
  });

  it('do not see such values in $nodes', async () => {
    const nodes = [input, doubling, expressions('g', { a: '1' }), handler('return input.$nodes.e')];
    const { error } = await failure(graph(nodes, ['in>e', 'e>g', 'g>f']));
    expect(error).to.include({ code: 'limit_output', nodeId: 'f' });
  });

  it('do not get such values of ZEN', async () => {
    const steps = Array.from({ length: 40 }, (_, level) => `k${level + 1} = [k${level}, k${level}]`);
    const source = ['k0 = [1]', ...steps, 'k40'].join('; ');
    const { message } = await failure(single(handler(`return evaluateExpression(${JSON.stringify(source)}, {})`)));
    expect(message).to.contain('is larger than');
  });

  it('take inputs and $nodes that are larger than results may be', async () => {
    const fact = { text: 'x'.repeat(6 * 1024 * 1024) };
    const given = await run(single(handler('return { n: input.text.length }')), fact, false);
    expect(given).to.deep.include({ status: 'COMPLETED', result: { n: fact.text.length } });
    const nodes = [input, expressions('g', { a: '1' }), handler('return { n: input.$nodes.Request.text.length }')];
    const seen = await run(graph(nodes, ['in>g', 'g>f']), fact, false);
    expect(seen).to.deep.include({ status: 'COMPLETED', result: { n: fact.text.length } });
  });

  it('refuse an input beyond the limit of the sandbox by the error of the sandbox', async () => {
    const outcome = await run(single(handler('return 1')), { text: 'x'.repeat(9 * 1024 * 1024) }, false);
    expect(outcome).to.have.property('message', 'Node "f": the input is too large for a function node');
    expect(outcome).to.have.nested.property('error.code', 'limit_memory');
  });

  it('fail clearly where there is no sandbox', () => {
    const outcome = program(single(script('export const handler = () => 1'))).run({}, frozen);
    return Promise.resolve(outcome).then((settled) => {
      expect(settled).to.have.nested.property('error.code', 'function_unavailable');
      expect(settled).to.have.property('message', 'Node "f": Function nodes are switched off here.');
    });
  });

  it('do not make a promise of a run that goes another way', () => {
    const model = graph(
      [input, { id: 's', type: 'switchNode', content: { statements: [{ id: 'go', condition: 'n > 0' }] } }, script('')],
      ['in>s', 's:go>f'],
    );
    expect(program(model, { sandbox }).run({ n: 0 }, frozen)).to.not.be.instanceOf(Promise);
  });
});
