import { EngineError } from '../errors.js';
import type { Footprint } from '../footprint.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Scope, Value } from '../values.js';
import type { Node } from './ast.js';
import { plainLiteral, plainShape, type Bound } from './cells.js';
import { createContext } from './compile/context.js';
import { compileRoot } from './compile/index.js';
import { parseStandard, parseUnary } from './parser/index.js';
import { kindOf } from './values/kinds.js';

/**
 * A compiled expression. Made of closures, without generated code. Throws EngineError while running (type_error,
 * limit_*, timeout).
 */
export type Expression = (scope: Scope) => Value;

/** A compiled cell; throws like an `Expression`. */
export type UnaryTest = (scope: Scope) => boolean;

export interface ExpressionOptions {
  readonly limits?: Limits;
  /** The footprint of the program that the expression belongs to; a new one by default. */
  readonly footprint?: Footprint;
  /** A test may give false instead of throwing, for callers that ignore the error: throwing takes microseconds. */
  readonly tolerant?: boolean;
}

/**
 * Parses, checks and compiles an expression.
 * @throws EngineError `syntax_error`, `unknown_function`, `limit_depth` or `limit_ast`, with source and span.
 */
export function compileExpression(source: string, options: ExpressionOptions = {}): Expression {
  const value = plainLiteral(source);
  if (value !== undefined) {
    options.footprint?.add(plainBytes);
    return () => value;
  }
  return compileTree(source, parseStandard(source, options.limits), options);
}

/**
 * Compiles a unary test: `$` is `scope.reference`, a comma means "or", a value is compared with `$`. Throws like
 * `compileExpression`; the test itself throws `type_error` too when its outcome is neither true nor false.
 */
export function compileUnary(source: string, options: ExpressionOptions = {}): UnaryTest {
  return plainTest(source, options) ?? compileTest(source, options);
}

/** Estimated bytes of a source in a plain notation: its closures, and each value of a list with its text. */
const plainBytes = 250;
const bytesPerValue = 100;

/** Each value of a list stands for a comparison, a name, a literal and the operator that joins it to the others. */
const nodesPerValue = 4;

/** The test of a cell in a plain notation, made without the parser. Fields of unexpected kinds take the general way. */
function plainTest(source: string, options: ExpressionOptions): UnaryTest | undefined {
  const shape = plainShape(source);
  let compiled: UnaryTest | undefined;
  const general = (scope: Scope): boolean => (compiled ??= compileTest(source, options))(scope);
  if (shape?.kind === 'range') {
    options.footprint?.add(plainBytes);
    return rangeTest(shape.low, shape.high, options.tolerant === true ? orFalse(general) : general);
  }
  if (shape?.kind !== 'literals') return undefined;
  const { values } = shape;
  const [only] = values;
  if (values.length * nodesPerValue > (options.limits ?? defaultLimits).astNodes) return undefined;
  options.footprint?.add(plainBytes + values.length * bytesPerValue);
  const set = values.length > 1 ? new Set<Value>(values) : undefined;
  return (scope) => {
    const field = scope.reference;
    if (typeof field === 'object' && field !== null) return general(scope);
    return set ? set.has(field) : field === only;
  };
}

/** A range fails for fields that are neither numbers nor objects, such as dates. */
function orFalse(general: UnaryTest): UnaryTest {
  return (scope) => typeof scope.reference === 'object' && scope.reference !== null && general(scope);
}

function rangeTest(low: Bound | null, high: Bound | null, general: UnaryTest): UnaryTest {
  const [lowest, highest] = [low?.value ?? -Infinity, high?.value ?? Infinity];
  const withLow = low?.included ?? true;
  const withHigh = high?.included ?? true;
  return (scope) => {
    const field = scope.reference;
    if (typeof field !== 'number') return general(scope);
    return (withLow ? field >= lowest : field > lowest) && (withHigh ? field <= highest : field < highest);
  };
}

function compileTest(source: string, options: ExpressionOptions): UnaryTest {
  const evaluate = compileTree(source, parseUnary(source, options.limits), options);
  return (scope) => {
    const outcome = evaluate(scope);
    if (typeof outcome === 'boolean') return outcome;
    const location = { source, span: [0, source.length] as const };
    throw new EngineError('type_error', `a test must come out true or false, not ${kindOf(outcome)}`, location);
  };
}

function compileTree(source: string, tree: Node, options: ExpressionOptions): Expression {
  const refuse = (error: EngineError): never => {
    throw error;
  };
  // An operation that must fail may never be reached, so that it is no error here; `checkExpression` reports it.
  const warn = (): void => undefined;
  return compileRoot(createContext(source, tree, { ...options, refuse, warn }), tree);
}
