import type { SyntaxNode } from '@lezer/common';
import { formulaMessage, hintOf, isFormula } from '../../../cells/index.js';
import { asEngineError } from '../../errors.js';
import type { Code } from '../frame.js';
import { childrenOf, faultOf, type Dialect } from '../parse.js';
import { locate, type Place } from '../feelRun.js';
import { adviceFor } from '../hints.js';
import type { Scope } from '../scope.js';
import type { FeelType } from '../values/value.js';
import { call, dateTimeLiteral } from './calls.js';
import { Context, type Fault, type NodeCompiler, type Unit } from './context.js';
import { conditional, forLoop, functionDefinition, quantified } from './control.js';
import { atLiteral, booleanLiteral, nullLiteral, numericLiteral, stringLiteral } from './literals.js';
import { plainName, tested, variable } from './names.js';
import { checkGiven, type ValueCell } from './checks.js';
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
export function compileExpression(place: Place, scope: Scope, unit: Unit, cell?: ValueCell): Code {
  const plain = plainName(place, scope);
  if (plain !== undefined) return plain;
  if (!isFormula(place.source)) return anyExpression(place, scope, unit, cell);
  // A formula of a spreadsheet is told as one, and once: what else is wrong with it follows from that.
  const tried = (source: string) => {
    const found: Fault[] = [];
    const code = anyExpression({ ...place, source }, scope, { ...unit, report: (each) => found.push(each) }, cell);
    return { code, isWrong: found.some(({ severity }) => severity !== 'warning') };
  };
  const { code, isWrong } = tried(place.source);
  const formula = place.source.trim().slice(1).trim();
  const { repair = formula } = adviceFor(formula, undefined, { hint: '' });
  const readings = tried(repair).isWrong ? [] : [repair];
  unit.report({
    ...(isWrong ? { code: 'syntax_error' } : { code: 'type_error', severity: 'warning' }),
    message: formulaMessage,
    site: { place, from: 0, to: place.source.length },
    hint: hintOf('formula', readings, formula),
    ...(readings.length === 0 ? {} : { repair }),
  });
  return code;
}

const anyExpression = (place: Place, scope: Scope, unit: Unit, cell: ValueCell | undefined): Code =>
  compiled('Expression', new Context(unit, place, scope, dispatch, wholeOf(cell?.type, false)), {
    make(node, context) {
      const code = context.compile(node);
      const known = context.known(code);
      if (known !== undefined && cell !== undefined) checkGiven(node, known, cell, context);
      // A literal ends no run.
      if (known?.value !== undefined) return code;
      return (frame) => {
        try {
          return code(frame);
        } catch (error) {
          locate(error, place);
          throw error;
        }
      };
    },
    faulty: (fault) => fault,
  });

const wholeOf = (type: FeelType | undefined, isTest: boolean) => ({ column: type && { type, isTest } });

/** A cell of a table, or allowed values: the value is `?` in it. @param scope one of `testScope` */
export const compileUnaryTests = (place: Place, scope: Scope, unit: Unit): Test =>
  compiled('UnaryTests', new Context(unit, place, scope, dispatch, wholeOf(scope.resolve('?').slot?.type, true)), {
    make(node, context) {
      const test = testIn(node, context, 'cell');
      return (value, frame) => {
        try {
          return test(value, frame);
        } catch (error) {
          locate(error, place);
          throw error;
        }
      };
    },
    faulty: (fault) => (_, frame) => fault(frame),
  });

interface Making<T> {
  readonly make: (node: SyntaxNode, context: Context) => T;
  readonly faulty: (fault: Code) => T;
}

function compiled<T>(dialect: Dialect, context: Context, { make, faulty }: Making<T>): T {
  const { unit, scope, place } = context;
  unit.footprint.add(bytesPerExpression + place.source.length * bytesPerUnit);
  const wrong = (fault: { from: number; to: number }): T => {
    const { message, hint } = faultAt(place.source, fault);
    return faulty(context.fault(fault, message, 'syntax_error', hint));
  };
  // The parser takes long to find out that nothing is there, and a table may have thousands of inputs without an expression.
  if (place.source === '' && dialect === 'Expression') return wrong({ from: 0, to: 0 });
  try {
    const tree = unit.parser.parse(place.source, dialect, scope);
    const fault = faultOf(tree, unit.limits);
    return fault === undefined ? make(tree.topNode, context) : wrong(fault);
  } catch (error) {
    return faulty(faultFrom(error, context));
  }
}

/** @throws what is no fault of this expression alone */
function faultFrom(error: unknown, context: Context): Code {
  const known = asEngineError(error);
  if (known === undefined || known.code === 'limit_program') throw known ?? error;
  const hint =
    known.code === 'limit_depth' ? 'Write `x in (1, 2, 3)` for `x = 1 or x = 2 or x = 3`, or make a table.' : undefined;
  return context.fault({ from: 0, to: context.place.source.length }, known.message, undefined, hint);
}

function faultAt(source: string, { from, to }: { from: number; to: number }): { message: string; hint?: string } {
  if (source.trim() === '')
    return { message: 'There is no expression.', hint: 'Write one: `null` is one without a value.' };
  const text = source.slice(from, Math.max(to, from + 1)).trim();
  return text === ''
    ? { message: 'The expression ends too early.', hint: 'Is a bracket, a quote or a value missing at its end?' }
    : { message: `"${text.slice(0, 40)}" is not expected here.` };
}
