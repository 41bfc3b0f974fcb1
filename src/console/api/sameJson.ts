import { normalized } from '../../../workers/json/index.js';

/** Whether two values are the same JSON, as the service tells it: 52.00 is 52, and the order of keys says nothing. */
export const isSame = (one: unknown, other: unknown): boolean => told(one) === told(other);

const told = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, inner: unknown) => {
    if (typeof inner === 'number') return { '\u0000': normalized(String(inner)) };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    if ('rawJSON' in inner) return { '\u0000': normalized(String(inner.rawJSON)) };
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
