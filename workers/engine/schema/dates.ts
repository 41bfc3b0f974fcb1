import { stepsOf } from '../../json/index.js';
import type { RunState, Value, ValueObject } from '../values.js';
import { chargeItems, copyOf } from '../zen/budget.js';
import { dateField } from '../zen/dates/read.js';

/** Steps of reading a date. */
const itemsPerDate = 20;

/** A fact with dates in place of the texts at these JSON Pointers. Lists and objects on the way there are copied once. */
export function withDates(fact: Value, pointers: ReadonlySet<string>, run: RunState): Value {
  const copies = new Set<Value>();
  const owned = <T extends Value>(value: T): T => {
    if (copies.has(value)) return value;
    const copy = copyContainer(value, run);
    copies.add(copy);
    return copy as T;
  };
  const root = owned(fact);
  for (const pointer of pointers) {
    const keys = stepsOf(pointer);
    const last = keys.pop();
    if (last === undefined) continue;
    let holder = root as ValueObject;
    for (const key of keys) holder = holder[key] = owned(holder[key] ?? null) as ValueObject;
    const text = holder[last];
    chargeItems(run, itemsPerDate);
    if (typeof text === 'string') holder[last] = dateField(text);
  }
  return root;
}

/** A list is held as an object of its indexes too. */
function copyContainer(value: Value, run: RunState): Value {
  if (!Array.isArray(value)) return copyOf(run, value as ValueObject);
  chargeItems(run, value.length);
  return value.slice();
}
