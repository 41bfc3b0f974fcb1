import { median } from '../numbers.js';

/** Megabytes at a moment of the run, in seconds since its begin. */
export interface Sample {
  readonly at: number;
  readonly mb: number;
}

/** One process, from its start, or the run's, to its end. */
export interface Life {
  readonly pid: number;
  readonly samples: readonly Sample[];
}

/** Whether a memory stays as it is. */
export interface Flatness {
  /** Median of the samples that are judged. */
  readonly mb: number;
  /** What its slope makes of the time that is judged: growth in megabytes. */
  readonly grownMb: number;
  /** Growth by more than the rule is none where it may be by chance. */
  readonly byChance: boolean;
  readonly flat: boolean;
}

/** The first tenth is warm-up: caches fill, code is compiled, heaps find their size. */
const warmShare = 0.1;
/** Growth that counts as flat: this share of the median, or this much where that is little. */
const maxGrownShare = 0.06;
const maxGrownMb = 12;
/** Windows of what is judged. Collectors let memory swing; what leaks raises the least that a window holds. */
const windows = 18;
/** Deviations that chance exceeds once in forty times. */
const deviations = 2;

export const flatRule = `Flat: after the first tenth of the longest life the floor (the least of each of ${windows} windows) has a slope (the
median of all pairs) that makes growth of at most ${maxGrownShare * 100} % of the median, or ${maxGrownMb} MB. A slope counts where chance would
not make it once in forty times.`;

/**
 * Judges the processes that had one name, one after the other, by the longest life: what a short one grows by is how a process
 * warms up.
 */
export function flatnessOf(lives: readonly Life[]): Flatness {
  const lengthOf = ({ samples }: Life): number => (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  const [longest] = lives.toSorted((one, other) => lengthOf(other) - lengthOf(one));
  if (longest === undefined) return { mb: 0, grownMb: 0, byChance: false, flat: true };
  const seconds = lengthOf(longest) * (1 - warmShare);
  const from = (longest.samples[0]?.at ?? 0) + lengthOf(longest) * warmShare;
  const judged = longest.samples.filter(({ at }) => at >= from);
  const mb = median(judged.map((sample) => sample.mb));
  const { mbPerSecond, sure } = trendOf(floorOf(judged));
  const grownMb = mbPerSecond * seconds;
  const within = grownMb <= Math.max(maxGrownMb, mb * maxGrownShare);
  return { mb, grownMb, byChance: !within && !sure, flat: within || !sure };
}

/**
 * The slope of Theil and Sen, which single windows do not bend: threads that are ended and started anew let the memory of
 * a process rise and fall by more than most leaks. The variance of Kendall's S says how many of the slopes chance turns.
 */
function trendOf(floor: readonly Sample[]): { readonly mbPerSecond: number; readonly sure: boolean } {
  const slopes = floor.flatMap((one, index) =>
    floor.slice(index + 1).map((other) => (other.mb - one.mb) / (other.at - one.at)),
  );
  const points = floor.length;
  const deviation = Math.sqrt((points * (points - 1) * (2 * points + 5)) / 18);
  const least = slopes.toSorted((a, b) => a - b)[Math.floor((slopes.length - deviations * deviation) / 2)] ?? 0;
  return { mbPerSecond: median(slopes), sure: least > 0 };
}

/** The least of each window, at the window's middle. */
function floorOf(samples: readonly Sample[]): Sample[] {
  const size = samples.length / windows;
  return Array.from({ length: windows }, (_, index) => {
    const some = samples.slice(Math.floor(index * size), Math.floor((index + 1) * size));
    return { at: some[some.length >> 1]?.at ?? NaN, mb: Math.min(...some.map(({ mb }) => mb)) };
  }).filter(({ at }) => !Number.isNaN(at));
}
