import type { Value } from '../engine/values.js';
import type { Binary, Node } from '../engine/zen/ast.js';
import { isNumeric, type Numeric } from '../engine/zen/values/numbers.js';
import { affineOf, endsOf, thresholdsOf } from './affine.js';
import { isConstant, isMoment, scalarsOf } from './constants.js';
import { constantValue, expressionOn } from './evaluate.js';
import { pathOf, sourceOf } from './paths.js';

/** What is compared: `$` for null, or the path of a field. */
export type Subject = readonly string[] | null;

/** A comparison of a subject with constants, somewhere in a predicate. */
export interface Use {
  readonly subject: Subject;
  /** The comparison itself. */
  readonly text: string;
  readonly constants: readonly Value[];
  /** Where something is computed of the subject: the first and the last number for which it can be. */
  readonly within?: readonly [Numeric, Numeric];
}

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', 'not in']);

/** The comparisons that a truth value is made of; undefined where there is anything else in it. */
export function usesOf(node: Node, source: string): Use[] | undefined {
  const subject = subjectOf(node);
  if (subject !== undefined) return [{ subject, constants: [true], text: sourceOf(node, source) }];
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
export function isTruth(node: Node): boolean {
  switch (node.kind) {
    case 'group':
      return isTruth(node.inner);
    case 'literal':
      return typeof node.value === 'boolean';
    case 'unary':
      return node.operator === 'not';
    case 'conditional':
      return isTruth(node.whenTrue) && isTruth(node.whenFalse);
    case 'binary':
      // Of `and` and `or` the right side is given as it is.
      return comparisons.has(node.operator) || (['and', 'or'].includes(node.operator) && isTruth(node.right));
    default:
      return false;
  }
}

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

function comparisonUse(node: Binary, source: string): Use[] | undefined {
  const { operator, left, right } = node;
  const isLeft = isConstant(right, isMoment);
  const [side, other] = isLeft ? [left, right] : [right, left];
  const isMembership = operator.endsWith('in');
  // A field on the right of `in` is a list or an object, whose items no atom tells apart.
  if (!isConstant(other, isMoment) || (isMembership && !isLeft)) return undefined;
  const value = constantValue(sourceOf(other, source));
  const constants = value === undefined ? undefined : scalarsOf(value, isMembership);
  if (constants === undefined) return undefined;
  const text = sourceOf(node, source);
  const subject = subjectOf(side);
  if (subject !== undefined) return [{ subject, constants, text }];
  const computed = computedOf(side, source);
  if (computed === undefined) return undefined;
  const { within, thresholds } = computed;
  return [{ subject: computed.subject, constants: thresholds(constants), within, text }];
}

/** Something that an expression computes of one field, in proportion to it. */
export interface Computed {
  readonly subject: Subject;
  /** What it gives; undefined where it fails. */
  readonly resultOf: (value: Value) => Value | undefined;
  readonly within: readonly [Numeric, Numeric];
  /** What tells apart the values of the field where the result is compared with constants. */
  readonly thresholds: (constants: readonly Value[]) => Value[];
}

export function computedOf(node: Node, source: string): Computed | undefined {
  const affine = affineOf(node, {
    isField: (part) => subjectOf(part) !== undefined,
    numberOf: (part) => {
      const value = isConstant(part) ? constantValue(sourceOf(part, source)) : undefined;
      return isNumeric(value) ? value : undefined;
    },
  });
  const subject = affine && subjectOf(affine.field);
  if (affine === undefined || subject === undefined) return undefined;
  const valueOf = expressionOn(sourceOf(node, source), subject);
  const ends = endsOf(valueOf);
  if (ends === undefined) return undefined;
  const thresholds = (constants: readonly Value[]): Value[] =>
    thresholdsOf(affine, constants.filter(isNumeric), { valueOf, ends });
  return { subject, resultOf: valueOf, within: ends.numbers, thresholds };
}

function subjectOf(node: Node): Subject | undefined {
  if (node.kind === 'group') return subjectOf(node.inner);
  if (node.kind === 'identifier' && node.name === '$') return null;
  return pathOf(node);
}
