import type { SyntaxNode } from '@lezer/common';
import { dividedBy, minus, negative, plus, times, toPower, type Operation } from '../values/arithmetic.js';
import { comparisonOf } from '../values/compare.js';
import { madeText } from '../values/text.js';
import { isNoTruth, kindOf, type Feel } from '../values/value.js';
import type { Code } from '../frame.js';
import { childrenOf } from '../parse.js';
import type { Run, Site } from '../feelRun.js';
import { foreignOperator, isForeign, testIn, testScope } from './tests.js';
import type { Context, NodeCompiler } from './context.js';
import { checkCompared } from './checks.js';

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    '+': plus,
    '-': minus,
    '*': times,
    '/': dividedBy,
    '**': toPower,
    '^': toPower,
  }),
);

export const arithmetic: NodeCompiler = (node, context) => {
  const parts = childrenOf(node);
  const [first, second, third] = parts;
  if (first !== undefined && second !== undefined && parts.length === 2) return negation(second, context);
  const name = second === undefined ? '' : context.text(second);
  const operation = operations.get(name);
  if (first === undefined || third === undefined || operation === undefined) {
    return context.fault(node, 'This is no arithmetic expression.');
  }
  const left = context.compile(first);
  const right = context.compile(third);
  const site = context.site(node);
  const code: Code = (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = operation(a, b);
    if (result === undefined) return noResult(frame.run, site, name, a, b);
    return typeof result === 'string' ? madeText(result, frame.run) : result;
  };
  const isOfNumbers = [left, right].every((each) => context.known(each)?.kind === 'number');
  return isOfNumbers ? context.ofKind(code, { kind: 'number' }) : code;
};

function noResult(run: Run, site: Site, name: string, a: Feel, b: Feel): null {
  const kinds = `${kindOf(a)} ${name} ${kindOf(b)}`;
  const isNumeric = kindOf(a) === 'number' && kindOf(b) === 'number';
  if (name === '/' && isNumeric) return run.warn(site, 'A number is divided by zero, or the quotient is too large.');
  return run.warn(site, isNumeric ? `The result of ${kinds} is no number, or too large.` : `There is no ${kinds}.`);
}

function negation(node: SyntaxNode, context: Context): Code {
  const operand = context.compile(node);
  const site = context.site(node);
  const { kind, value: constant } = context.known(operand) ?? {};
  const value = constant === undefined ? undefined : negative(constant);
  const known = kind === 'number' ? { kind, ...(value === undefined ? {} : { value }) } : undefined;
  return context.ofKind((frame) => {
    const value = operand(frame);
    return negative(value) ?? frame.run.warn(site, `There is no -(${kindOf(value)}).`);
  }, known);
}

export const comparison: NodeCompiler = (node, context) => {
  const [first, operator, ...rest] = childrenOf(node);
  if (first === undefined || operator === undefined) return context.fault(node, 'This is no comparison.');
  if (operator.name === 'between') return between(node, first, rest, context);
  if (operator.name === 'in') return membership(node, first, rest, context);
  const compared = comparisonOf(context.text(operator));
  const [second] = rest;
  if (compared === undefined || second === undefined) return context.fault(node, 'This is no comparison.');
  if (isForeign(second)) return foreignOperator(node, operator, second, context);
  const left = context.compile(first);
  const right = context.compile(second);
  const site = context.site(node);
  checkCompared(node, [context.known(left), context.known(right)], context, context.text(operator));
  return context.ofKind((frame) => compared(left(frame), right(frame), frame.run, site), { kind: 'boolean' });
};

function between(node: SyntaxNode, first: SyntaxNode, [low, , high]: SyntaxNode[], context: Context): Code {
  const [atLeast, atMost] = [comparisonOf('>='), comparisonOf('<=')];
  if (!low || !high || !atLeast || !atMost) return context.fault(node, '`between` takes two bounds.');
  const [value, from, to] = [context.compile(first), context.compile(low), context.compile(high)];
  const site = context.site(node);
  for (const bound of [from, to]) checkCompared(node, [context.known(value), context.known(bound)], context, '<');
  return (frame) => {
    const tested = value(frame);
    return and(atLeast(tested, from(frame), frame.run, site), atMost(tested, to(frame), frame.run, site));
  };
}

const and = (a: Feel, b: Feel): Feel => (a === false || b === false ? false : a === true && b === true ? true : null);
const or = (a: Feel, b: Feel): Feel => (a === true || b === true ? true : a === false && b === false ? false : null);

function membership(node: SyntaxNode, first: SyntaxNode, rest: SyntaxNode[], context: Context): Code {
  const value = context.compile(first);
  const tests = rest.find(({ name }) => name === 'PositiveUnaryTests' || name === 'PositiveUnaryTest') ?? rest[0];
  if (tests === undefined) return context.fault(node, '`in` takes a test.');
  // The grammar takes `x in a and b` for `x in (a and b)`: the first operand alone is the test.
  const inner = tests.name === 'PositiveUnaryTest' ? childrenOf(tests)[0] : undefined;
  if (inner?.name === 'Conjunction' || inner?.name === 'Disjunction') {
    const [left, , right] = childrenOf(inner);
    if (left !== undefined && right !== undefined) {
      const isIn = membership(node, first, [left], context);
      return joined(isIn, context.compile(right), inner.name === 'Conjunction', context.site(inner));
    }
  }
  const test = testIn(tests, context.inside(testScope(context.scope)), 'in');
  return (frame) => test(value(frame), frame);
}

/** Of three values: what is neither true nor false counts as null. The second operand is left alone where it cannot matter. */
function joined(left: Code, right: Code, isAnd: boolean, site: Site): Code {
  const decisive = !isAnd;
  const join = isAnd ? and : or;
  return (frame) => {
    const a = left(frame);
    if (a === decisive) return decisive;
    const b = right(frame);
    const result = join(a, b);
    if (result !== null) return result;
    const other = [a, b].find(isNoTruth);
    const operator = isAnd ? 'and' : 'or';
    return other === undefined
      ? null
      : frame.run.warn(site, `An operand of \`${operator}\` is a ${kindOf(other)}, neither true nor false.`);
  };
}

const logic =
  (isAnd: boolean): NodeCompiler =>
  (node, context) => {
    const [first, , second] = childrenOf(node);
    if (first === undefined || second === undefined) return context.fault(node, 'An operand is missing.');
    const [left, right] = [context.compile(first), context.compile(second)];
    return context.ofKind(joined(left, right, isAnd, context.site(node)), { kind: 'boolean' });
  };

export const conjunction = logic(true);
export const disjunction = logic(false);
