import type { Fault, Model } from '../api/types.js';
import { movedFaults } from './movedFaults.js';

/** What is known of a model's faults, after the checks that were asked for so far. */
export interface KnownFaults {
  /** Before the first answer nothing is known; a check that was stopped has not found all. */
  readonly status: 'checking' | 'known' | 'stopped';
  readonly faults: readonly Fault[];
  /** In which they are; null before the first answer. */
  readonly model: Model | null;
}

/**
 * What is known after one more check. One that a limit stopped says nothing of what it did not reach: the model may have
 * the faults that it had. @param found null where no answer came
 */
export function afterCheck(before: KnownFaults, found: readonly Fault[] | null, model: Model): KnownFaults {
  if (found?.every(({ severity }) => severity !== 'unknown') === true) return { status: 'known', faults: found, model };
  const fresh = found ?? [];
  const places = new Set(fresh.map(({ pointer }) => pointer));
  const left = movedFaults(before.faults, before.model ?? model, model).filter(
    ({ severity, pointer }) => severity !== 'unknown' && !places.has(pointer),
  );
  return { status: 'stopped', faults: [...fresh, ...left], model };
}

/** What is known of a model while it is changed: the faults that are in it yet; once the last is gone by a change, nothing. */
export function knownNow(known: KnownFaults, model: Model): KnownFaults {
  const faults = movedFaults(known.faults, known.model ?? model, model);
  const isOpen = known.status === 'known' && faults.length === 0 && known.faults.length > 0;
  return { ...known, status: isOpen ? 'checking' : known.status, faults };
}
