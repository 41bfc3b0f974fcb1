import { EngineError } from '../engine/errors.js';
import { defaultLimits } from '../engine/limits.js';
import type { RunState, Scope, Value } from '../engine/values.js';
import type { Node } from '../engine/zen/ast.js';
import { compileExpression, compileUnary, type Expression, type UnaryTest } from '../engine/zen/index.js';

/** The value of an expression that reads nothing; undefined where it fails. */
export function constantValue(source: string): Value | undefined {
  return tried(() => compileExpression(source)(emptyScope()));
}

/** A cell of a column with a field; one that fails does not hold. */
export function unaryOn(source: string): (value: Value) => boolean {
  let test: UnaryTest | undefined;
  const scope = emptyScope();
  return (value) => {
    scope.reference = value;
    return tried(() => (test ??= compileUnary(source))(scope)) === true;
  };
}

/** A condition of one field, on an input that holds that field alone. */
export function conditionOn(source: string, path: readonly string[]): (value: Value) => boolean {
  const evaluate = expressionOn(source, path);
  return (value) => evaluate(value) === true;
}

/** The value of an expression that reads one field, `$` for null; undefined where it fails. */
export function expressionOn(source: string, path: readonly string[] | null): (value: Value) => Value | undefined {
  let expression: Expression | undefined;
  const scope = emptyScope();
  return (value) => {
    if (path === null) scope.reference = value;
    else scope.data = path.reduceRight<Value>((inner, key) => ({ [key]: inner }), value);
    return tried(() => (expression ??= compileExpression(source))(scope));
  };
}

/** What the engine gives; undefined where it raises an error. */
export function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/** Undefined for what does not parse. */
export const parsed = (parse: () => Node): Node | undefined => tried(parse);

function emptyScope(): Scope {
  return { data: null, reference: null, nodes: null, env: {}, run: newRun() };
}

export const newRun = (): RunState => ({
  limits: defaultLimits,
  steps: 1_000_000_000,
  deadline: Infinity,
  now: () => 0,
  random: () => 0,
});
