import { randomUUID } from 'node:crypto';
import { EngineError } from '../errors.js';
import { noNumber } from '../sandbox/noNumber.js';
import type { RunState, Value, ValueObject } from '../values.js';
import { Decimal } from '../zen/values/decimal.js';
import { replaceLeaves, stringify } from '../zen/values/json.js';
import { isObject } from '../zen/values/kinds.js';
import { sameNumber } from '../zen/values/numbers.js';
import { maxNesting, setKey } from '../zen/values/objects.js';

/** The key that shows earlier nodes' outputs to expressions; never part of results and traces. */
export const reservedKey = '$nodes';

/** `measured` takes values of up to this many bytes, even where the limit of results is lower. */
const plainBytes = 16 * 1024 * 1024;

/** What a value would be as JSON text. */
export interface JsonSize {
  /** Bytes in UTF-8, or an upper bound that may be several times too high. */
  readonly bytes: number;
  /** Some object in it has the key `$nodes`. */
  readonly reserved: boolean;
  /** It is JSON as it stands: there is no decimal, date or interval in it. */
  readonly plain: boolean;
}

/**
 * Measures a value’s JSON text without making it.
 * @returns undefined exactly when the text is over `limit` bytes or nested deeper than values may be; else an upper
 * bound, cheap to find for values far below the limit
 */
export const jsonSize = (value: Value, limit: number): JsonSize | undefined =>
  sizeOf(value, limit, false) ?? exactJsonSize(value, limit);

/** As `jsonSize`, but exact below the limit too: for sums of many sizes. */
export const exactJsonSize = (value: Value, limit: number): JsonSize | undefined => sizeOf(value, limit, true);

/** The walk over one value, which ends at the limit: parts may be shared, so that a small value has an endless text. */
interface Walk {
  readonly isExact: boolean;
  left: number;
  reserved: boolean;
  plain: boolean;
}

function sizeOf(value: Value, limit: number, isExact: boolean): JsonSize | undefined {
  const walk: Walk = { isExact, left: limit, reserved: false, plain: true };
  take(walk, value, 0);
  const { left, reserved, plain } = walk;
  return left >= 0 ? { bytes: limit - left, reserved, plain } : undefined;
}

/** Bytes of a value that holds no others. At most: a UTF-16 unit takes six, `\u0000`. Every trace is measured so. */
function bytesOf(leaf: Value, { isExact }: Walk): number {
  if (isExact) return Buffer.byteLength(stringify(leaf));
  if (typeof leaf === 'string') return leaf.length * 6 + 2;
  return typeof leaf === 'object' && leaf !== null ? 64 : 24;
}

function take(walk: Walk, part: Value, depth: number): void {
  if (typeof part !== 'object' || part === null) {
    walk.left -= bytesOf(part, walk);
  } else if (depth > maxNesting) {
    walk.left = -Infinity;
  } else if (Array.isArray(part)) {
    walk.left -= 2 + Math.max(0, part.length - 1);
    for (let index = 0; index < part.length && walk.left >= 0; index++) take(walk, part[index] ?? null, depth + 1);
  } else if (isObject(part)) {
    takeMembers(walk, part, depth);
  } else {
    walk.plain = false;
    walk.left -= bytesOf(part, walk);
  }
}

function takeMembers(walk: Walk, object: ValueObject, depth: number): void {
  // The comma that its first member has not.
  walk.left -= 1;
  let isEmpty = true;
  // Quicker than `Object.keys`, and the same: prototypes of values have nothing to enumerate.
  for (const key in object) {
    if (walk.left < 0) return;
    isEmpty = false;
    if (key === reservedKey) walk.reserved = true;
    walk.left -= bytesOf(key, walk) + 2;
    take(walk, object[key] ?? null, depth + 1);
  }
  if (isEmpty) walk.left -= 1;
}

/**
 * Measures a value before code walks it without limits of the engine. Shared parts are repeated as often as they are used,
 * so that a small value can have an exponentially long text: that alone is bounded here.
 * @throws EngineError `limit_output` where it would be larger than 16 MiB, and larger than results may be
 */
export function measured(value: Value, { limits }: RunState): JsonSize {
  const most = Math.max(limits.outputBytes, plainBytes);
  const size = jsonSize(value, most);
  if (size !== undefined) return size;
  throw new EngineError('limit_output', `A value is larger than ${most} bytes, or nested too deep.`);
}

/**
 * The value as function nodes see it, JSON with doubles. A fraction becomes the nearest one, as JavaScript's own do; a whole
 * number that no double holds, such as an account's, would be another one.
 * @throws EngineError `type_error` for such a number, and as `measured` does
 */
export function javascriptValue(value: Value, run: RunState): unknown {
  return asJavascript(value, run, (text) => {
    throw new EngineError('type_error', noNumber(text));
  });
}

/** Stands before the text of a number that no double holds. No fact has it: it is random. */
export const numberMark = `number-${randomUUID()}:`;

/** The same for data of which a function node may read but a part: such numbers fail where they are read. */
export function javascriptData(value: Value, run: RunState): unknown {
  // A number alone is read by whoever is called with it.
  return isObject(value) || Array.isArray(value)
    ? asJavascript(value, run, (text) => numberMark + text)
    : javascriptValue(value, run);
}

function asJavascript(value: Value, run: RunState, onLong: (text: string) => Value): unknown {
  if (measured(value, run).plain) return value;
  return replaceLeaves(value, (leaf) =>
    leaf instanceof Decimal && leaf.isWhole && !sameNumber(leaf, leaf.toJSON())
      ? onLong(leaf.toJsonText())
      : leaf.toJSON(),
  );
}

/** The value without any `$nodes` key, as a copy. */
export function withoutReserved(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutReserved);
  if (!isObject(value)) return value;
  const clean: ValueObject = {};
  for (const key of Object.keys(value)) {
    if (key !== reservedKey) setKey(clean, key, withoutReserved(value[key] ?? null));
  }
  return clean;
}
