import type { Loaded } from './useLoaded.js';
import { usePaused } from './usePaused.js';

const everyMs = 1000;

/** Loads it again each second while it is under way. */
export function useAgain({ value, reload }: Loaded<unknown>, isUnderWay: boolean): void {
  usePaused(everyMs, () => isUnderWay && reload(), [value]);
}
