import type { RunState, Value, ValueObject } from '../values.js';
import { charge, copyOf } from '../zen/budget.js';
import { isObject } from '../zen/values/kinds.js';
import { own, setKey } from '../zen/values/objects.js';

/**
 * Lays a node's output over another value, as parents, leaves and `passThrough` do: objects merge deep, an array
 * replaces, a null in the patch deletes its key, a scalar patch is ignored. Neither value is changed; the result
 * may share parts of both.
 */
export function merge(base: Value, patch: Value, run: RunState): Value {
  if (Array.isArray(patch)) return patch;
  if (!isObject(patch)) return base;
  return isObject(base) ? mergeObjects(base, patch, run) : patch;
}

/**
 * Gives `base` itself where the patch changes nothing. The difference is visible: an object merged with itself keeps
 * its nulls, and one merged with its copy loses them.
 */
function mergeObjects(base: ValueObject, patch: ValueObject, run: RunState): ValueObject {
  if (base === patch) return base;
  const keys = Object.keys(patch);
  // Shared parts can make a small value an exponentially large tree: every key costs a step.
  charge(run, keys.length + 1);
  let merged: ValueObject | undefined;
  for (const key of keys) {
    const value = patch[key] ?? null;
    if (value === null) {
      // `delete` puts an object into V8's slow dictionary mode: only where there is something to delete.
      if (Object.hasOwn(base, key)) delete (merged ??= copyOf(run, base))[key];
      continue;
    }
    const old = typeof value === 'object' ? own(base, key) : null;
    if (!isObject(old) || !isObject(value)) {
      setKey((merged ??= copyOf(run, base)), key, value);
      continue;
    }
    const inner = mergeObjects(old, value, run);
    if (inner !== old) setKey((merged ??= copyOf(run, base)), key, inner);
  }
  return merged ?? base;
}

/** `merge({}, patch)`, which copies only where there is a null to leave out. */
export function withoutNulls(patch: Value, run: RunState): Value {
  if (!isObject(patch)) return Array.isArray(patch) ? patch : {};
  const keys = Object.keys(patch);
  charge(run, keys.length + 1);
  for (const key of keys) if (patch[key] === null) return mergeObjects({}, patch, run);
  return patch;
}

/** Writes one value into an object that the caller has made. The run pays for what is copied. */
export type Setter = (target: ValueObject, value: Value, run: RunState) => void;

/**
 * Makes the setter of a dotted path. Missing objects on the way are made, present ones are copied (they may be shared),
 * and nothing is written through a value that is no object.
 */
export function setterOf(path: string): Setter {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  if (steps.length === 0) return (target, value) => setKey(target, last, value);
  return (target, value, run) => {
    let at = target;
    for (const step of steps) {
      const next = Object.hasOwn(at, step) ? at[step] : {};
      if (next === undefined || !isObject(next)) return;
      const copy = copyOf(run, next);
      setKey(at, step, copy);
      at = copy;
    }
    setKey(at, last, value);
  };
}
