import type { SyntaxNode } from '@lezer/common';
import { charge } from '../../zen/budget.js';
import { comparisonOf, equal, inRange } from '../values/compare.js';
import { anyType, FeelRange, isList, kindOf, type Feel, type FeelType } from '../values/value.js';
import type { Code, Frame } from '../frame.js';
import { childrenOf } from '../parse.js';
import type { Place } from '../feelRun.js';
import { Scope } from '../scope.js';
import { within, type Context, type NodeCompiler } from './context.js';
import { checkAllowed, checkCompared, misreadAs } from './checks.js';
import { knownOf, type Known } from './known.js';

/** Whether a value passes: true, false, or null where that cannot be said. */
export type Test = (value: Feel, frame: Frame) => Feel;

/** A test whose value is `?` in it: the context's scope is one of `testScope`. */
export function testIn(node: SyntaxNode, context: Context, use: 'cell' | 'in'): Test {
  const test = compileTest(node, context, use);
  return (value, frame) => test(value, within(frame, [value]));
}

/** The scope of a test. @param alias another name of its value @param tested the name that its value has outside */
export function testScope(outer: Scope | null, type: FeelType = anyType, alias?: string, tested?: string): Scope {
  const scope = new Scope(outer);
  scope.tested = tested;
  const place = scope.define('?', type);
  if (alias !== undefined) scope.place(alias, place, type);
  return scope;
}

/**
 * A test of a cell, or of `in`, in the frame of its scope.
 * @param use a cell's test may be a condition of its own, such as `? > 3`
 */
function compileTest(node: SyntaxNode, context: Context, use: 'cell' | 'in'): Test {
  const children = childrenOf(node);
  const [child] = children;
  switch (node.name) {
    case 'UnaryTests':
      return unaryTests(node, children, context, use);
    case 'PositiveUnaryTests':
      checkCommas(children, context);
      return anyOf(children.map((each) => compileTest(each, context, use)));
    case 'PositiveUnaryTest':
      return child === undefined ? () => null : compileTest(child, context, use);
    case 'SimplePositiveUnaryTest':
      return simpleTest(node, children, context);
    case 'ParenthesizedExpression': {
      const inner = children.find(({ name }) => name === 'SimplePositiveUnaryTest');
      return inner === undefined ? valueTest(node, context, use) : simpleTest(inner, childrenOf(inner), context);
    }
    case 'Wildcard':
      return () => true;
    default:
      return valueTest(node, context, use);
  }
}

function unaryTests(node: SyntaxNode, children: SyntaxNode[], context: Context, use: 'cell' | 'in'): Test {
  const tests = children.find(({ name }) => name === 'PositiveUnaryTests' || name === 'Wildcard');
  if (tests === undefined) {
    const fault = context.fault(node, 'This is no test.');
    return (_, frame) => fault(frame);
  }
  const test = compileTest(tests, context, use);
  if (children[0]?.name !== 'not') return test;
  return (value, frame) => {
    const passed = test(value, frame);
    return typeof passed === 'boolean' ? !passed : null;
  };
}

function anyOf(tests: readonly Test[]): Test {
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return (value, frame) => {
    let result: Feel = false;
    for (const test of tests) {
      const passed = test(value, frame);
      if (passed === true) return true;
      if (passed === null) result = null;
    }
    return result;
  };
}

/** `> 5`, or an interval. */
function simpleTest(node: SyntaxNode, [first, second]: SyntaxNode[], context: Context): Test {
  if (first?.name === 'CompareOp' && second !== undefined) {
    if (isForeign(second)) {
      const fault = foreignOperator(node, first, second, context);
      return (_, frame) => fault(frame);
    }
    const compared = comparisonOf(context.text(first));
    const bound = context.compile(second);
    const site = context.site(node);
    checkTested(second, context.known(bound), context, context.text(first));
    if (compared !== undefined) return (value, frame) => compared(value, bound(frame), frame.run, site);
  }
  const range = context.compile(first ?? node);
  const site = context.site(node);
  checkTested(first ?? node, context.known(range), context);
  return (value, frame) => {
    const tested = range(frame);
    if (!(tested instanceof FeelRange)) return null;
    return (
      inRange(value, tested) ??
      (value === null ? null : frame.run.warn(site, 'The value cannot be compared with the range.'))
    );
  };
}

/**
 * Another expression: a condition where it speaks of `?`, or where it is true or false of other names and what is tested is
 * neither (`Age > 18` under the input `Age`), else a value, or a list of values or ranges.
 */
function valueTest(node: SyntaxNode, context: Context, use: 'cell' | 'in'): Test {
  const code = context.compile(node);
  if (use === 'cell' && asks(node, context)) {
    return (_, frame) => {
      const result = code(frame);
      return typeof result === 'boolean' ? result : null;
    };
  }
  const isAsked = use === 'cell' && isCondition(node, context.known(code), context);
  if (use === 'cell' && !isAsked) checkTested(node, context.known(code), context);
  const isOfTested = isAsked && namesTested(node, context);
  const site = context.site(node);
  return (value, frame) => {
    const expected = code(frame);
    if (isAsked && (expected === null || (typeof expected === 'boolean' && (isOfTested || typeof value !== 'boolean'))))
      return expected;
    const result = matches(value, expected, frame, use);
    if (result !== null || value === null || expected === null) return result;
    return frame.run.warn(site, `A ${kindOf(value)} cannot be compared with a ${kindOf(expected)}.`);
  };
}

/** Tells of what the value that is tested never equals, nor is compared with. */
function checkTested(node: SyntaxNode, known: Known | undefined, context: Context, operator?: string): void {
  const { slot } = context.scope.resolve('?');
  if (slot === undefined || known === undefined) return;
  const isRange = known.kind === 'number' && isDifference(node, context);
  const misread = isRange
    ? 'This is the difference of two numbers, and no range.'
    : misreadAs(node, known.kind, context);
  if (misread !== undefined) {
    context.doubt(node, misread);
    return;
  }
  const tested = knownOf(slot.type);
  const { bound } = known;
  checkCompared(
    node,
    [tested, bound === undefined ? known : { kind: bound }],
    context,
    bound === undefined ? operator : '<',
  );
  if (operator === undefined) checkAllowed(node, slot.type, known, context);
}

/**
 * Tells of a comma within a number: `10,000` is 10 and 0, `12,500` 12 and 500, `1.000,50` 1 and 50, `12,5` 12 and 5, and `< 12,5` is below
 * 12 or 5.
 */
function checkCommas(tests: readonly SyntaxNode[], context: Context): void {
  for (const [index, node] of tests.entries()) {
    const before = tests[index - 1];
    if (before === undefined || before.to + 1 !== node.from) continue;
    const [one, other] = [context.text(before), context.text(node)];
    const number = one.replace(/^(?:[<>]=?)? *-?/, '');
    const isOne =
      /^0\d/.test(other) ||
      (/^\d{1,3}(?:\.\d{3})+$/.test(number) && /^\d+$/.test(other)) ||
      (/^\d{1,3}$/.test(number) && /^\d{3}(?:\.\d+)?$/.test(other) && isCell(context.place)) ||
      (tests.length === 2 && mayBeDecimal(context.place));
    if (!isOne) continue;
    const what = /^-?[\d.]+$/.test(one) ? 'numbers' : 'tests';
    context.doubt({ from: before.from, to: node.to }, `These are two ${what}, ${one} and ${Number(other)}.`);
  }
}

/** Lists of allowed values have several. */
const isCell = ({ pointer }: Place): boolean => /\/inputEntry(?:\[\d+\])?$/.test(pointer);

/** More than two digits behind the comma would be thousands. */
const mayBeDecimal = (place: Place): boolean =>
  isCell(place) && /^(?:[<>]=? *)?-?\d+,\d{1,2}$/.test(place.source.trim());

/** `18-24` */
function isDifference(node: SyntaxNode, context: Context): boolean {
  if (node.name !== 'ArithmeticExpression') return false;
  const [low, operator, high] = childrenOf(node);
  const isOfNumbers = [low, high].every((end) => end?.name === 'NumericLiteral');
  return isOfNumbers && operator !== undefined && context.text(operator) === '-';
}

/** A test within an operator's operand: two operators stand beside each other, as in `=> 5`. */
export const isForeign = (node: SyntaxNode): boolean =>
  node.name === 'SimplePositiveUnaryTest' && childrenOf(node)[0]?.name === 'CompareOp';

/** Operators of other languages. */
export function foreignOperator(node: SyntaxNode, first: SyntaxNode, second: SyntaxNode, context: Context): Code {
  const operators = context.text({ from: first.from, to: second.from + 1 });
  return context.fault(node, `\`${operators}\` is no operator of FEEL, which has =, !=, <, <=, > and >=.`);
}

/** Whether an expression speaks of the value that is tested. */
const asks = (node: SyntaxNode, context: Context): boolean => {
  if (node.name === '?') return true;
  if (node.name === 'VariableName') return context.scope.names('?', context.text(node));
  for (let child = node.firstChild; child !== null; child = child.nextSibling) if (asks(child, context)) return true;
  return false;
};

/** Kinds of nodes that are true or false. */
const conditions: ReadonlySet<string> = new Set(['Comparison', 'QuantifiedExpression', 'InstanceOfExpression']);
/** Kinds of nodes that may be, as operands of `and` and `or`. */
const truths: ReadonlySet<string> = new Set(['FunctionInvocation', 'VariableName', 'PathExpression']);

/** Whether an expression is true or false, and no literal: `"a" or "b"` is a list of values to those who write it. */
function isCondition(node: SyntaxNode, known: Known | undefined, context: Context): boolean {
  const children = childrenOf(node);
  switch (node.name) {
    case 'FunctionInvocation':
      return known?.kind === 'boolean';
    case 'ParenthesizedExpression':
      return children.some((child) => isCondition(child, known, context));
    case 'IfExpression':
      return [children[3], children[5]].some(
        (branch) =>
          branch?.name === 'BooleanLiteral' || (branch !== undefined && isCondition(branch, undefined, context)),
      );
    case 'Conjunction':
    case 'Disjunction':
      return [children[0], children[2]].every(
        (side) => side !== undefined && (truths.has(side.name) || isCondition(side, undefined, context)),
      );
    default:
      return conditions.has(node.name);
  }
}

/** Whether an expression has the name that the tested value has outside of its cell. */
function namesTested(node: SyntaxNode, context: Context): boolean {
  const { tested } = context.scope;
  if (tested === undefined) return false;
  if (node.name === 'VariableName') return context.nameIn(node) === tested;
  return childrenOf(node).some((child) => namesTested(child, context));
}

/** Whether a value is the expected one, or in it. */
function matches(value: Feel, expected: Feel, frame: Frame, use: 'cell' | 'in'): Feel {
  if (expected instanceof FeelRange && !(value instanceof FeelRange)) return inRange(value, expected) ?? null;
  if (isList(expected)) {
    charge(frame.run.state, expected.length);
    if (isList(value) && equal(value, expected, frame.run) === true) return true;
    return expected.some(
      (item) => (isList(item) ? equal(value, item, frame.run) : matches(value, item, frame, use)) === true,
    );
  }
  return equal(value, expected, frame.run) ?? (use === 'in' ? null : false);
}

/** `(> 5)` as a value: the range above 5. */
export const testAsRange: NodeCompiler = (node, context) => {
  const [first, second] = childrenOf(node);
  if (first === undefined) return context.fault(node, 'This is no test.');
  if (first.name !== 'CompareOp' || second === undefined) return context.compile(first);
  const operator = context.text(first);
  const bound = context.compile(second);
  const site = context.site(node);
  return context.ofKind(
    (frame) => {
      const value = bound(frame);
      switch (operator) {
        case '<':
        case '<=':
          return new FeelRange(null, value, false, operator === '<=');
        case '>':
        case '>=':
          return new FeelRange(value, null, operator === '>=', false);
        case '=':
          return new FeelRange(value, value, true, true, true);
        default:
          return frame.run.warn(site, 'This test is no range.');
      }
    },
    { kind: 'range' },
  );
};
