import { expect } from 'chai';
import fc from 'fast-check';
import { EngineError } from '../../../../workers/engine/errors.js';
import type { Value } from '../../../../workers/engine/values.js';
import {
  analyseUnary,
  checkExpression,
  compileExpression,
  compileUnary,
  stringify,
} from '../../../../workers/engine/zen/index.js';
import { closureFunctions } from '../../../../workers/engine/zen/functions/closures.js';
import { functions, methods } from '../../../../workers/engine/zen/functions/index.js';
import { buildScope } from '../../../support/zen.js';
import { cases } from '../../../support/environment.js';

const words = [
  ...['a', 'b', 'list', '$', '#', '$root', '$nodes', '$env', 'null', 'true', 'as', 'x', '__proto__', 'constructor'],
  ...[
    ...['1', '0', '-1', '2.5', '1e5', '1e28', "'text'", '"2024-01-31"', "'1d'", "'UTC'", "'[a-z'", '`t ${', '}'],
    ...['`', "''"],
  ],
  ...[
    ...['+', '-', '*', '/', '%', '^', '==', '!=', '<', '>=', 'in', 'not in', 'not', 'and', 'or', '??', '?', ':'],
    ...['..', '.', ',', ';', '='],
  ],
  ...['(', ')', '[', ']', '{', '}', ' '],
  ...[...functions.keys(), ...closureFunctions.keys()].map((name) => `${name}(`),
  ...[...methods.keys()].map((name) => `.${name}(`),
];
const soup = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((tokens) => tokens.join(' '));

/** Calls of every function and method with values of every kind: mostly sound syntax. */
const values = [
  ...['null', 'true', '0', '-2.5', '1e27', "''", "'abc'", "'2024-02-29'", '[]', '[1, 2]', "['a']", '{}', 'a'],
  ...['list', 'd()', 'd(null)', '[1..3]', 'deep'],
];
const argument = fc.constantFrom(...values);
const calls = fc.oneof(
  fc
    .tuple(fc.constantFrom(...functions.keys()), fc.array(argument, { maxLength: 3 }))
    .map(([name, args]) => `${name}(${args.join(', ')})`),
  fc
    .tuple(fc.constantFrom(...methods.keys()), argument, fc.array(argument, { maxLength: 2 }))
    .map(([name, subject, args]) => `(${subject}).${name}(${args.join(', ')})`),
  fc
    .tuple(fc.constantFrom(...closureFunctions.keys()), argument, argument)
    .map(([name, list, body]) => `${name}(${list}, ${body})`),
  fc
    .tuple(argument, fc.constantFrom('+', '-', '*', '/', '%', '^', '==', '<', 'in', 'and', '??'), argument)
    .map((parts) => parts.join(' ')),
  fc.tuple(argument, argument, argument).map(([value, from, to]) => `(${value})[${from}:${to}]`),
);

const data: Value = { a: 1, b: { c: 'x' }, list: [{ p: 1 }, { p: null }], deep: { x: [{ y: [1] }] } };

/** Runs a source every way there is; anything but a value or an `EngineError` fails the test. */
function survive(source: string): void {
  checkExpression(source, 'standard');
  checkExpression(source, 'unary');
  analyseUnary(source);
  for (const compile of [compileExpression, compileUnary]) {
    try {
      const result: Value = compile(source)(buildScope({ data, reference: 5, steps: 100_000 }));
      expect(JSON.parse(stringify(result))).to.not.equal(undefined);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const [start, end] = error.location.span ?? [0, 0];
      expect(start <= end && end <= source.length, 'span within the source').to.equal(true);
    }
  }
}

describe('zen under hostile sources', () => {
  it('survives any text', () =>
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), survive), { numRuns: cases(500) }));
  it('survives any soup of its own words', () => fc.assert(fc.property(soup, survive), { numRuns: cases(2000) }));
  it('survives any call with any arguments', () => fc.assert(fc.property(calls, survive), { numRuns: cases(3000) }));

  it('leaves the facts and the prototypes alone', () => {
    expect(data).to.deep.equal({ a: 1, b: { c: 'x' }, list: [{ p: 1 }, { p: null }], deep: { x: [{ y: [1] }] } });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });
});
