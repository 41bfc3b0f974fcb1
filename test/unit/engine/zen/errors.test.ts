import { expect } from 'chai';
import { EngineError } from '../../../../workers/engine/errors.js';
import type { Value } from '../../../../workers/engine/values.js';
import { compileExpression } from '../../../../workers/engine/zen/index.js';
import { buildScope } from '../../../support/zen.js';

function failure(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('an error was expected');
}

interface Expected {
  readonly code: string;
  readonly message: string;
  /** The text that the span must cover. */
  readonly at: string;
  readonly hint?: string;
}

function check(source: string, data: Value, expected: Expected): void {
  const error = failure(() => compileExpression(source)(buildScope({ data })));
  expect(error.code).to.equal(expected.code);
  expect(error.message).to.equal(expected.message);
  expect(error.location.source).to.equal(source);
  expect(source.slice(...(error.location.span ?? [0, 0]))).to.equal(expected.at);
  expect(error.hint).to.equal(expected.hint);
}

describe('zen errors', () => {
  it('say what a function takes', () =>
    check(
      '1 + len(age)',
      { age: 5 },
      { code: 'type_error', message: '`len` takes a string or a list, not a number', at: 'len(age)' },
    ));

  it('say which argument is wrong', () =>
    check(
      'split(a, 5)',
      { a: 'x' },
      {
        code: 'type_error',
        message: '`split` takes a string as its 2nd argument (separator), not a number',
        at: 'split(a, 5)',
      },
    ));

  it('say that null may be a missing field', () =>
    check(
      'price * 2',
      {},
      {
        code: 'type_error',
        message: '`*` does not take a missing value (null) and a number',
        at: 'price * 2',
      },
    ));

  it('name the condition of a closure', () =>
    check(
      'filter(list, #.active)',
      { list: [{ active: 'yes' }] },
      {
        code: 'type_error',
        message: 'the condition of `filter` must be true or false, not a string',
        at: '#.active',
      },
    ));

  it('hint at the function that was meant', () =>
    check(
      '1 + uper(name)',
      {},
      {
        code: 'unknown_function',
        message: 'there is no function `uper`',
        at: 'uper',
        hint: 'did you mean `upper`?',
      },
    ));

  it('hint at what the function of a spreadsheet is here', () => {
    for (const [name, given, hint] of [
      ['AVERAGE', '(a, b)', 'Write avg([a, b]).'],
      ['TODAY', '()', 'Write d().startOf("day").'],
      ['IF', '(a > 1, 2, 3)', 'Write (a > 1 ? 2 : 3).'],
    ] as const)
      check(
        `${name}${given}`,
        {},
        { code: 'unknown_function', message: `there is no function \`${name}\``, at: name, hint },
      );
  });

  it('hint at the method that was meant', () =>
    check(
      "d().startof('day')",
      {},
      {
        code: 'unknown_function',
        message: 'there is no method `startof`',
        at: 'startof',
        hint: 'did you mean `startOf`?',
      },
    ));

  it('have no hint where nothing is near', () =>
    check('quux(1)', {}, { code: 'unknown_function', message: 'there is no function `quux`', at: 'quux' }));

  it('count arguments', () =>
    check(
      'round(1, 2, 3)',
      {},
      { code: 'syntax_error', message: '`round` takes 1 to 2 arguments, not 3', at: 'round(1, 2, 3)' },
    ));

  it('say what was expected', () =>
    check('(a + b', {}, { code: 'syntax_error', message: 'expected `)`, found the end', at: '' }));

  it('say what was found', () =>
    check('a + * b', {}, { code: 'syntax_error', message: 'expected a value, found `*`', at: '*' }));

  it('warn of = where == was meant', () =>
    check(
      "a['x'] = 1",
      {},
      {
        code: 'syntax_error',
        message: 'only a name such as `a` or `a.b` can be assigned; to compare, use `==`',
        at: "a['x']",
      },
    ));
});
