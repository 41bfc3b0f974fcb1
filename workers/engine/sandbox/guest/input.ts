import type { HostCall } from './hostCalls.js';
import { read } from './json.js';
import { Op } from './ops.js';

const { defineProperty, keys, getOwnPropertyDescriptor } = Object;
const isArray = Array.isArray.bind(Array);

/** Adds `$nodes` and `$env` to an input that is an object. `$env` stays out of spreads and loops over keys. */
export function decorate(input: unknown, host: HostCall, added: { env: object; hasNodes: boolean }): void {
  if (typeof input !== 'object' || input === null || isArray(input)) return;
  const own = { writable: true, configurable: true };
  if (added.hasNodes) defineProperty(input, '$nodes', { ...own, enumerable: true, value: nodesProxy(host) });
  defineProperty(input, '$env', { ...own, enumerable: false, value: added.env });
}

/** Asked of the host on first use: a graph's outputs may be large and are seldom read. */
function nodesProxy(host: HostCall): unknown {
  let loaded: Record<string, unknown> | undefined;
  const data = (): Record<string, unknown> => (loaded ??= read(String(host(Op.nodes))) as Record<string, unknown>);
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
