import { chargeMade } from '../../zen/budget.js';
import { normalName } from '../scope.js';
import { memberOf } from '../values/members.js';
import { isContext, type Feel, type FeelContext } from '../values/value.js';
import { anything, type Builtin, type Call, contextOf, define, list, signature, string } from './define.js';

/** A context with one more entry, at a path of keys. */
function withEntry(
  call: Call,
  context: FeelContext,
  [key, ...others]: readonly Feel[],
  value: Feel,
): FeelContext | null {
  if (typeof key !== 'string') return call.fail('takes texts as `keys`');
  chargeMade(call.run.state, context.size + 1);
  if (others.length === 0) return new Map([...context, [key, value]]);
  const inner = context.get(key) ?? null;
  if (!isContext(inner)) return call.fail(`finds no context at "${key}"`);
  const changed = withEntry(call, inner, others, value);
  return changed === null ? null : new Map([...context, [key, changed]]);
}

function valueAt(call: Call, context: FeelContext, keys: readonly Feel[]): Feel {
  let value: Feel = context;
  for (const key of keys) {
    if (typeof key !== 'string' || !isContext(value)) return null;
    value = value.get(key) ?? memberOf(value, normalName(key)) ?? null;
  }
  return keys.length === 0 ? call.fail('takes at least one key') : value;
}

function fromEntries(call: Call, entries: readonly Feel[]): Feel {
  const made = new Map<string, Feel>();
  for (const entry of entries) {
    if (!isContext(entry)) return call.fail('takes contexts of `key` and `value`');
    const key = entry.get('key');
    const value = entry.get('value');
    if (typeof key !== 'string' || value === undefined)
      return call.fail('takes contexts of `key`, a text, and `value`');
    if (made.has(key)) return call.fail(`has the key "${key}" twice`);
    made.set(key, value);
  }
  chargeMade(call.run.state, made.size);
  return made;
}

export const contextFunctions: readonly Builtin[] = [
  define(
    'get value',
    'a value',
    'The value of an entry, or at a path of keys.',
    'get value({key1: "value1"}, "key1")',
    [
      signature([contextOf('m'), string('key')], (call, context, key) => valueAt(call, context, [key])),
      signature([contextOf('m'), list('keys')], valueAt),
    ],
  ),
  define(
    'get entries',
    'a list of contexts',
    'The entries of a context, each as `key` and `value`.',
    'get entries({key1: "value1"})',
    [
      signature([contextOf('m')], (call, context) => {
        chargeMade(call.run.state, context.size * 3);
        return [...context].map(
          ([key, value]) =>
            new Map<string, Feel>([
              ['key', key],
              ['value', value],
            ]),
        );
      }),
    ],
  ),
  define('context', 'a context', 'A context of entries.', 'context([{key: "a", value: 1}])', [
    signature([list('entries')], fromEntries),
  ]),
  define(
    'context put',
    'a context',
    'A context with one more or one changed entry, perhaps at a path of keys.',
    'context put({x: 1}, "y", 2)',
    [
      signature([contextOf('context'), string('key'), anything('value')], (call, context, key, value) =>
        withEntry(call, context, [key], value),
      ),
      signature([contextOf('context'), list('keys'), anything('value')], (call, context, keys, value) =>
        keys.length === 0 ? call.fail('takes at least one key') : withEntry(call, context, keys, value),
      ),
    ],
  ),
  define(
    'context merge',
    'a context',
    'Contexts as one: later entries replace earlier ones.',
    'context merge([{x: 1}, {y: 2}])',
    [
      signature([list('contexts')], (call, contexts) => {
        const merged = new Map<string, Feel>();
        for (const each of contexts) {
          if (!isContext(each)) return call.fail('takes contexts');
          chargeMade(call.run.state, each.size);
          for (const [key, value] of each) merged.set(key, value);
        }
        return merged;
      }),
    ],
  ),
];
