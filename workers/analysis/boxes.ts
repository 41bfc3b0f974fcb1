import { spend, type Budget } from './budget.js';
import { difference, intersection, isEmpty, meets, placing, union, unionOf, type Ranges } from './ranges.js';

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
  const dimensions = [...box.keys()];
  const cuts = others.map((other): Cut => ({ box: other, sides: dimensions }));
  return box.some(isEmpty) || search(box, cuts, dimensions, { budget, holds });
}

/** A box that is cut out of a searched one. */
interface Cut {
  readonly box: Box;
  /** Dimensions, ascending, in which the searched box may reach beyond it; in the others it does not. */
  readonly sides: readonly number[];
}

interface Search {
  readonly budget: Budget;
  readonly holds: (left: Box) => boolean;
}

/** @param changed dimensions in which the box is not the one that the sides of its cuts are of */
function search(box: Box, cuts: readonly Cut[], changed: readonly number[], state: Search): boolean {
  for (let next: Part = { box, cuts, changed }; ;) {
    spend(state.budget, next.cuts.length + 1);
    const left = shrunk(next);
    if (left === undefined) return true;
    if (left.cuts.length === 0) return state.holds(left.box);
    const halves = left.cuts.length > fewBoxes ? halvesOf(left) : undefined;
    if (halves !== undefined) return halves.every((half) => search(half.box, half.cuts, half.changed, state));
    if (left.changed.length === 0) return cutOut(left, state);
    next = left;
  }
}

/** A box with what is to be cut out of it. */
interface Part {
  readonly box: Box;
  readonly cuts: readonly Cut[];
  readonly changed: readonly number[];
}

/**
 * The part without the cuts that do not meet it, nor those with one side, which make it smaller and divide nothing;
 * undefined where nothing is left of it.
 */
function shrunk({ box, cuts, changed }: Part): Part | undefined {
  const rest: Cut[] = [];
  const taken = new Map<number, Ranges[]>();
  for (const cut of cuts) {
    const sides = sidesOf(box, cut, changed);
    if (sides === undefined) continue;
    const [side, another] = sides;
    if (side === undefined) return undefined;
    if (another !== undefined) rest.push(sides === cut.sides ? cut : { box: cut.box, sides });
    else {
      const sets = taken.get(side) ?? [];
      sets.push(cut.box[side] ?? []);
      taken.set(side, sets);
    }
  }
  let left = box;
  for (const [side, sets] of taken) left = left.with(side, difference(left[side] ?? [], unionOf(sets)));
  return left.some(isEmpty) ? undefined : { box: left, cuts: rest, changed: [...taken.keys()] };
}

/** The sides of a cut that are left; undefined where it does not meet the box. A loop, as it is the innermost of all questions. */
function sidesOf(box: Box, { box: other, sides }: Cut, changed: readonly number[]): readonly number[] | undefined {
  let left = sides;
  for (let at = 0; at < changed.length; at++) {
    const dimension = changed[at] ?? 0;
    if (!sides.includes(dimension)) continue;
    const place = placing(box[dimension] ?? [], other[dimension] ?? []);
    if (place === 'apart') return undefined;
    if (place === 'within') left = left.filter((side) => side !== dimension);
  }
  return left;
}

export function meetsAll(one: Box, other: Box): boolean {
  for (let dimension = 0; dimension < one.length; dimension++)
    if (!meets(one[dimension] ?? [], other[dimension] ?? [])) return false;
  return true;
}

/** Searches what the cut with the fewest sides leaves, a slab for each of them. */
function cutOut({ box, cuts }: Part, state: Search): boolean {
  const cut = cuts.reduce((best, each) => (each.sides.length < best.sides.length ? each : best));
  const rest = cuts.filter((other) => other !== cut);
  let left = box;
  for (const [at, dimension] of cut.sides.entries()) {
    const own = left[dimension] ?? [];
    const other = cut.box[dimension] ?? [];
    const changed = cut.sides.slice(0, at + 1);
    if (!search(left.with(dimension, difference(own, other)), rest, changed, state)) return false;
    left = left.with(dimension, intersection(own, other));
  }
  return true;
}

/** The part in two, where most cuts end; undefined where none ends within it. */
function halvesOf({ box, cuts, changed }: Part): Part[] | undefined {
  const reaching = new Array<number>(box.length).fill(0);
  for (const { sides } of cuts) for (const side of sides) reaching[side] = (reaching[side] ?? 0) + 1;
  const dimension = reaching.indexOf(Math.max(...reaching));
  const own = box[dimension] ?? [];
  const middle = middleOf(
    own,
    cuts.map((cut) => cut.box[dimension] ?? []),
  );
  if (middle === undefined) return undefined;
  const below = intersection(own, [0, middle - 1]);
  const both = [...new Set([...changed, dimension])];
  return [below, difference(own, below)].map((half) => ({ box: box.with(dimension, half), cuts, changed: both }));
}

/** Where as many ranges of the others begin or have ended before as after, within a set; undefined where none do. */
function middleOf(own: Ranges, others: readonly Ranges[]): number | undefined {
  const first = own[0] ?? 0;
  const last = own.at(-1) ?? 0;
  // How many there are at each place, as sorting them would take longer than all else.
  const counts = new Uint32Array(last - first + 1);
  let count = 0;
  for (const set of others) {
    for (let index = 0; index < set.length; index++) {
      const end = (set[index] ?? 0) + (index % 2);
      if (end <= first || end > last) continue;
      counts[end - first] = (counts[end - first] ?? 0) + 1;
      count++;
    }
  }
  if (count === 0) return undefined;
  let place = 0;
  for (let left = count >> 1; left >= (counts[place] ?? 0); place++) left -= counts[place] ?? 0;
  return first + place;
}

/** The same points in fewer boxes: two that differ in one dimension alone become one. */
export function merged(boxes: readonly Box[]): Box[] {
  const numberOf = numbering();
  let all = [...boxes];
  for (let before = Infinity; all.length < before;) {
    before = all.length;
    for (let dimension = 0; dimension < (all[0]?.length ?? 0); dimension++) all = mergedAlong(all, dimension, numberOf);
  }
  return all;
}

/** Gives equal sets the same number: boxes have most of their sets in common, and thousands are compared. */
function numbering(): (set: Ranges) => number {
  const ofSets = new Map<Ranges, number>();
  const ofTexts = new Map<string, number>();
  return (set) => {
    const known = ofSets.get(set);
    if (known !== undefined) return known;
    const text = set.join();
    const number = ofTexts.get(text) ?? ofTexts.size;
    ofTexts.set(text, number);
    ofSets.set(set, number);
    return number;
  };
}

function mergedAlong(boxes: readonly Box[], dimension: number, numberOf: (set: Ranges) => number): Box[] {
  const groups = new Map<string, Box>();
  for (const box of boxes) {
    const key = box.map((set, index) => (index === dimension ? '' : numberOf(set))).join();
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
