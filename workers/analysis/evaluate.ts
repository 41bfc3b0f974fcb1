import { tried } from '../engine/errors.js';
import type { RunState, Scope, Value } from '../engine/values.js';
import type { Node } from '../engine/zen/ast.js';
import { runAlone, scopeAlone } from '../engine/zen/budget.js';
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

/** Undefined for what does not parse. */
export const parsed = (parse: () => Node): Node | undefined => tried(parse);

const emptyScope = (): Scope => scopeAlone(null, newRun());

export const newRun = (): RunState => runAlone(1_000_000_000);
