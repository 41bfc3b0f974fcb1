import type { Program, Value, ValueObject } from '../engine/index.js';
import { isObject } from '../engine/zen/values/kinds.js';
import { own } from '../engine/zen/values/objects.js';
import type { Deadline } from './deadline.js';
import type { Field } from './fields.js';
import { PropertySearch, type CheckedProperty } from './properties.js';
import type { ReportedProperty } from './report.js';
import { laidOver } from './search.js';
import { runOn } from './witness.js';

/** Values that are tried for one field. */
const mostTried = 12;

/**
 * What a fact shows, by a fact that has days and times where this one has anything else in their fields; by this one as far as none
 * of them shows it.
 * @param shows what another fact shows; undefined where that is something else
 */
export async function withMoments<Shown>(
  fact: ValueObject,
  fields: readonly Field[],
  shown: Shown,
  shows: (fact: ValueObject) => Promise<Shown | undefined>,
): Promise<Shown> {
  let [best, bestShown] = [fact, shown];
  for (const { path, values, moments } of fields) {
    const value = path.reduce<Value>(own, best);
    if (moments === undefined || value === null || moments.isOne(value)) continue;
    for (const other of [...moments.examples, ...values.filter(moments.isOne)].slice(0, mostTried)) {
      const tried = laidOver(best, [{ path, value: other }]);
      const seen = await shows(tried);
      if (seen === undefined) continue;
      [best, bestShown] = [tried, seen];
      break;
    }
  }
  return bestShown;
}

/** What refutes a property, with days and times where there are such. */
export async function refutedWithMoments(
  found: ReportedProperty,
  property: CheckedProperty,
  {
    program,
    fields,
    until,
  }: { readonly program: Program | null; readonly fields: readonly Field[]; readonly until: Deadline },
): Promise<ReportedProperty> {
  const fact = found.witness?.fact ?? null;
  if (program === null || !isObject(fact)) return found;
  return withMoments(fact, fields, found, async (other) => {
    const seen = await runOn(program, other, until);
    const search = new PropertySearch([property]);
    if (seen !== undefined) search.look(other, seen.result);
    return search.refutation(property);
  });
}
