import type { Fault } from '../api/types.js';

/** What is known of a model's faults, after the checks that were asked for so far. */
export interface KnownFaults {
  /** Before the first answer nothing is known; a check that was stopped has not found all. */
  readonly status: 'checking' | 'known' | 'stopped';
  readonly faults: readonly Fault[];
}

/**
 * What is known after one more check. One that a limit stopped says nothing of what it did not reach: the model may have
 * the faults that it had. @param found null where no answer came
 */
export function afterCheck(before: KnownFaults, found: readonly Fault[] | null): KnownFaults {
  if (found?.every(({ severity }) => severity !== 'unknown') === true) return { status: 'known', faults: found };
  const fresh = found ?? [];
  const places = new Set(fresh.map(({ pointer }) => pointer));
  const left = before.faults.filter(({ severity, pointer }) => severity !== 'unknown' && !places.has(pointer));
  return { status: 'stopped', faults: [...fresh, ...left] };
}
