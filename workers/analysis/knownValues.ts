import { stringify, type Value } from '../engine/index.js';
import type { Dimension } from './dimension.js';
import { isScalar } from './constants.js';
import { overlaps, pathName } from './paths.js';
import type { Predicate } from './predicate.js';
import { intersection, rangesOf, type Ranges } from './ranges.js';

/** What is known of one value, whatever the fact is. */
export interface Known {
  /** All values that it may have; null where that is not known. */
  readonly values: readonly Value[] | null;
  /** Conditions that hold for it. */
  readonly tests: readonly KnownTest[];
}

/** A condition of a switch that was true on the way here, or was not. */
export interface KnownTest {
  readonly predicate: Predicate;
  readonly isTrue: boolean;
}

export const anything: Known = { values: null, tests: [] };
/** Of a field that nobody has written. */
export const absent: Known = { values: [null], tests: [] };

/** Values of one field beyond which they are not listed. */
const mostValues = 200;

/** Fields of one object beyond which nothing is known of any. */
export const mostFields = 500;

export const oneOf = (values: readonly Value[]): Known =>
  values.length > mostValues || !values.every(isScalar) ? anything : { values, tests: [] };

/** What is known of a value that is one or the other. */
export function either(one: Known, other: Known): Known {
  if (one === other) return one;
  if (one.values === null || other.values === null) return anything;
  const all = new Map([...one.values, ...other.values].map((value) => [stringify(value), value]));
  return oneOf([...all.values()]);
}

/** What is known of a node's input or output: of some of its fields, and of all others. */
export class KnownObject {
  readonly #fields: ReadonlyMap<string, { readonly path: readonly string[]; readonly known: Known }>;
  /** Whether other fields may be there. */
  readonly #isOpen: boolean;
  /** False where it may be something else than an object. */
  readonly isObject: boolean;
  /** It is the request, in which no node has written anything. */
  readonly isRequest: boolean;

  constructor(fields: Iterable<KnownField> = [], isOpen = true, isObject = true, isRequest = false) {
    const all = [...fields];
    // Less is known then, and nothing wrong.
    const isLimited = all.length > mostFields;
    this.#fields = new Map((isLimited ? [] : all).map((field) => [pathName(field.path), field]));
    this.#isOpen = isOpen || isLimited;
    this.isObject = isObject;
    this.isRequest = isRequest;
  }

  at(path: readonly string[]): Known {
    const found = this.#fields.get(pathName(path));
    if (found !== undefined) return found.known;
    if ([...this.#fields.values()].some((field) => overlaps(field.path, path))) return anything;
    return this.#isOpen ? anything : absent;
  }

  /** With fields written over it, none of which is part of another one. @param isRequest they are not written, but known of the request */
  with(written: readonly KnownField[], isRequest = false): KnownObject {
    const kept = [...this.#fields.values()].filter(({ path }) => !written.some((field) => overlaps(field.path, path)));
    return new KnownObject([...kept, ...written], this.#isOpen, this.isObject, isRequest && this.isRequest);
  }

  /** Where conditions on fields were true, or one was not. */
  where(tests: readonly KnownTest[]): KnownObject {
    let all = new KnownObject(this.#fields.values(), this.#isOpen, this.isObject, this.isRequest);
    for (const test of tests) {
      const path = test.predicate.path ?? [];
      const { values, tests: others } = all.at(path);
      const left = values?.filter((value) => test.predicate.holds(value) === test.isTrue) ?? null;
      all = all.with([{ path, known: { values: left, tests: [...others, test] } }], true);
    }
    return all;
  }

  /** The fields of all parents, laid over one another. */
  merged(other: KnownObject): KnownObject {
    if (this === other) return this;
    const paths = [...this.#fields.values(), ...other.#fields.values()].map(({ path }) => path);
    const fields = paths.map((path) => ({ path, known: either(this.at(path), other.at(path)) }));
    const isRequest = this.isRequest && other.isRequest;
    return new KnownObject(fields, this.#isOpen || other.#isOpen, this.isObject && other.isObject, isRequest);
  }
}

/** What may be anything at all. */
export const anyValue = new KnownObject([], true, false);

export interface KnownField {
  readonly path: readonly string[];
  readonly known: Known;
}

/** The constants that tell apart what is known of a value from the rest. */
export const constantsOf = ({ values, tests }: Known): Value[] =>
  [...(values ?? []), ...tests.flatMap(({ predicate }) => predicate.constants)].filter((value) => value !== null);

/** The atoms of a field that it may have. */
export function atomsOf({ values, tests }: Known, dimension: Dimension): Ranges {
  if (values === null && tests.length === 0) return dimension.all;
  const listed =
    values === null
      ? dimension.all
      : rangesOf([...new Set(values.map((value) => dimension.atomOf(value)))].sort((one, other) => one - other));
  // Of what cannot be read, no condition holds.
  const admitted = dimension.where(({ kind, value }) =>
    tests.every(({ predicate, isTrue }) => (kind !== 'failed' && predicate.holds(value)) === isTrue),
  );
  return intersection(listed, admitted);
}
