import { jsonOr } from '../api/exactJson.js';
import { isObject } from '../graph/fields.js';

/** Whether the field is that text, or that JSON. */
export function fits(recorded: unknown, path: string, value: string): boolean {
  let at: unknown = recorded;
  for (const step of path.split('.')) {
    const list: readonly unknown[] | null = Array.isArray(at) ? at : null;
    at = list !== null ? list[Number(step)] : isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  if (at === undefined) return false;
  return at === value || JSON.stringify(at) === JSON.stringify(jsonOr(value, undefined));
}
