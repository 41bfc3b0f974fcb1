import { EngineError } from '../errors.js';
import type { BinaryOperator, Node } from './ast.js';
import { parseUnary } from './parser/index.js';
import type { Bracket } from './values/interval.js';

/**
 * What a decision table may index a column by. Literals: the cell matches when the field equals one of them. Range: when
 * the field is a number within the bounds (null: unbounded); a field of another kind than number makes such a cell fail,
 * which a table counts as no match. Numbers here are plain JavaScript numbers. General: run the test.
 */
export type UnaryShape =
  | { readonly kind: 'any' }
  | { readonly kind: 'literals'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'range'; readonly low: Bound | null; readonly high: Bound | null }
  | { readonly kind: 'general' };

export interface Bound {
  readonly value: number;
  readonly included: boolean;
}

const general: UnaryShape = { kind: 'general' };

/** The shape of a cell; never throws: what does not parse is general. */
export function analyseUnary(source: string): UnaryShape {
  if (source.trim() === '') return { kind: 'any' };
  try {
    const tree = parseUnary(source);
    return literals(tree) ?? range(tree) ?? general;
  } catch (error) {
    if (error instanceof EngineError) return general;
    throw error;
  }
}

function isField(node: Node): boolean {
  return node.kind === 'identifier' && node.name === '$';
}

function literalValue(node: Node): string | number | boolean | undefined {
  if (node.kind === 'unary' && node.operator === '-') {
    const value = literalValue(node.operand);
    return typeof value === 'number' ? 0 - value : undefined;
  }
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

/** `'a'`, `'a', 'b'`, `== 'a'`, `in ['a', 'b']` */
function literals(tree: Node): UnaryShape | undefined {
  const values: (string | number | boolean)[] = [];
  let node = tree;
  while (node.kind === 'binary' && node.operator === 'or') {
    if (!collect(node.right, values)) return undefined;
    node = node.left;
  }
  return collect(node, values) ? { kind: 'literals', values: values.reverse() } : undefined;
}

function collect(node: Node, values: (string | number | boolean)[]): boolean {
  if (node.kind !== 'binary' || node.operator !== '==' || !isField(node.left)) return false;
  const value = literalValue(node.right);
  if (value === undefined) return false;
  values.push(value);
  return true;
}

/** `> 5`, `[1..5)`, `>= 1 and < 5` */
function range(tree: Node): UnaryShape | undefined {
  if (tree.kind !== 'binary') return undefined;
  if (tree.operator === 'and') {
    const left = range(tree.left);
    const right = range(tree.right);
    if (left?.kind !== 'range' || right?.kind !== 'range') return undefined;
    if ((left.low && right.low) || (left.high && right.high)) return undefined;
    return { kind: 'range', low: left.low ?? right.low, high: left.high ?? right.high };
  }
  if (!isField(tree.left)) return undefined;
  if (tree.operator === 'in') return intervalRange(tree.right);
  const value = literalValue(tree.right);
  return typeof value === 'number' ? comparisonRange(tree.operator, value) : undefined;
}

function comparisonRange(operator: BinaryOperator, value: number): UnaryShape | undefined {
  switch (operator) {
    case '<':
    case '<=':
      return { kind: 'range', low: null, high: { value, included: operator === '<=' } };
    case '>':
    case '>=':
      return { kind: 'range', low: { value, included: operator === '>=' }, high: null };
    default:
      return undefined;
  }
}

function intervalRange(node: Node): UnaryShape | undefined {
  if (node.kind !== 'interval' || isTurned(node.open, ')]') || isTurned(node.close, '([')) return undefined;
  const low = literalValue(node.left);
  const high = literalValue(node.right);
  if (typeof low !== 'number' || typeof high !== 'number') return undefined;
  return {
    kind: 'range',
    low: { value: low, included: node.open === '[' },
    high: { value: high, included: node.close === ']' },
  };
}

function isTurned(bracket: Bracket, turned: string): boolean {
  return turned.includes(bracket);
}
