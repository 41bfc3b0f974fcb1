import { median } from '../quantile.js';

/** Megabytes at a moment of the run, in seconds since its begin. */
export interface Sample {
  readonly at: number;
  readonly mb: number;
}

/** Whether a memory stays as it is. */
export interface Flatness {
  /** Median of the samples that are judged. */
  readonly mb: number;
  /** What the floor's slope makes of the time that is judged: growth in megabytes. */
  readonly grownMb: number;
  readonly flat: boolean;
}

/** The first tenth is warm-up: caches fill, code is compiled, heaps find their size. */
const warmShare = 0.1;
/** Growth that counts as flat: this share of the median, or this much where that is little. */
const maxGrownShare = 0.1;
const maxGrownMb = 12;
/** Windows of what is judged. Collectors let memory swing; what leaks raises the least that a window holds. */
const windows = 18;

export const flatRule = `Flat: after the first tenth the floor (the least of each of ${windows} windows) has a slope (the median of
all pairs) that makes growth of at most ${maxGrownShare * 100} % of the median, or ${maxGrownMb} MB, of the rest of the run.`;

/** Judges the samples after the first tenth by the slope of Theil and Sen, which single windows do not bend. */
export function flatnessOf(samples: readonly Sample[]): Flatness {
  const end = samples.at(-1)?.at ?? 0;
  const judged = samples.filter(({ at }) => at >= end * warmShare);
  const floor = floorOf(judged);
  const slopes: number[] = [];
  floor.forEach((one, index) => {
    for (const other of floor.slice(index + 1)) slopes.push((other.mb - one.mb) / (other.at - one.at));
  });
  const mb = median(judged.map((sample) => sample.mb));
  const grownMb = median(slopes) * end * (1 - warmShare);
  return { mb, grownMb, flat: grownMb <= Math.max(maxGrownMb, mb * maxGrownShare) };
}

/** The least of each window, at the window's middle. */
function floorOf(samples: readonly Sample[]): Sample[] {
  const size = samples.length / windows;
  return Array.from({ length: windows }, (_, index) => {
    const some = samples.slice(Math.floor(index * size), Math.floor((index + 1) * size));
    return some.map((sample) => ({ ...sample, at: some[some.length >> 1]?.at ?? 0 })).sort((a, b) => a.mb - b.mb)[0];
  }).filter((sample) => sample !== undefined);
}
