import { expect } from 'chai';
import fc from 'fast-check';
import { run } from '../../../workers/run.js';
import { chain, decision, expressions, script, taskOf, type TestNode } from '../../support/tasks.js';
import { cases } from '../../support/environment.js';

const configuration = { variables: { KEY: 'a secret value' }, secrets: ['KEY'] };

/** The run ended in an answer: whatever it is given, no fault is one of our own. */
async function answers(model: object, fact: unknown, traced: boolean): Promise<void> {
  const reply = await run(taskOf(model, { fact, traced, configuration }));
  expect(reply.kind, JSON.stringify(reply)).to.equal('done');
  if (reply.kind !== 'done') return;
  for (const text of [reply.result, reply.recordedFact, reply.trace, reply.error, reply.recordedResult]) {
    if (text !== null) JSON.parse(text);
  }
}

const keys = fc.constantFrom(
  ...['__proto__', 'constructor', 'prototype', 'toString', '$', '$nodes', 'a', 'n', 'length', ''],
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

describe('run: hostile input', () => {
  const options = { numRuns: cases(300) };
  const expression = fc.oneof(
    fc.constantFrom('n.a.b', 'keys($root)', 'map(values($root), #)', 'merge([$root, $root])', '$root["__proto__"]'),
    fc.constantFrom(
      ...['string($root)', 'len(n)', 'n + a', 'a.constructor', '$nodes', '$env', 'd(n)', 'n ?? a', '[n, a][0:1]'],
    ),
    fc.string({ unit: 'grapheme' }),
  );
  const node: fc.Arbitrary<TestNode> = fc.oneof(
    fc.tuple(keys, expression).map(([key, value]) => expressions({ [key]: value })),
    keys.map((key) => decision(key)),
    fc.record({
      type: fc.constantFrom(
        'expressionNode',
        'decisionTableNode',
        'switchNode',
        'functionNode',
        'outputNode',
        'customNode',
        'x',
      ),
      content: json,
    }),
  );

  it('of facts', async () => {
    const model = chain(
      expressions({ all: '$root', n: 'n', keys: 'keys($root)', secret: '$env.KEY', '__proto__.x': 'a' }),
    );
    await fc.assert(
      fc.asyncProperty(json, fc.boolean(), (fact, traced) => answers(model, { n: fact, a: fact }, traced)),
      options,
    );
  });

  it('of nodes and expressions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 4 }), json, fc.boolean(), (nodes, fact, traced) =>
        answers(chain(...nodes), { n: fact }, traced),
      ),
      options,
    );
  });

  it('of documents', async () => {
    const document = fc.oneof(
      json,
      fc.record({ nodes: json, edges: json }),
      fc.record({ nodes: fc.array(json), edges: fc.array(json) }),
    );
    await fc.assert(
      fc.asyncProperty(document, (model) => answers(model as object, {}, true)),
      options,
    );
  });

  it('of code', async () => {
    const bodies = [
      ...['return input', 'return undefined', 'return () => 1', 'throw null', 'throw { a: 1n }', 'return 1n'],
      'return NaN',
    ];
    const source = fc.constantFrom(
      ...bodies,
      'return { toJSON() { throw 1 } }',
      'globalThis.JSON = null; return input',
      'syntax error',
    );
    await fc.assert(
      fc.asyncProperty(source, json, (body, fact) =>
        answers(chain(script(`export const handler = async (input) => { ${body} }`)), { n: fact }, false),
      ),
      { numRuns: cases(60) },
    );
  });
});
