import { isRecord, LongNumber, pointerStep } from '../../json/index.js';

/** A pointer at which two values (parsed JSON) differ; `before` or `after` is absent where there is nothing. */
export interface ChangedField {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Whether two JSON values are the same; the order of an object's names does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof LongNumber && other instanceof LongNumber) return one.equals(other);
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

/**
 * The smallest parts in which two values differ. A list is one part, unless both versions have the same items by id in
 * the same order.
 */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const fields: ChangedField[] = [];
  compare('', before, after, fields);
  return fields;
}

function compare(pointer: string, before: unknown, after: unknown, fields: ChangedField[]): void {
  if (isSame(before, after)) return;
  const names = namesToEnter(before, after);
  if (names === undefined) {
    fields.push({ pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) });
    return;
  }
  for (const name of names) {
    const step = pointer + pointerStep(name);
    compare(step, own(before, name), own(after, name), fields);
  }
}

/** The names under which two values are compared further; undefined where they are compared as a whole. */
function namesToEnter(before: unknown, after: unknown): Iterable<string> | undefined {
  if (isRecord(before) && isRecord(after)) return new Set([...Object.keys(before), ...Object.keys(after)]);
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined;
  const aligned = before.every((item, index) => {
    const id = isRecord(item) ? item['id'] : undefined;
    const other: unknown = after[index];
    return typeof id === 'string' && isRecord(other) && other['id'] === id;
  });
  return aligned ? Object.keys(before) : undefined;
}

const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
