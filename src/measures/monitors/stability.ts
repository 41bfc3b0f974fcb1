/** How often each category came. */
export type Distribution = ReadonlyMap<string, number>;

/** A share of nothing counts as this, so that a new category has a finite weight. */
const least = 0.0001;

/**
 * The population stability index (PSI): the sum over all categories of (p - q) * ln(p / q), with p the share now and q the
 * share in the reference. Below 0.1 is usually taken as the same, above 0.2 as another population.
 */
export function stabilityIndex(now: Distribution, reference: Distribution): number {
  const total = (of: Distribution): number => [...of.values()].reduce((sum, count) => sum + count, 0);
  const [all, before] = [total(now), total(reference)];
  const shareOf = (of: Distribution, category: string, sum: number): number =>
    Math.max((of.get(category) ?? 0) / sum, least);
  let index = 0;
  for (const category of new Set([...now.keys(), ...reference.keys()])) {
    const p = shareOf(now, category, all);
    const q = shareOf(reference, category, before);
    index += (p - q) * Math.log(p / q);
  }
  return index;
}

const groups = 10;

/** Numbers, by the tenths of the reference that they lie in. @param buckets numbers with their counts, ascending */
export function byTenths(
  buckets: readonly (readonly [bucket: number, count: number])[],
  reference: readonly (readonly [bucket: number, count: number])[],
): Map<string, number> {
  const total = reference.reduce((sum, [, count]) => sum + count, 0);
  const ends: number[] = [];
  let seen = 0;
  for (const [bucket, count] of reference) {
    seen += count;
    while (ends.length < groups - 1 && seen >= ((ends.length + 1) / groups) * total) ends.push(bucket);
  }
  const found = new Map<string, number>();
  for (const [bucket, count] of buckets) {
    const group = `numbers ${ends.filter((end) => bucket > end).length}`;
    found.set(group, (found.get(group) ?? 0) + count);
  }
  return found;
}
