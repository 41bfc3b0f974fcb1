import type { RunState, Value, ValueObject } from '../../values.js';
import { chargeMade } from '../budget.js';
import { errorAt } from '../sourceSpan.js';
import { isObject } from '../values/kinds.js';
import { checkNesting, own, setKey } from '../values/objects.js';
import { callError, type CallSite } from './define.js';

/**
 * One object of several: objects in them merge key by key, lists are joined, anything else is replaced by the later one.
 * @throws EngineError `type_error` for other items than objects and null; `limit_depth`, `limit_array` and limits of `chargeMade`
 */
export function mergeDeep(call: CallSite, run: RunState, items: readonly Value[]): Value {
  const merged: ValueObject = {};
  const merging = new DeepMerge(call, run);
  for (const item of items) {
    if (item === null) continue;
    if (!isObject(item)) throw callError(call, 'takes a list of objects');
    merging.into(merged, item, 0);
  }
  return merged;
}

/** Knows which parts of the result it has made itself and may change; others belong to the values that are merged. */
class DeepMerge {
  readonly #call: CallSite;
  readonly #run: RunState;
  readonly #made = new Set<Value>();

  constructor(call: CallSite, run: RunState) {
    this.#call = call;
    this.#run = run;
  }

  /** Charges a step for each key of the patch: a part that stands in several places of it is merged once for each. */
  into(target: ValueObject, patch: ValueObject, depth: number): void {
    checkNesting(depth);
    const keys = Object.keys(patch);
    chargeMade(this.#run, keys.length + 1);
    for (const key of keys) setKey(target, key, this.#merged(own(target, key), patch[key] ?? null, depth + 1));
  }

  #merged(base: Value, patch: Value, depth: number): Value {
    if (isObject(base) && isObject(patch)) {
      const target = this.#made.has(base) ? base : this.#copyOf(base);
      this.into(target, patch, depth);
      return target;
    }
    return Array.isArray(base) && Array.isArray(patch) ? this.#joined(base, patch) : patch;
  }

  #copyOf(object: ValueObject): ValueObject {
    const copy = { ...object };
    chargeMade(this.#run, Object.keys(copy).length);
    this.#made.add(copy);
    return copy;
  }

  #joined(base: Value[], patch: readonly Value[]): Value[] {
    const most = this.#run.limits.arrayLength;
    if (base.length + patch.length > most) {
      throw errorAt(this.#call, 'limit_array', `the list would have more than ${most} items`);
    }
    let list = base;
    if (!this.#made.has(base)) {
      chargeMade(this.#run, base.length);
      list = [...base];
      this.#made.add(list);
    }
    chargeMade(this.#run, patch.length);
    for (const item of patch) list.push(item);
    return list;
  }
}
