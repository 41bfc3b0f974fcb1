import { isNumeric } from '../engine/zen/values/numbers.js';
import type { Value } from '../engine/values.js';
import { walk, type Call, type Node } from '../engine/zen/ast.js';
import { parseStandard, parseUnary } from '../engine/zen/parser/index.js';
import { ZenInterval } from '../engine/zen/values/interval.js';
import { constantValue, parsed } from './evaluate.js';
import { isUsual, momentOf } from './moments.js';

/** Values that a comparison tells apart; undefined for objects and lists within lists. */
export function scalarsOf(value: Value, isContainer: boolean): Value[] | undefined {
  const values = isContainer ? membersOf(value) : [value];
  return values?.every(isComparable) ? values : undefined;
}

function membersOf(container: Value): Value[] | undefined {
  if (container instanceof ZenInterval) return [container.left, container.right];
  return Array.isArray(container) ? container : undefined;
}

/** A value of which a field's atoms can tell whether they equal it. */
export function isComparable(value: Value): boolean {
  const moment = momentOf(value);
  return moment === undefined ? isScalar(value) : isUsual(moment);
}

/** No list, object or date. */
export const isScalar = (value: Value): boolean => value === null || typeof value !== 'object' || isNumeric(value);

/**
 * Literals and what is put together of them alone.
 * @param isCall which calls count too
 */
export function isConstant(node: Node, isCall: (node: Call) => boolean = () => false): boolean {
  const isPart = (part: Node): boolean => isConstant(part, isCall);
  switch (node.kind) {
    case 'literal':
      return true;
    case 'group':
      return isPart(node.inner);
    case 'unary':
      return isPart(node.operand);
    case 'array':
      return node.items.every(isPart);
    case 'interval':
    case 'binary':
      return isPart(node.left) && isPart(node.right);
    case 'call':
      return isCall(node);
    default:
      return false;
  }
}

/** Functions that make moments and spans of time out of texts. */
const ofTime = new Set(['d', 'date', 'time', 'duration']);

/** `d('2024-01-31')` and its kin: texts that name a moment, and not the clock or a time zone. */
export function isMoment({ name, args: [text, ...others] }: Call): boolean {
  if (!ofTime.has(name) || text?.kind !== 'literal' || typeof text.value !== 'string') return false;
  const isFixed = name === 'd' ? momentOf(text.value) !== undefined : text.value !== 'now';
  return isFixed && others.every(({ kind }) => kind === 'literal');
}

/** The value of an expression of constants alone; undefined for any other, and for one that fails. */
export function constantOf(source: string): Value | undefined {
  const tree = parsed(() => parseStandard(source));
  return tree !== undefined && isConstant(tree) ? constantValue(source) : undefined;
}

/** The texts that a cell makes days and times of. */
export function momentsIn(cell: string): Value[] {
  const texts: Value[] = [];
  const tree = parsed(() => parseUnary(cell));
  if (tree === undefined) return texts;
  walk(tree, (node) => {
    const text = node.kind === 'call' && isMoment(node) ? node.args[0] : undefined;
    if (text?.kind === 'literal') texts.push(text.value);
  });
  return texts;
}
