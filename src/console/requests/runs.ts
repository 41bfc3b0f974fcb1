import { decisionName } from '../../decisions/decisionName.js';
import type { Dependency } from '../api/types.js';
import { someOf } from '../graph/fields.js';
import { versionName } from '../parts/small.js';

const mostNamed = 5;

/**
 * Which content of the decisions that it runs a version has: who changes one of those finds nothing of it in force until then.
 *
 * @param version 0 for the working copy, which is deployed as it changes; null for one that is to be saved
 * @returns null where it runs no other one
 */
export function runsText(version: number | null, runs: readonly Dependency[]): string | null {
  if (runs.length === 0) return null;
  const names = someOf(
    runs.map(({ key }) => decisionName(key)),
    mostNamed,
  );
  const isOne = runs.length === 1;
  const copies = isOne ? 'its working copy is' : 'their working copies are';
  const later = 'comes with the next version of this one.';
  if (version === 0) return `It runs ${names} as ${copies} at the time.`;
  if (version === null) return `This version runs ${names} as ${copies} now: what is changed there later ${later}`;
  const own = versionName(version);
  return `${own} runs ${names} as ${isOne ? 'it was' : 'they were'} when ${own} was saved: what was changed there since ${later}`;
}

/** That a version fixes what nobody has released: of decisions that it runs, whose working copies are in none of their own versions. */
export function unsavedText(unsaved: readonly Dependency[]): string {
  const isOne = unsaved.length === 1;
  const names = someOf(
    unsaved.map(({ key }) => decisionName(key)),
    mostNamed,
  );
  const [has, of, as] = isOne ? ['has', 'it', 'it is'] : ['have', 'them', 'they are'];
  return `${names} ${has} changes that no version of ${of} has: this version fixes ${of} as ${as} now.`;
}
