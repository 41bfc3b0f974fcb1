import type { RunState, Value, ValueObject } from '../../values.js';
import { chargeMade, copyOf } from '../budget.js';
import { checkLength } from '../sourceSpan.js';
import { isObject } from '../values/kinds.js';
import { checkNesting, own, setKey } from '../values/objects.js';
import { callError, define, list, object, objectOrList, type CallSite, type ZenFunction } from './define.js';

/** The items with lists among them replaced by their items, one level deep. */
function flattened(call: CallSite, run: RunState, items: readonly Value[]): Value[] {
  const flat: Value[] = [];
  for (const item of items) appendFlat(call, run, flat, item);
  return flat;
}

/** Adds an item, or a list's items. */
export function appendFlat(call: CallSite, run: RunState, target: Value[], item: Value): void {
  append(call, run, target, Array.isArray(item) ? item : [item]);
}

function append(call: CallSite, run: RunState, target: Value[], items: readonly Value[]): void {
  checkLength(call, run, target.length + items.length);
  chargeMade(run, items.length);
  for (const item of items) target.push(item);
}

function merge(call: CallSite, run: RunState, items: readonly Value[]): Value {
  const first = items.find((item) => item !== null);
  if (first === undefined) return {};
  if (Array.isArray(first)) {
    const merged: Value[] = [];
    for (const item of items) {
      if (Array.isArray(item)) append(call, run, merged, item);
      else if (item !== null) throw callError(call, 'takes a list of lists only, or of objects only');
    }
    return merged;
  }
  const merged: ValueObject = {};
  for (const item of items) {
    if (isObject(item)) assign(run, merged, item);
    else if (item !== null) throw callError(call, 'takes a list of lists only, or of objects only');
  }
  return merged;
}

function assign(run: RunState, target: ValueObject, source: ValueObject): void {
  const keys = Object.keys(source);
  chargeMade(run, keys.length);
  for (const key of keys) setKey(target, key, source[key] ?? null);
}

/** One object of several: objects in them merge key by key, lists are joined, anything else is replaced by the later one. */
function mergeDeep(call: CallSite, run: RunState, items: readonly Value[]): Value {
  /** Parts of the result that were made here and may change; others belong to the values that are merged. */
  const made = new Set<Value>();
  const into = (target: ValueObject, patch: ValueObject, depth: number): ValueObject => {
    checkNesting(depth);
    const keys = Object.keys(patch);
    // A part that stands in several places of the patch is merged once for each.
    chargeMade(run, keys.length + 1);
    for (const key of keys) setKey(target, key, merged(own(target, key), patch[key] ?? null, depth + 1));
    return target;
  };
  const merged = (base: Value, patch: Value, depth: number): Value => {
    if (isObject(base) && isObject(patch)) {
      const target = made.has(base) ? base : copyOf(run, base);
      made.add(target);
      return into(target, patch, depth);
    }
    if (!Array.isArray(base) || !Array.isArray(patch)) return patch;
    const list = made.has(base) ? base : [];
    if (list !== base) append(call, run, list, base);
    made.add(list);
    append(call, run, list, patch);
    return list;
  };
  const result: ValueObject = {};
  for (const item of items) {
    if (isObject(item)) into(result, item, 0);
    else if (item !== null) throw callError(call, 'takes a list of objects');
  }
  return result;
}

export const listFunctions: readonly ZenFunction[] = [
  define({
    name: 'flatten',
    parameters: [list('items')],
    gives: 'a list',
    summary: 'The list with the lists in it replaced by their items, one level deep.',
    example: 'flatten([1, [2, 3]])',
    run: (call, run, items: Value[]) => flattened(call, run, items),
  }),
  define({
    name: 'merge',
    parameters: [list('items')],
    gives: 'a list or an object',
    summary: 'One list of several, or one object of several, later keys winning; null among them is left out.',
    example: 'merge([{ a: 1 }, { b: 2 }])',
    run: merge,
  }),
  define({
    name: 'mergeDeep',
    parameters: [list('objects')],
    gives: 'an object',
    unary: 'in',
    summary: 'One object of several, objects in them merged and lists in them joined.',
    example: 'mergeDeep([{ a: { x: 1 } }, { a: { y: 2 } }])',
    run: mergeDeep,
  }),
  define({
    name: 'keys',
    parameters: [objectOrList('value')],
    gives: 'a list',
    summary: "An object's keys, or a list's indices.",
    example: 'keys({ a: 1 })',
    run: (_call, run, value: ValueObject | Value[]) => {
      if (Array.isArray(value)) {
        chargeMade(run, value.length);
        return value.map((_item, index) => index);
      }
      const keys = Object.keys(value);
      chargeMade(run, keys.length);
      return keys;
    },
  }),
  define({
    name: 'values',
    parameters: [object('object')],
    gives: 'a list',
    summary: "An object's values.",
    example: 'sum(values({ a: 1, b: 2 })) == 3',
    run: (_call, run, value: ValueObject) => {
      const values = Object.values(value);
      chargeMade(run, values.length);
      return values;
    },
  }),
];
