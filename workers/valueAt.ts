/**
 * What stands at a JSON Pointer (RFC 6901); undefined where nothing does. Objects of a class, such as decimals and dates, are values
 * without members.
 */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
    // A list has no members but its items.
    if (Array.isArray(value) && name === 'length') return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A list, or an object that is no instance of a class. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
