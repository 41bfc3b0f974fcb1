/** JSON of the guest with the intrinsics as they were before the tenant's code ran. */
const { parse, stringify } = JSON;
const { isFinite, isSafeInteger } = Number;
const NativeError = Error;
const toNumber = Number;

/** Properties that the host adds to an input; they never leave through an output. */
const isReserved = (key: string): boolean => key === '$nodes' || key === '$env';

/** What JSON has no form for becomes what zen core 2 makes of it; a number that is none raises. */
function clean(key: string, value: unknown): unknown {
  if (isReserved(key)) return undefined;
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'function':
      return '[Function]';
    case 'symbol':
      return '[Symbol]';
    case 'bigint':
      if (isSafeInteger(toNumber(value))) return toNumber(value);
      throw new NativeError(`${key === '' ? 'the output' : key} is an integer too large for a number`);
    case 'number':
      if (isFinite(value)) return value;
      throw new NativeError(`${key === '' ? 'the output' : key} is ${value}, which is not a number in JSON`);
    default:
      if (value instanceof NativeError) return { message: value.message, description: errorText(value) };
      return value;
  }
}

const dropReserved = (key: string, value: unknown): unknown => (isReserved(key) ? undefined : value);

/** As zen core 2 writes it, without the frames of the prelude. */
function errorText(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((frame) => !frame.includes('(prelude:'));
  return `${error.name}: ${error.message}\n${frames.join('\n')}`;
}

/** Levels of values that are written to the log, to `zen` and to `http`. */
const usualDepth = 500;

/** Raised for a value that nests deeper than it may. */
export class TooDeep extends NativeError {}

/**
 * A replacer that raises at the first object below `most` levels. QuickJS compares every object with all those above it,
 * and so would take minutes over what it can nest.
 */
function bounded(replace: (key: string, value: unknown) => unknown, most: number) {
  const holders: unknown[] = [];
  let depth = 0;
  return function (this: unknown, key: string, value: unknown): unknown {
    const kept = replace(key, value);
    if (typeof kept !== 'object' || kept === null) return kept;
    while (depth > 0 && holders[depth - 1] !== this) depth -= 1;
    if (depth >= most) throw new TooDeep(`a value nests deeper than ${most} levels`);
    holders[depth] = kept;
    depth += 1;
    return kept;
  };
}

const asItIs = (_key: string, value: unknown): unknown => value;

/** Host to guest: text that the host wrote. */
export const read = parse;

/** Guest to host for version 2, contexts of `zen` and bodies of `http`. Raises on cycles, NaN and large integers. */
export function write(value: unknown, depth = usualDepth): string {
  return stringify(value, bounded(clean, depth));
}

/** Version 1 as zen core 2 has it: plain JSON.stringify. Nothing at all becomes null. */
export function writePlain(value: unknown, depth = usualDepth): string {
  // lib.d.ts says string; for undefined and functions it is undefined.
  const text: unknown = stringify(value, bounded(dropReserved, depth));
  return typeof text === 'string' ? text : 'null';
}

/** One argument of console.log. Never raises: a log line must not fail a decision. */
export function line(value: unknown): string {
  try {
    const text: unknown = stringify(value, bounded(asItIs, usualDepth));
    return typeof text === 'string' ? text : '';
  } catch {
    return '"this value cannot be written as JSON"';
  }
}

/** A JSON array of texts, beyond the reach of a tenant's `Array.prototype.toJSON`. */
export function writeTexts(texts: readonly string[]): string {
  let written = '';
  for (let i = 0; i < texts.length; i++) written += `${i === 0 ? '' : ','}${stringify(texts[i])}`;
  return `[${written}]`;
}
