/**
 * The candidate that differs from `name` in the fewest letters, if it is close enough to be meant.
 * @param most letters in which it may differ; a third of them when left out
 */
export function nearest(
  name: string,
  candidates: readonly string[],
  most = Math.max(1, Math.floor(name.length / 3)),
): string | undefined {
  if (name.length > 100) return undefined;
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    // They differ in as many letters at least as one of them has more.
    if (Math.abs(name.length - candidate.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions and replacements between two short names. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
