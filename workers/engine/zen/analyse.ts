import { tried } from '../errors.js';
import type { Node } from './ast.js';
import { asPlain, comparisonRange, plainShape, type Scalar, type UnaryShape } from './cells.js';
import { parseUnary } from './parser/index.js';
import type { Bracket } from './values/interval.js';

const general: UnaryShape = { kind: 'general' };

/** The shape of a cell; never throws: what does not parse is general. */
export function analyseUnary(source: string): UnaryShape {
  if (source.trim() === '') return { kind: 'any' };
  const plain = plainShape(source);
  if (plain) return plain;
  const tree = tried(() => parseUnary(source));
  return (tree && (literals(tree) ?? range(tree))) ?? general;
}

function isField(node: Node): boolean {
  return node.kind === 'identifier' && node.name === '$';
}

function literalValue(node: Node): Scalar | undefined {
  if (node.kind === 'unary' && node.operator === '-') {
    const value = literalValue(node.operand);
    return typeof value === 'number' ? 0 - value : undefined;
  }
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  if (value === null) return undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? value : asPlain(value);
}

/** `'a'`, `'a', 'b'`, `== 'a'`, `in ['a', 'b']` */
function literals(tree: Node): UnaryShape | undefined {
  const values: Scalar[] = [];
  let node = tree;
  while (node.kind === 'binary' && node.operator === 'or') {
    if (!collect(node.right, values)) return undefined;
    node = node.left;
  }
  return collect(node, values) ? { kind: 'literals', values: values.reverse() } : undefined;
}

function collect(node: Node, values: Scalar[]): boolean {
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
  return typeof value === 'number' && /^[<>]/.test(tree.operator) ? comparisonRange(tree.operator, value) : undefined;
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
