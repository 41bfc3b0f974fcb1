/** Of numbers in ascending order; 0 of none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The middle one; of an even number the mean of the two in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/**
 * How many times the others' value one value is: the median over the rounds that took turns, because the speed of a
 * machine changes more from minute to minute than from one round to the next. NaN where nothing can be compared.
 */
export function ratioOf(these: readonly number[], others: readonly number[]): number {
  const ratios = these.flatMap((value, round) => (others[round] ? [value / others[round]] : []));
  return ratios.length === 0 ? NaN : median(ratios);
}
