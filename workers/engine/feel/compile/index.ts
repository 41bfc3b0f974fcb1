import type { SyntaxNode } from '@lezer/common';
import { asEngineError } from '../../errors.js';
import type { Code } from '../frame.js';
import { checkSize, childrenOf, faultOf, type Dialect } from '../parse.js';
import type { Place } from '../run.js';
import type { Scope } from '../scope.js';
import { call, dateTimeLiteral } from './calls.js';
import { Context, type NodeCompiler, type Unit } from './context.js';
import { conditional, forLoop, functionDefinition, quantified } from './control.js';
import { atLiteral, booleanLiteral, nullLiteral, numericLiteral, stringLiteral } from './literals.js';
import { plainName, tested, variable } from './names.js';
import { arithmetic, comparison, conjunction, disjunction } from './operators.js';
import { contextLiteral, filter, interval, list, path } from './structures.js';
import { testAsRange, testIn, type Test } from './tests.js';
import { instanceOf } from './typeNodes.js';

const inner: NodeCompiler = (node, context) => {
  const child = childrenOf(node).find(({ name }) => name !== '(' && name !== ')');
  return child === undefined ? context.fault(node, 'An expression is missing.') : context.compile(child);
};

/** By the name of the grammar's node. */
const compilers = new Map<string, NodeCompiler>(
  Object.entries({
    Expression: inner,
    ParenthesizedExpression: inner,
    PositiveUnaryTest: inner,
    NumericLiteral: numericLiteral,
    StringLiteral: stringLiteral,
    BooleanLiteral: booleanLiteral,
    null: nullLiteral,
    AtLiteral: atLiteral,
    DateTimeLiteral: dateTimeLiteral,
    VariableName: variable,
    '?': tested,
    ArithmeticExpression: arithmetic,
    Comparison: comparison,
    Conjunction: conjunction,
    Disjunction: disjunction,
    SimplePositiveUnaryTest: testAsRange,
    Interval: interval,
    List: list,
    Context: contextLiteral,
    PathExpression: path,
    FilterExpression: filter,
    FunctionInvocation: call,
    FunctionDefinition: functionDefinition,
    InstanceOfExpression: instanceOf,
    IfExpression: conditional,
    ForExpression: forLoop,
    QuantifiedExpression: quantified,
  }),
);

const dispatch: NodeCompiler = (node, context) => {
  const compile = compilers.get(node.name);
  return compile === undefined ? context.fault(node, 'This is no FEEL expression.') : compile(node, context);
};

/** Estimated bytes of an expression's closures, for each character of it. */
const bytesPerUnit = 60;
const bytesPerExpression = 500;

/** An expression. One with a fault is reported, and is null whenever it is reached. */
export function compileExpression(place: Place, scope: Scope, unit: Unit): Code {
  const simple = plainName(place, scope);
  if (simple !== undefined) return simple;
  const read = readAs('Expression', place, scope, unit);
  return 'fault' in read ? read.fault : guarded(read.context, () => read.context.compile(read.node));
}

/** A cell of a table, or allowed values: the value is `?` in it. @param scope one of `testScope` */
export function compileUnaryTests(place: Place, scope: Scope, unit: Unit): Test {
  const read = readAs('UnaryTests', place, scope, unit);
  if ('fault' in read) return (_, frame) => read.fault(frame);
  return testIn(read.node, read.context, 'cell');
}

type Read = { readonly node: SyntaxNode; readonly context: Context } | { readonly fault: Code };

function readAs(dialect: Dialect, place: Place, scope: Scope, unit: Unit): Read {
  const { source } = place;
  unit.footprint.add(bytesPerExpression + source.length * bytesPerUnit);
  const context = new Context(unit, place, scope, dispatch);
  try {
    const tree = unit.parser.parse(source, dialect, scope);
    checkSize(tree, unit.limits);
    const fault = faultOf(tree);
    if (fault === undefined) return { node: tree.topNode, context };
    return { fault: context.fault(fault, faultMessage(source, fault)) };
  } catch (error) {
    return { fault: faultFrom(error, context) };
  }
}

function guarded(context: Context, make: () => Code): Code {
  try {
    return make();
  } catch (error) {
    return faultFrom(error, context);
  }
}

/** @throws what is no fault of this expression alone */
function faultFrom(error: unknown, context: Context): Code {
  const known = asEngineError(error);
  if (known === undefined || known.code === 'limit_program') throw known ?? error;
  return context.fault({ from: 0, to: context.place.source.length }, known.message);
}

function faultMessage(source: string, { from, to }: { from: number; to: number }): string {
  if (source.trim() === '') return 'There is no expression.';
  const text = source.slice(from, Math.max(to, from + 1)).trim();
  return text === '' ? 'The expression ends too early.' : `"${text.slice(0, 40)}" is not expected here.`;
}
