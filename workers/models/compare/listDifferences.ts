import { formatJson } from '../../json/index.js';

/** Indexes of an item in the two lists; null where it is absent. */
export interface Position {
  readonly from: number | null;
  readonly to: number | null;
}

/** An item of two lists that differs between them; `moved`: the same at another index among those that stayed. */
export interface ChangedItem {
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
  /** It changed, and is at another index, too. */
  readonly moved?: true;
  readonly position: Position;
  readonly before?: unknown;
  readonly after?: unknown;
}

interface Pair {
  readonly from: number;
  readonly to: number;
}

/**
 * Compares two lists whose items are known by ids. What is not in the result is in both, the same and in the same order:
 * take the positions `from` out of the first list, put the new items in at their positions `to` in ascending order, and
 * it is the second. In the order of the second list, what was removed last.
 * @param idOf null for an item without an id, which is then known by all that it holds, else by its place between others
 * @param isSame called once for each item that both lists have
 */
export function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  { idOf, isSame }: { idOf: (item: unknown) => string | null; isSame: (one: unknown, other: unknown) => boolean },
): ChangedItem[] {
  const names = namesOf(before, idOf);
  const indexOf = new Map(names.map((name, index) => [name, index]));
  const pairs: Pair[] = [];
  const changes: ChangedItem[] = [];
  const kept = new Set<number>();
  namesOf(after, idOf).forEach((name, to) => {
    const from = indexOf.get(name);
    if (from === undefined) return;
    kept.add(from);
    pairs.push({ from, to });
  });
  const inOrder = longestInOrder(pairs);
  for (const pair of pairsByPlace([before, after], { pairs, inOrder, idOf })) {
    kept.add(pair.from);
    pairs.push(pair);
    inOrder.add(pair);
  }
  const pairOf = new Map(pairs.map((pair) => [pair.to, pair]));
  after.forEach((item, to) => {
    const pair = pairOf.get(to);
    if (pair === undefined) {
      changes.push({ change: 'added', position: { from: null, to }, after: item });
      return;
    }
    const same = isSame(before[pair.from], item);
    if (same && inOrder.has(pair)) return;
    const position = { from: pair.from, to };
    const moved = same || inOrder.has(pair) ? {} : ({ moved: true } as const);
    changes.push({ change: same ? 'moved' : 'changed', ...moved, position, before: before[pair.from], after: item });
  });
  before.forEach((item, from) => {
    if (!kept.has(from)) changes.push({ change: 'removed', position: { from, to: null }, before: item });
  });
  return changes;
}

/**
 * Items without ids that changed: where as many are gone as are new between two items that kept their order, the first of them
 * became the first, and so on.
 */
function pairsByPlace(
  [before, after]: readonly [readonly unknown[], readonly unknown[]],
  {
    pairs,
    inOrder,
    idOf,
  }: { pairs: readonly Pair[]; inOrder: ReadonlySet<Pair>; idOf: (item: unknown) => string | null },
): Pair[] {
  const known = { from: new Set(pairs.map(({ from }) => from)), to: new Set(pairs.map(({ to }) => to)) };
  const lone = (items: readonly unknown[], side: keyof Pair, first: number, end: number): number[] =>
    Array.from({ length: end - first }, (_, at) => first + at).filter(
      (index) => !known[side].has(index) && idOf(items[index]) === null,
    );
  const found: Pair[] = [];
  let last: Pair = { from: -1, to: -1 };
  const ends = [...pairs.filter((pair) => inOrder.has(pair)), { from: before.length, to: after.length }];
  for (const end of ends) {
    const gone = lone(before, 'from', last.from + 1, end.from);
    const come = lone(after, 'to', last.to + 1, end.to);
    if (gone.length === come.length) gone.forEach((from, at) => found.push({ from, to: come[at] ?? 0 }));
    last = end;
  }
  return found;
}

/** Each item's name, unique in its list. A second item of an id goes by what it holds, as one without an id does. */
function namesOf(items: readonly unknown[], idOf: (item: unknown) => string | null): string[] {
  const seen = new Set<string>();
  return items.map((item) => {
    const id = idOf(item);
    let name = `id ${String(id)}`;
    if (id === null || seen.has(name)) {
      const held = `item ${formatJson(item)}`;
      name = held;
      for (let count = 2; seen.has(name); count++) name = `${count} times ${held}`;
    }
    seen.add(name);
    return name;
  });
}

/**
 * A largest set of pairs that kept their order: a longest increasing subsequence (patience sorting).
 * @param pairs in ascending order of `to`
 */
function longestInOrder(pairs: readonly Pair[]): Set<Pair> {
  const piles: Pair[] = [];
  const previous = new Map<Pair, Pair | undefined>();
  for (const pair of pairs) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.from ?? 0) < pair.from) low = middle + 1;
      else high = middle;
    }
    previous.set(pair, piles[low - 1]);
    piles[low] = pair;
  }
  const longest = new Set<Pair>();
  for (let pair = piles.at(-1); pair !== undefined; pair = previous.get(pair)) longest.add(pair);
  return longest;
}
