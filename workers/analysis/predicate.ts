import { EngineError } from '../engine/errors.js';
import { defaultLimits } from '../engine/limits.js';
import type { RunState, Scope, Value } from '../engine/values.js';
import type { Node } from '../engine/zen/ast.js';
import { analyseUnary, compileExpression, compileUnary, type Expression, type UnaryTest } from '../engine/zen/index.js';
import { parseStandard, parseUnary } from '../engine/zen/parser/index.js';
import { isNumeric } from '../engine/zen/values/numbers.js';
import { ZenInterval } from '../engine/zen/values/interval.js';

/** A test of one field that does nothing with it but compare it with constants. */
export interface Predicate {
  /** Keys of the field; null for `$`, the value of a cell's own column. */
  readonly path: readonly string[] | null;
  /** What the field is compared with. */
  readonly constants: readonly Value[];
  /** Whether it holds for a value of the field; an error counts as no. */
  readonly holds: (value: Value) => boolean;
  /** Of a cell that is a range or a list of literals: what it admits is found without trying every atom. */
  readonly shape?: PlainShape;
}

export type PlainShape = Extract<ReturnType<typeof analyseUnary>, { kind: 'literals' | 'range' }>;

/** Where a predicate's subject stands: `$`, or the path of a field. */
type Subject = readonly string[] | null;

/** The keys of `a.b['c']`; undefined for anything else. */
export function pathOf(node: Node): readonly string[] | undefined {
  const keys: string[] = [];
  let at = node;
  for (; at.kind === 'member'; at = at.object) {
    if (at.property.kind !== 'literal' || typeof at.property.value !== 'string') return undefined;
    keys.unshift(at.property.value);
  }
  if (at.kind !== 'identifier' || at.name.startsWith('$')) return undefined;
  return [at.name, ...keys];
}

/** A path as one name, different for different paths: `a.b`, `a["b c"]`. */
export const pathName = ([first = '', ...rest]: readonly string[]): string =>
  first + rest.map((key) => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');

/** The path that an expression is; undefined where it is no path, or does not parse. */
export function fieldPath(source: string): readonly string[] | undefined {
  const tree = parsed(() => parseStandard(source));
  return tree && pathOf(tree);
}

/** The cell of a column with a field, as a predicate of `$`; undefined where it is none. */
export function cellPredicate(source: string): Predicate | undefined {
  const holds = unaryOn(source);
  const shape = analyseUnary(source);
  if (shape.kind === 'literals') return { path: null, constants: shape.values, holds, shape };
  if (shape.kind === 'range') {
    const constants = [shape.low, shape.high].flatMap((bound) => (bound === null ? [] : [bound.value]));
    return { path: null, constants, holds, shape };
  }
  const tree = parsed(() => parseUnary(source));
  const use = tree && usesOf(tree, source);
  if (use === undefined || use.some(({ subject }) => subject !== null)) return undefined;
  return { path: null, constants: use.flatMap(({ constants }) => constants), holds };
}

/**
 * A condition, as predicates that must all hold, each of one field; undefined where it cannot be taken apart so. The parts of
 * an `and` are independent: it is true exactly where each of them is.
 */
export function conditionPredicates(source: string): Predicate[] | undefined {
  const tree = parsed(() => parseStandard(source));
  if (tree === undefined) return undefined;
  const predicates: Predicate[] = [];
  for (const part of conjuncts(tree)) {
    const text = textOf(part, source);
    const uses = usesOf(part, source);
    const path = uses?.[0]?.subject;
    if (uses === undefined || path === null || path === undefined) return undefined;
    if (uses.some(({ subject }) => subject === null || subject.join('\0') !== path.join('\0'))) return undefined;
    predicates.push({ path, constants: uses.flatMap(({ constants }) => constants), holds: conditionOn(text, path) });
  }
  return predicates;
}

const textOf = ({ span: [from, to] }: Node, source: string): string => source.slice(from, to);

function conjuncts(node: Node): Node[] {
  if (node.kind === 'group') return conjuncts(node.inner);
  if (node.kind === 'binary' && node.operator === 'and') return [...conjuncts(node.left), ...conjuncts(node.right)];
  return [node];
}

/** A comparison of a subject with constants, somewhere in a predicate. */
export interface Use {
  readonly subject: Subject;
  /** The comparison itself. */
  readonly text: string;
  readonly constants: readonly Value[];
}

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in']);

/** The comparisons that a truth value is made of; undefined where there is anything else in it. */
export function usesOf(node: Node, source: string): Use[] | undefined {
  const subject = subjectOf(node);
  if (subject !== undefined) return [{ subject, constants: [true], text: textOf(node, source) }];
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'boolean' ? [] : undefined;
    case 'group':
      return usesOf(node.inner, source);
    case 'unary':
      return node.operator === 'not' ? usesOf(node.operand, source) : undefined;
    case 'call':
      // `bool` tells numbers and texts apart, so that it must be given a truth value.
      return node.name === 'bool' && node.args.every(isTruth) ? allUses(node.args, source) : undefined;
    case 'conditional':
      return allUses([node.condition, node.whenTrue, node.whenFalse], source);
    case 'binary':
      if (node.operator === 'and' || node.operator === 'or') return allUses(chain(node), source);
      return comparisons.has(node.operator) ? comparisonUse(node, source) : undefined;
    default:
      return undefined;
  }
}

/** Gives true or false, or fails. */
const isTruth = (node: Node): boolean =>
  node.kind === 'group' ? isTruth(node.inner) : node.kind === 'unary' || node.kind === 'binary';

/** The operands of a chain of `and` and `or`, which may be thousands long. */
function chain(node: Node): Node[] {
  const operands: Node[] = [];
  let at = node;
  for (; at.kind === 'binary' && (at.operator === 'and' || at.operator === 'or'); at = at.left) operands.push(at.right);
  return [...operands, at];
}

function allUses(nodes: readonly Node[], source: string): Use[] | undefined {
  const all: Use[] = [];
  for (const node of nodes) {
    const uses = usesOf(node, source);
    if (uses === undefined) return undefined;
    all.push(...uses);
  }
  return all;
}

function comparisonUse(node: Node & { kind: 'binary' }, source: string): Use[] | undefined {
  const left = subjectOf(node.left);
  const right = subjectOf(node.right);
  if ((left === undefined) === (right === undefined)) return undefined;
  const other = left === undefined ? node.left : node.right;
  // A field on the right of `in` is a list or an object, whose items no atom tells apart.
  if (left === undefined && node.operator.endsWith('in')) return undefined;
  if (!isConstant(other)) return undefined;
  const value = constantValue(textOf(other, source));
  const constants = value === undefined ? undefined : scalarsOf(value, node.operator.endsWith('in'));
  return constants && [{ subject: left ?? right ?? null, constants, text: textOf(node, source) }];
}

function subjectOf(node: Node): Subject | undefined {
  if (node.kind === 'group') return subjectOf(node.inner);
  if (node.kind === 'identifier' && node.name === '$') return null;
  return pathOf(node);
}

/** Values that a comparison tells apart; undefined for dates, objects and lists within lists. */
function scalarsOf(value: Value, isContainer: boolean): Value[] | undefined {
  if (isContainer && value instanceof ZenInterval) {
    const { left, right } = value;
    return isNumeric(left) && isNumeric(right) ? [left, right] : undefined;
  }
  if (isContainer) return Array.isArray(value) && value.every(isScalar) ? value : undefined;
  return isScalar(value) ? [value] : undefined;
}

/** No list, object or date. */
export const isScalar = (value: Value): boolean => value === null || typeof value !== 'object' || isNumeric(value);

/** Literals and what is put together of them alone. */
export function isConstant(node: Node): boolean {
  switch (node.kind) {
    case 'literal':
      return true;
    case 'group':
      return isConstant(node.inner);
    case 'unary':
      return isConstant(node.operand);
    case 'array':
      return node.items.every(isConstant);
    case 'interval':
      return isConstant(node.left) && isConstant(node.right);
    case 'binary':
      return isConstant(node.left) && isConstant(node.right);
    default:
      return false;
  }
}

/** The value of an expression that reads nothing; undefined where it fails. */
function constantValue(source: string): Value | undefined {
  return tried(() => compileExpression(source)(emptyScope()));
}

/** The value of an expression of constants alone; undefined for any other, and for one that fails. */
export function constantOf(source: string): Value | undefined {
  const tree = parsed(() => parseStandard(source));
  return tree !== undefined && isConstant(tree) ? constantValue(source) : undefined;
}

function unaryOn(source: string): (value: Value) => boolean {
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

/** The value of an expression that reads one field; undefined where it fails. */
export function expressionOn(source: string, path: readonly string[]): (value: Value) => Value | undefined {
  let expression: Expression | undefined;
  const scope = emptyScope();
  return (value) => {
    scope.data = path.reduceRight<Value>((inner, key) => ({ [key]: inner }), value);
    return tried(() => (expression ??= compileExpression(source))(scope));
  };
}

/** What the engine gives; undefined where it raises an error. */
function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

const parsed = (parse: () => Node): Node | undefined => tried(parse);

function emptyScope(): Scope {
  return { data: null, reference: null, nodes: null, env: {}, run: newRun() };
}

const newRun = (): RunState => ({
  limits: defaultLimits,
  steps: 1_000_000_000,
  deadline: Infinity,
  now: () => 0,
  random: () => 0,
});
