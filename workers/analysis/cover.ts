import { spend, type Budget } from './budget.js';
import { difference, intersection, isEmpty, isWithin, meets, union, type Ranges } from './ranges.js';

/** One set of atoms for each dimension: all points whose every coordinate is in its set. */
export type Box = readonly Ranges[];

/** Fewer boxes than this are cut out of one another; more are first divided among halves of the space. */
const fewBoxes = 64;

/**
 * The points of a box that lie in none of the others, as boxes that do not overlap; at most `most` of them.
 * @throws BudgetExceeded
 */
export function uncovered(box: Box, others: readonly Box[], budget: Budget, most = Infinity): Box[] {
  const found: Box[] = [];
  everyUncovered(box, others, budget, (left) => found.push(left) < most);
  return found;
}

/**
 * Whether something holds for all that others leave of a box; the first part for which it does not ends the search.
 * @throws BudgetExceeded
 */
export function everyUncovered(
  box: Box,
  others: readonly Box[],
  budget: Budget,
  holds: (left: Box) => boolean,
): boolean {
  return box.some(isEmpty) || search(box, others, { budget, holds });
}

interface Search {
  readonly budget: Budget;
  readonly holds: (left: Box) => boolean;
}

function search(box: Box, others: readonly Box[], state: Search): boolean {
  spend(state.budget, others.length + 1);
  const relevant: Box[] = [];
  const reaching = new Array<number>(box.length).fill(0);
  let fewest = Infinity;
  let at = 0;
  for (const other of others) {
    if (!meetsAll(box, other)) continue;
    let sides = 0;
    for (let dimension = 0; dimension < box.length; dimension++) {
      if (isWithin(box[dimension] ?? [], other[dimension] ?? [])) continue;
      sides++;
      reaching[dimension] = (reaching[dimension] ?? 0) + 1;
    }
    if (sides === 0) return true;
    if (sides < fewest) {
      fewest = sides;
      at = relevant.length;
    }
    relevant.push(other);
  }
  if (relevant.length === 0) return state.holds(box);
  const halves = relevant.length > fewBoxes ? halvesOf(box, relevant, reaching) : undefined;
  if (halves === undefined) return cutOut(box, relevant, at, state);
  return halves.every((half) => search(half, relevant, state));
}

/** A loop, as it is the innermost of all questions. */
export function meetsAll(one: Box, other: Box): boolean {
  for (let dimension = 0; dimension < one.length; dimension++)
    if (!meets(one[dimension] ?? [], other[dimension] ?? [])) return false;
  return true;
}

/** Searches what one box leaves, a slab for each side. */
function cutOut(box: Box, others: readonly Box[], at: number, state: Search): boolean {
  const cut = others[at] ?? [];
  const rest = others.filter((_, index) => index !== at);
  let left = box;
  for (const dimension of box.keys()) {
    const own = left[dimension] ?? [];
    const other = cut[dimension] ?? [];
    if (isWithin(own, other)) continue;
    if (!search(left.with(dimension, difference(own, other)), rest, state)) return false;
    left = left.with(dimension, intersection(own, other));
  }
  return true;
}

/**
 * The box in two, where most others end; undefined where no other one ends within it.
 * @param reaching of each dimension, how many others the box reaches beyond
 */
function halvesOf(box: Box, others: readonly Box[], reaching: readonly number[]): [Box, Box] | undefined {
  const dimension = reaching.indexOf(Math.max(...reaching));
  const own = box[dimension] ?? [];
  const first = own[0] ?? 0;
  const last = own.at(-1) ?? 0;
  const ends: number[] = [];
  for (const other of others) {
    const set = other[dimension] ?? [];
    for (let index = 0; index < set.length; index++) {
      const end = (set[index] ?? 0) + (index % 2);
      if (end > first && end <= last) ends.push(end);
    }
  }
  const middle = Float64Array.from(ends).sort()[ends.length >> 1];
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

export const isEmptyBox = (box: Box): boolean => box.some(isEmpty);

export const overlap = (one: Box, other: Box): Box =>
  one.map((set, dimension) => intersection(set, other[dimension] ?? []));
