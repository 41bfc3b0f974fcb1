import { median } from '../numbers.js';
import type { Audit } from './ledger.js';
import { flatnessOf, type Flatness, type Life } from './memory.js';
import type { KindSummary, Second } from './tally.js';

/** All that one run found. */
export interface Soak {
  readonly about: {
    readonly seed: number;
    readonly seconds: number;
    readonly processes: number;
    readonly connections: number;
  };
  readonly kinds: readonly KindSummary[];
  readonly audit: Audit;
  /** How long that took, in seconds. */
  readonly auditSeconds: number;
  readonly findings: readonly { readonly text: string; readonly times: number }[];
  readonly seconds: readonly (Second & { readonly at: number })[];
  readonly memory: Readonly<Record<string, readonly Life[]>>;
}

/** What should not have been; empty when all is well. */
export function faultsOf({ about, audit, findings, memory, seconds }: Soak): string[] {
  const found = findings.map(({ text, times }) => `${text} (${times} times)`);
  for (const name of ['lost', 'duplicated', 'different', 'unasked'] as const) {
    if (audit[name] > 0) found.push(`${audit[name]} executions are ${explained[name]}`);
  }
  if (audit.acknowledged === 0) found.push('no execution was acknowledged');
  const [early, late] = paceOf(seconds);
  if (about.seconds >= judgedFromSeconds && late < early * leastPace) {
    found.push(`it became slower: ${early} requests a second in the first third, ${late} in the last`);
  }
  for (const [name, lives] of Object.entries(memory)) {
    if (lives.length > 1 && /^(?:primary|server)/.test(name)) found.push(`${name} ended by itself`);
    if (memoryOf(about, name, lives).verdict === 'not flat') found.push(`the memory of ${name} is not flat`);
  }
  return found;
}

const explained = {
  lost: 'acknowledged and not in the database',
  duplicated: 'recorded more than once',
  different: 'recorded with another version, status or result than was answered',
  unasked: 'recorded though the answer said that nothing was run',
};

/** `load` is this program, which keeps 48 bytes of every execution. */
export const growing = 'load';

/** In less than that MySQL's buffers and V8's heaps are still finding their size, on a small machine. */
const judgedFromSeconds = 120;

/** A machine that others use as well does not keep its pace either, but hardly loses half of it. */
const leastPace = 0.5;

/** Requests a second, the medians of the first and of the last third; the first tenth is warm-up. */
function paceOf(seconds: Soak['seconds']): readonly [number, number] {
  const requests = seconds.slice(seconds.length / 10).map((second) => second.requests);
  const third = Math.ceil(requests.length / 3);
  return [median(requests.slice(0, third)), median(requests.slice(-third))];
}

type Verdict = 'flat' | 'no surer than chance' | 'not flat' | 'too short to judge' | 'keeps every answer';

/** The memory of one slot's processes, and whether that is as it should be. */
export function memoryOf(
  { seconds }: Soak['about'],
  name: string,
  lives: readonly Life[],
): Flatness & { readonly verdict: Verdict } {
  const flatness = flatnessOf(lives);
  if (name === growing) return { ...flatness, verdict: 'keeps every answer' };
  if (seconds < judgedFromSeconds) return { ...flatness, verdict: 'too short to judge' };
  if (flatness.byChance) return { ...flatness, verdict: 'no surer than chance' };
  return { ...flatness, verdict: flatness.flat ? 'flat' : 'not flat' };
}

export const judgedRule = `Judged from ${judgedFromSeconds} s on.`;
