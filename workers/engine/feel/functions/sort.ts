import type { Feel } from '../values/value.js';

/**
 * A stable merge sort, which asks for the order of at most n·log n pairs whatever the answers are: an order that
 * contradicts itself gives some order of the same items.
 * @returns undefined where `precedes` gave no boolean
 */
export function sorted(items: readonly Feel[], precedes: (a: Feel, b: Feel) => Feel): readonly Feel[] | undefined {
  if (items.length < 2) return items;
  const middle = items.length >>> 1;
  const left = sorted(items.slice(0, middle), precedes);
  const right = sorted(items.slice(middle), precedes);
  if (left === undefined || right === undefined) return undefined;
  const merged: Feel[] = [];
  let [from, to] = [0, 0];
  while (from < left.length && to < right.length) {
    const [a, b] = [left[from] ?? null, right[to] ?? null];
    const isAfter = precedes(b, a);
    if (typeof isAfter !== 'boolean') return undefined;
    if (isAfter) {
      merged.push(b);
      to++;
    } else {
      merged.push(a);
      from++;
    }
  }
  return [...merged, ...left.slice(from), ...right.slice(to)];
}
