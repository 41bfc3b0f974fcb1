import type { Value } from '../engine/values.js';
import type { Node } from '../engine/zen/ast.js';
import { analyseUnary } from '../engine/zen/index.js';
import { parseStandard, parseUnary } from '../engine/zen/parser/index.js';
import type { Numeric } from '../engine/zen/values/numbers.js';
import { isComparable } from './constants.js';
import { conditionOn, expressionOn, parsed, unaryOn } from './evaluate.js';
import { isSamePath, sourceOf } from './paths.js';
import { computedOf, isTruth, usesOf, type Computed, type Subject, type Use } from './uses.js';

/** A test of one field that does nothing with it but compare it with constants. */
export interface Predicate {
  /** Keys of the field; null for `$`, the value of a cell's own column. */
  readonly path: Subject;
  /** What the field is compared with. */
  readonly constants: readonly Value[];
  /** Whether it holds for a value of the field; an error counts as no. */
  readonly holds: (value: Value) => boolean;
  /** Where more than a comparison is computed: the first and the last numbers for which it can be. */
  readonly within?: readonly (readonly [Numeric, Numeric])[];
  /** Of a cell that is a range or a list of literals: what it admits is found without trying every atom. */
  readonly shape?: PlainShape;
}

export type PlainShape = Extract<ReturnType<typeof analyseUnary>, { kind: 'literals' | 'range' }>;

/** The cell of a column with a field, as a predicate of `$`; undefined where it is none. */
export function cellPredicate(source: string): Predicate | undefined {
  const holds = unaryOn(source);
  const shape = analyseUnary(source);
  if (shape.kind === 'literals')
    return shape.values.every(isComparable) ? { path: null, constants: shape.values, holds, shape } : undefined;
  if (shape.kind === 'range') {
    const constants = [shape.low, shape.high].flatMap((bound) => (bound === null ? [] : [bound.value]));
    return { path: null, constants, holds, shape };
  }
  const tree = parsed(() => parseUnary(source));
  const use = tree && usesOf(tree, source);
  if (use === undefined || use.some(({ subject }) => subject !== null)) return undefined;
  return { path: null, ...comparedIn(use), holds };
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
    if (part.kind === 'literal' && part.value === true) continue;
    const text = sourceOf(part, source);
    const uses = usesOf(part, source);
    const path = uses?.[0]?.subject;
    if (uses === undefined || path === null || path === undefined) return undefined;
    if (!uses.every(({ subject }) => isSamePath(subject, path))) return undefined;
    predicates.push({ path, ...comparedIn(uses), holds: conditionOn(text, path) });
  }
  return predicates;
}

const comparedIn = (uses: readonly Use[]): Pick<Predicate, 'constants' | 'within'> => ({
  constants: uses.flatMap(({ constants }) => constants),
  within: uses.flatMap(({ within }) => (within === undefined ? [] : [within])),
});

/** Of a column whose field is itself computed of one field: what a cell says of that. Undefined where it is not. */
export function computedColumn(field: string): ((cell: string) => Predicate | undefined) | undefined {
  const tree = parsed(() => parseStandard(field));
  if (tree === undefined) return undefined;
  const computed = computedOf(tree, field) ?? comparedOf(tree, field);
  if (computed === undefined || computed.subject === null) return undefined;
  const { subject: path, resultOf, within, thresholds } = computed;
  return (cell) => {
    const test = cellPredicate(cell);
    const holds = (value: Value): boolean => {
      const result = resultOf(value);
      return result !== undefined && test?.holds(result) === true;
    };
    return test && { path, constants: thresholds(test.constants), within: within === undefined ? [] : [within], holds };
  };
}

type ComputedColumn = Omit<Computed, 'within'> & Partial<Pick<Computed, 'within'>>;

/** A comparison as a column: it gives one value for each atom of its own field. */
function comparedOf(tree: Node, field: string): ComputedColumn | undefined {
  const uses = usesOf(tree, field);
  const subject = uses?.[0]?.subject;
  if (uses === undefined || !subject || !isTruth(tree)) return undefined;
  if (!uses.every((use) => isSamePath(use.subject, subject))) return undefined;
  const { constants } = comparedIn(uses);
  return { subject, resultOf: expressionOn(field, subject), thresholds: () => [...constants] };
}

function conjuncts(node: Node): Node[] {
  if (node.kind === 'group') return conjuncts(node.inner);
  if (node.kind === 'binary' && node.operator === 'and') return [...conjuncts(node.left), ...conjuncts(node.right)];
  return [node];
}
