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
  /** What the slope makes of the time that is judged: growth in megabytes. */
  readonly grownMb: number;
  readonly flat: boolean;
}

/** The first tenth is warm-up: caches fill, code is compiled, heaps find their size. */
const warmShare = 0.1;
/** Growth that counts as flat: this share of the median, or this much where that is little. */
const maxGrownShare = 0.1;
const maxGrownMb = 12;
/** The slope looks at all pairs; more samples than that are thinned. */
const maxSamples = 400;

export const flatRule = `Flat: after the first tenth, slope (median of all pairs of samples) times the rest of the run
is growth of at most ${maxGrownShare * 100} % of the median, or ${maxGrownMb} MB.`;

/** Judges the samples after the first tenth by the slope of Theil and Sen, which single peaks do not bend. */
export function flatnessOf(samples: readonly Sample[]): Flatness {
  const end = samples.at(-1)?.at ?? 0;
  const judged = thinned(samples.filter(({ at }) => at >= end * warmShare));
  const slopes: number[] = [];
  judged.forEach((one, index) => {
    for (const other of judged.slice(index + 1)) slopes.push((other.mb - one.mb) / (other.at - one.at));
  });
  const mb = median(judged.map((sample) => sample.mb));
  const grownMb = median(slopes) * end * (1 - warmShare);
  return { mb, grownMb, flat: grownMb <= Math.max(maxGrownMb, mb * maxGrownShare) };
}

function thinned(samples: readonly Sample[]): readonly Sample[] {
  const step = Math.ceil(samples.length / maxSamples);
  return samples.filter((_, index) => index % step === 0);
}
