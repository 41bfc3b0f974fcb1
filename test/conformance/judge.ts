import {
  anyError,
  asJson,
  describeExpected,
  differences,
  gave,
  same,
  shown,
  type Expected,
  type Got,
} from './outcome.js';
import type { Clock, Way } from './ways.js';

/** Why a vector was not met. */
export interface Judgement {
  readonly expected: string;
  readonly got: string;
  /**
   * Set when that is only for the clock: `met` when it is met at the moment at which zen's own tests freeze it, `moving`
   * when it differs only in parts that follow the clock.
   */
  readonly dated?: 'met' | 'moving';
}

/**
 * When the public vectors that hold a moment of their making were made; zen's tests of the same graphs freeze the clock
 * there too.
 */
const madeAt = Date.parse('2025-08-19T16:55:02.078Z');

const dayMs = 86_400_000;
/** The clock under which a result is compared with itself: other years, other hours. Milliseconds. */
const shifts = [-1000, -100, 100, 1000].map((days) => days * dayMs + 3_600_001);

/** Computes a vector in each of its ways, at one moment; undefined when all give what was expected. */
export async function judge(ways: readonly Way[], output: Expected, now: Clock): Promise<Judgement | undefined> {
  const at = now();
  if (output === anyError) return judgeFailure(ways, at);
  let first: { way: Way; got: Got } | undefined;
  for (const way of ways) {
    const got = await way.run(() => at);
    first ??= { way, got };
    if (same(first.got, got)) continue;
    return {
      expected: `${shown(first.got)} as ${first.way.name}`,
      got: `${shown(got)} ${way.name}`,
    };
  }
  if (first === undefined || gave(first.got, output)) return undefined;
  const judgement = { expected: describeExpected(output), got: shown(first.got) };
  if (await isMetThen(ways, output)) return { ...judgement, dated: 'met' };
  return (await followsClock(first.way, first.got, { output, at })) ? { ...judgement, dated: 'moving' } : judgement;
}

/** What must fail does so in every way; in a table, where an input cell that fails does not match, it may be false. */
async function judgeFailure(ways: readonly Way[], at: number): Promise<Judgement | undefined> {
  for (const way of ways) {
    const got = await way.run(() => at);
    if ('error' in got || (way.hidesErrors && got.value === false)) continue;
    return { expected: describeExpected(anyError), got: `${shown(got)} ${way.name}` };
  }
  return undefined;
}

async function isMetThen(ways: readonly Way[], output: Expected): Promise<boolean> {
  for (const way of ways) if (!gave(await way.run(() => madeAt), output)) return false;
  return true;
}

/** Whether a result differs from its vector only in parts that follow the clock. */
async function followsClock(way: Way, got: Got, { output, at }: { output: Expected; at: number }): Promise<boolean> {
  if (!('value' in got)) return false;
  const moving = await movingParts(way, at);
  return output !== anyError && differences(got.value, asJson(output)).every((path) => moving.has(path));
}

/** The paths of a result, at a moment, that are others at other moments. */
export async function movingParts(way: Way, at: number): Promise<ReadonlySet<string>> {
  const moving = new Set<string>();
  const now = await way.run(() => at);
  for (const shift of shifts) {
    const other = await way.run(() => at + shift);
    if (!('value' in now) || !('value' in other)) continue;
    for (const path of differences(now.value, other.value)) moving.add(path);
  }
  return moving;
}
