import { median } from '../quantile.js';

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
/** A life of at least that share of the run is long enough to show by itself what grows with its age. */
const longShare = 0.5;
/** Fewer short lives than that have too few pairs for a slope that chance does not make. */
const leastLives = 8;
/** Deviations that chance exceeds once in a thousand times, for places that have many lives; and once in forty. */
const chance = { between: 3, within: 2 };
/** Windows of the age of lives that are compared, in seconds, and where the first one begins. */
const ageWindow = 5;
const firstAge = 10;

export const flatRule = `Flat: after the first tenth the floor (the least of each of ${windows} windows) has a slope (the median of
all pairs) that makes growth of at most ${maxGrownShare * 100} % of the median, or ${maxGrownMb} MB, of the rest of the run. What began
anew over and over is compared at equal ages, from ${firstAge} s on: the slope is that of the later over the earlier one. A
slope counts where chance would not make it once in forty times, or between lives in a thousand.`;

/**
 * Judges all processes that had one place, one after the other. A long life is judged by itself. What a short one grows
 * by is how a process warms up, and what its successor begins with is no growth of it; so short ones are compared with
 * each other, each two at the ages that both reached: what is larger the later it began keeps growing outside of it.
 */
export function flatnessOf(lives: readonly Life[]): Flatness {
  const end = Math.max(0, ...lives.map(endOf));
  const long = lives.filter((life) => endOf(life) - beginOf(life) >= end * longShare);
  const short = lives.filter(
    (life) => !long.includes(life) && beginOf(life) >= end * warmShare && olderThanFirst(life),
  );
  const judged = long.map((life) => judge(restOf(life), trendWithin(life), end));
  if (short.length >= leastLives) judged.push(judge(short.flatMap(grown), trendBetween(short), end));
  // Too few of them to compare, and none that is long: the longest has to do.
  const [longest] = [...lives].sort((a, b) => endOf(b) - beginOf(b) - (endOf(a) - beginOf(a)));
  if (judged.length === 0 && longest !== undefined) judged.push(judge(restOf(longest), trendWithin(longest), end));
  return judged.find(({ flat }) => !flat) ?? judged[0] ?? { mb: 0, grownMb: 0, byChance: false, flat: true };
}

const beginOf = ({ samples }: Life): number => samples[0]?.at ?? 0;
const endOf = ({ samples }: Life): number => samples.at(-1)?.at ?? 0;
const olderThanFirst = (life: Life): boolean => endOf(life) - beginOf(life) >= firstAge;
const grown = (life: Life): readonly Sample[] => life.samples.filter(({ at }) => at - beginOf(life) >= firstAge);

interface Trend {
  readonly mbPerSecond: number;
  /** Whether it is more than what chance makes. */
  readonly sure: boolean;
}

function judge(samples: readonly Sample[], { mbPerSecond, sure }: Trend, seconds: number): Flatness {
  const mb = median(samples.map((sample) => sample.mb));
  const grownMb = mbPerSecond * seconds * (1 - warmShare);
  const within = grownMb <= Math.max(maxGrownMb, mb * maxGrownShare);
  return { mb, grownMb, byChance: !within && !sure, flat: within || !sure };
}

/** After the first tenth of that life. */
function restOf(life: Life): readonly Sample[] {
  const from = beginOf(life) + (endOf(life) - beginOf(life)) * warmShare;
  return life.samples.filter(({ at }) => at >= from);
}

/**
 * The slope of Theil and Sen, which single windows do not bend. Threads that are ended and started anew let the memory of
 * a process rise and fall by more than most leaks.
 */
function trendWithin(life: Life): Trend {
  const floor = floorOf(restOf(life));
  const slopes = pairs(floor).map(([one, other]) => (other.mb - one.mb) / (other.at - one.at));
  return trendOf(slopes, floor.length, chance.within);
}

/** The median of the slopes; the variance of Kendall's S says how many of them chance turns. */
function trendOf(slopes: readonly number[], points: number, deviations: number): Trend {
  const deviation = Math.sqrt((points * (points - 1) * (2 * points + 5)) / 18);
  const least = [...slopes].sort((a, b) => a - b)[Math.floor((slopes.length - deviations * deviation) / 2)] ?? 0;
  return { mbPerSecond: median(slopes), sure: least > 0 };
}

/** The least of each window, at the window's middle. */
function floorOf(samples: readonly Sample[]): Sample[] {
  const size = samples.length / windows;
  return Array.from({ length: windows }, (_, index) => {
    const some = samples.slice(Math.floor(index * size), Math.floor((index + 1) * size));
    return some.map((sample) => ({ ...sample, at: some[some.length >> 1]?.at ?? 0 })).sort((a, b) => a.mb - b.mb)[0];
  }).filter((sample) => sample !== undefined);
}

/**
 * The same slope over the lives' begins; two of them are apart by the median of what they are apart at each age. How
 * much there was to do makes lives differ.
 */
function trendBetween(lives: readonly Life[]): Trend {
  const floors = lives.map((life) => ({ begin: beginOf(life), floor: floorByAge(life) }));
  const slopes = pairs(floors).flatMap(([one, other]) => {
    const apart = one.floor.flatMap((mb, age) => {
      const then = other.floor[age];
      return mb === undefined || then === undefined ? [] : [then - mb];
    });
    return apart.length === 0 ? [] : [median(apart) / (other.begin - one.begin)];
  });
  return trendOf(slopes, lives.length, chance.between);
}

/** The least of each window of the age; undefined where there is no sample. */
function floorByAge(life: Life): (number | undefined)[] {
  const floor: (number | undefined)[] = [];
  for (const { at, mb } of grown(life)) {
    const age = Math.floor((at - beginOf(life) - firstAge) / ageWindow);
    floor[age] = Math.min(floor[age] ?? Infinity, mb);
  }
  return Array.from(floor);
}

function pairs<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
}
