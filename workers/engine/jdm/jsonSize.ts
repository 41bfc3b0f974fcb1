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

/** Bytes of one value that holds no others. */
const bytesOf = (leaf: Value): number => Buffer.byteLength(stringify(leaf));

/**
 * Measures a value’s JSON text without making it.
 * @returns undefined exactly when the text is over `limit` bytes or nested deeper than values may be; else an upper
 * bound, cheap to find for values far below the limit
 */
export function jsonSize(value: Value, limit: number): JsonSize | undefined {
  const bound: Bound = { left: limit, reserved: false, plain: true };
  take(bound, value, 0);
  const { left, reserved, plain } = bound;
  return left >= 0 ? { bytes: limit - left, reserved, plain } : exactJsonSize(value, limit);
}

/**
 * State of the quick walk, which subtracts an upper bound of the text's bytes from `left`. Every trace is measured by
 * it.
 */
interface Bound {
  left: number;
  reserved: boolean;
  plain: boolean;
}

/** Bytes that a UTF-16 unit takes at most: `\u0000`. */
const perUnit = 6;
/** Bytes that any leaf but a text takes at most. */
const perLeaf = 64;

function take(bound: Bound, part: Value, depth: number): void {
  if (typeof part === 'string') {
    bound.left -= part.length * perUnit + 2;
  } else if (typeof part !== 'object' || part === null) {
    bound.left -= typeof part === 'number' ? 24 : 5;
  } else if (depth > maxNesting) {
    bound.left = -Infinity;
  } else if (Array.isArray(part)) {
    bound.left -= part.length + 2;
    for (let index = 0; index < part.length && bound.left >= 0; index++) take(bound, part[index] ?? null, depth + 1);
  } else if (isObject(part)) {
    bound.left -= 2;
    // Quicker than `Object.keys`, and the same: prototypes of values have nothing to enumerate.
    for (const key in part) {
      if (bound.left < 0) return;
      if (key === reservedKey) bound.reserved = true;
      bound.left -= key.length * perUnit + 4;
      take(bound, part[key] ?? null, depth + 1);
    }
  } else {
    bound.plain = false;
    bound.left -= perLeaf;
  }
}

/** As `jsonSize`, but exact below the limit too: for sums of many sizes. */
export function exactJsonSize(value: Value, limit: number): JsonSize | undefined {
  let bytes = 0;
  let reserved = false;
  let plain = true;
  visit(value, 0);
  return bytes > limit ? undefined : { bytes, reserved, plain };

  // Parts may be shared, so that a small value can have an exponentially long text: the walk ends at the limit.
  function visit(part: Value, depth: number): void {
    if (depth > maxNesting) bytes = Infinity;
    if (bytes > limit) return;
    if (Array.isArray(part)) {
      bytes += 2 + Math.max(0, part.length - 1);
      for (let index = 0; index < part.length && bytes <= limit; index++) visit(part[index] ?? null, depth + 1);
    } else if (isObject(part)) {
      visitObject(part, depth);
    } else {
      if (typeof part === 'object' && part !== null) plain = false;
      bytes += bytesOf(part);
    }
  }

  function visitObject(object: ValueObject, depth: number): void {
    let count = 0;
    for (const key of Object.keys(object)) {
      if (bytes > limit) return;
      count++;
      if (key === reservedKey) reserved = true;
      bytes += bytesOf(key) + 1;
      visit(object[key] ?? null, depth + 1);
    }
    bytes += 2 + Math.max(0, count - 1);
  }
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
