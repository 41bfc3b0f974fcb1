import { shortPointer } from './pointer.js';
import { NotJson, readWith, type Place } from './reader.js';
import { maySpoil, shapeOf } from './tokens.js';

export interface JsonLimits {
  /** Levels of lists and objects. */
  readonly maxDepth: number;
  /** Objects, lists, texts, numbers and so on, the outermost value included. */
  readonly maxValues: number;
}

/** Text, a name or a number that is JSON, but that MySQL or a model could not handle. */
export interface JsonViolation {
  readonly pointer: string;
  readonly message: string;
}

/** Why a text is not taken as JSON. */
export type JsonFault =
  | {
      readonly kind: 'syntax';
      /** The offset of the first character that no JSON goes on with, in UTF-8; null for a text that ends too early. */
      readonly byte: number | null;
    }
  | { readonly kind: 'depth' | 'values' };

type CheckedJson =
  | { readonly fault: JsonFault }
  | {
      readonly fault: null;
      readonly value: unknown;
      /** All values, and those of the outermost object or list. Where a name is repeated, each counts. */
      readonly values: number;
      readonly fields: number;
      readonly violations: readonly JsonViolation[];
    };

/** Most faults of one request that are reported. */
export const maxViolations = 50;

const messages = {
  nul: 'must not contain the NUL character',
  surrogate: 'must not contain a lone surrogate',
  prototype: 'is not allowed as a name',
  range: 'is beyond the range of a number',
} as const;

/** Reads JSON within limits, and finds what could not be handled, in the order of the text. */
export function checkJson(text: string, limits: JsonLimits): CheckedJson {
  // Most texts are sound, and `JSON.parse` takes a fifth of the time of reading them value by value.
  return checkSound(text, limits) ?? checkEach(text, limits);
}

/** Undefined for what may have a fault or a violation. */
function checkSound(text: string, { maxDepth, maxValues }: JsonLimits): CheckedJson | undefined {
  const { depth, values, fields } = shapeOf(text);
  if (depth > maxDepth || values > maxValues || maySpoil(text)) return undefined;
  try {
    return { fault: null, value: JSON.parse(text) as unknown, values, fields, violations: [] };
  } catch {
    return undefined;
  }
}

function checkEach(text: string, { maxDepth, maxValues }: JsonLimits): CheckedJson {
  let values = 0;
  let fields = 0;
  const violations: JsonViolation[] = [];
  const blame = ({ path }: Place, message: string): void => {
    if (violations.length < maxViolations) violations.push({ pointer: shortPointer(path), message });
  };
  try {
    const value = readWith(text, {
      number(token, place) {
        const number = Number(token);
        if (!Number.isFinite(number)) blame(place, messages.range);
        return number;
      },
      value(level) {
        if (++values > maxValues) throw new Beyond('values');
        if (level === 1) fields++;
      },
      container(level) {
        if (level > maxDepth) throw new Beyond('depth');
      },
      text(read, place, isName) {
        if (isName && read === '__proto__') blame(place, messages.prototype);
        else if (read.includes('\0')) blame(place, messages.nul);
        else if (!read.isWellFormed()) blame(place, messages.surrogate);
      },
    });
    return { fault: null, value, values, fields, violations };
  } catch (error) {
    return { fault: faultOf(error, text) };
  }
}

class Beyond extends Error {
  readonly kind: 'depth' | 'values';

  constructor(kind: 'depth' | 'values') {
    super(kind);
    this.kind = kind;
  }
}

function faultOf(error: unknown, text: string): JsonFault {
  if (error instanceof Beyond) return { kind: error.kind };
  if (!(error instanceof NotJson)) throw error;
  return {
    kind: 'syntax',
    byte: error.at < text.length ? new TextEncoder().encode(text.slice(0, error.at)).length : null,
  };
}
