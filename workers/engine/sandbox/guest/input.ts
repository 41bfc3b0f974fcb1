import type { HostCall } from './hostCalls.js';
import { noNumber } from '../noNumber.js';
import { read } from './json.js';
import { Op } from './ops.js';

const { defineProperty, keys, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
// Called only through `apply`, as the tenant's code may bend the prototype.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { includes, startsWith, slice } = String.prototype;
const NativeError = Error;
const isArray = Array.isArray.bind(Array);

/** JSON of the host. A text behind the mark is a number that no double holds: whoever reads it is told so. */
export function readData(text: string, mark: string | undefined): unknown {
  const data: unknown = read(text);
  if (mark === undefined || !apply(includes, text, [mark])) return data;
  const open: unknown[] = [data];
  for (let at = 0; at < open.length; at++) {
    const holder = open[at] as Record<string, unknown>;
    for (const key of keys(holder)) {
      const value = holder[key];
      if (typeof value === 'object' && value !== null) open[open.length] = value;
      else if (typeof value === 'string' && apply(startsWith, value, [mark])) {
        withhold(holder, key, apply(slice, value, [mark.length]));
      }
    }
  }
  return data;
}

function withhold(holder: object, key: string, text: string): void {
  defineProperty(holder, key, {
    get: (): never => {
      throw new NativeError(noNumber(text));
    },
    set: (value: unknown) =>
      void defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true }),
    enumerable: true,
    configurable: true,
  });
}

interface Added {
  readonly env: object;
  readonly hasNodes: boolean;
  readonly numberMark?: string | undefined;
}

/** Adds `$nodes` and `$env` to an input that is an object. `$env` stays out of spreads and loops over keys. */
export function decorate(input: unknown, host: HostCall, added: Added): void {
  if (typeof input !== 'object' || input === null || isArray(input)) return;
  const own = { writable: true, configurable: true };
  if (added.hasNodes)
    defineProperty(input, '$nodes', { ...own, enumerable: true, value: nodesProxy(host, added.numberMark) });
  defineProperty(input, '$env', { ...own, enumerable: false, value: added.env });
}

/** Asked of the host on first use: a graph's outputs may be large and are seldom read. */
function nodesProxy(host: HostCall, mark: string | undefined): unknown {
  let loaded: Record<string, unknown> | undefined;
  const data = (): Record<string, unknown> =>
    (loaded ??= readData(String(host(Op.nodes)), mark) as Record<string, unknown>);
  return new Proxy<Record<string, unknown>>(
    {},
    {
      // JSON.stringify looks for toJSON on every object: that alone must not load anything.
      get: (_target, name) => (typeof name === 'symbol' || name === 'toJSON' ? undefined : data()[name]),
      has: (_target, name) => typeof name === 'string' && name in data(),
      ownKeys: () => keys(data()),
      getOwnPropertyDescriptor: (_target, name) => getOwnPropertyDescriptor(data(), name),
    },
  );
}

/**
 * Replaces all of an object's properties, whose identity the tenant's modules hold, by variables of these names. Each is
 * asked of the host when it is first read: only what a function has seen counts as known to it.
 */
export function refill(target: Record<string, unknown>, names: readonly string[], host: HostCall): void {
  for (const name of keys(target)) delete target[name];
  for (const name of names) {
    let known: { readonly value: unknown } | undefined;
    defineProperty(target, name, {
      get: (): unknown => (known ??= { value: read(String(host(Op.variable, name))) as unknown }).value,
      set: (value: unknown) => void (known = { value }),
      enumerable: true,
      configurable: true,
    });
  }
}
