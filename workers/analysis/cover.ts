import { difference, intersection, isEmpty, isWithin, meets, sameRanges, union, type Ranges } from './ranges.js';

/** One set of atoms for each dimension: all points whose every coordinate is in its set. */
export type Box = readonly Ranges[];

/** What an analysis may still do; shared by all of its searches. */
export interface Budget {
  /** Comparisons of two boxes. */
  comparisons: number;
  /** `performance.now()` milliseconds. */
  readonly until: number;
}

/** The question was given up: the answer would take more than the budget has. */
export class BudgetExceeded extends Error {}

/** Fewer boxes than this are cut out of one another; more are first divided among halves of the space. */
const fewBoxes = 8;

/**
 * The points of a box that lie in none of the others, as boxes that do not overlap; at most `most` of them.
 * @throws BudgetExceeded
 */
export function uncovered(box: Box, others: readonly Box[], budget: Budget, most = Infinity): Box[] {
  const found: Box[] = [];
  if (!box.some(isEmpty)) search(box, others, { found, budget, most });
  return found;
}

interface Search {
  readonly found: Box[];
  readonly budget: Budget;
  readonly most: number;
}

function search(box: Box, others: readonly Box[], state: Search): void {
  if (state.found.length >= state.most) return;
  state.budget.comparisons -= others.length + 1;
  if (state.budget.comparisons < 0 || performance.now() > state.budget.until) throw new BudgetExceeded();
  const relevant = others.filter((other) => other.every((set, dimension) => meets(set, box[dimension] ?? [])));
  if (relevant.length === 0) {
    state.found.push(box);
    return;
  }
  const sides = relevant.map((other) => sidesOf(box, other));
  const fewest = Math.min(...sides.map(({ length }) => length));
  if (fewest === 0) return;
  const halves = relevant.length > fewBoxes ? halvesOf(box, relevant, sides) : undefined;
  if (halves !== undefined) {
    for (const half of halves) search(half, relevant, state);
    return;
  }
  const at = sides.findIndex(({ length }) => length === fewest);
  cutOut(box, { others: relevant, at, sides: sides[at] ?? [] }, state);
}

/** The dimensions in which a box reaches beyond another. */
const sidesOf = (box: Box, other: Box): number[] =>
  [...box.keys()].filter((dimension) => !isWithin(box[dimension] ?? [], other[dimension] ?? []));

/** Searches what one box leaves, a slab for each side. */
function cutOut(
  box: Box,
  { others, at, sides }: { others: readonly Box[]; at: number; sides: readonly number[] },
  state: Search,
): void {
  const cut = others[at] ?? [];
  const rest = others.filter((_, index) => index !== at);
  let left = box;
  for (const dimension of sides) {
    const own = left[dimension] ?? [];
    const other = cut[dimension] ?? [];
    search(left.with(dimension, difference(own, other)), rest, state);
    left = left.with(dimension, intersection(own, other));
  }
}

/** The box in two, where most others end; undefined where no other one ends within it. */
function halvesOf(box: Box, others: readonly Box[], sides: readonly (readonly number[])[]): [Box, Box] | undefined {
  const counts = new Array<number>(box.length).fill(0);
  for (const each of sides) for (const dimension of each) counts[dimension] = (counts[dimension] ?? 0) + 1;
  const dimension = counts.indexOf(Math.max(...counts));
  const own = box[dimension] ?? [];
  const first = own[0] ?? 0;
  const ends = others
    .flatMap((other) =>
      [...intersection(other[dimension] ?? [], own)].map((end, index) => (index % 2 === 0 ? end : end + 1)),
    )
    .filter((end) => end > first && end <= (own.at(-1) ?? 0))
    .sort((one, other) => one - other);
  const middle = ends[ends.length >> 1];
  if (middle === undefined) return undefined;
  const below = intersection(own, [0, middle - 1]);
  return [box.with(dimension, below), box.with(dimension, difference(own, below))];
}

/** The same points in fewer boxes: two that differ in one dimension alone become one. */
export function merged(boxes: readonly Box[]): Box[] {
  let all = [...boxes];
  for (let before = Infinity; all.length < before;) {
    before = all.length;
    for (let dimension = 0; dimension < (all[0]?.length ?? 0); dimension++) all = mergedAlong(all, dimension);
  }
  return all;
}

function mergedAlong(boxes: readonly Box[], dimension: number): Box[] {
  const groups = new Map<string, Box>();
  for (const box of boxes) {
    const key = box.map((set, index) => (index === dimension ? '' : set.join(' '))).join(';');
    const group = groups.get(key);
    groups.set(
      key,
      group === undefined ? box : group.with(dimension, union(group[dimension] ?? [], box[dimension] ?? [])),
    );
  }
  return [...groups.values()];
}

export const sameBox = (one: Box, other: Box): boolean =>
  one.every((set, dimension) => sameRanges(set, other[dimension] ?? []));

export const isEmptyBox = (box: Box): boolean => box.some(isEmpty);

export const overlap = (one: Box, other: Box): Box =>
  one.map((set, dimension) => intersection(set, other[dimension] ?? []));
