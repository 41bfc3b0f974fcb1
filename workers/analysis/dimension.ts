import type { Value } from '../engine/values.js';
import { own } from '../engine/zen/values/objects.js';
import {
  add,
  compareNumbers,
  divide,
  isNumeric,
  numberText,
  subtract,
  type Numeric,
} from '../engine/zen/values/numbers.js';
import { difference, intersection, isEmpty, isWithin, membersOf, none, rangesOf, upTo, type Ranges } from './ranges.js';
import type { PlainShape } from './predicate.js';

/**
 * What values a table tells apart in one field. A test that compares the field with constants, and does nothing else with
 * it, answers alike for all values of an atom: one constant, an open interval between two neighbouring numbers, every other
 * text. So the engine itself says what a test admits: it runs the test on one value of each atom.
 */
export class Dimension {
  /** The field's path, or the source of the expression that computes it. */
  readonly name: string;
  /** Keys from the node's input to the field; null where an expression computes the value. */
  readonly path: readonly string[] | null;
  readonly atoms: readonly Atom[];
  /** All atoms of the kinds that the tests name: what an input is expected to be. */
  readonly expected: Ranges;
  readonly all: Ranges;
  readonly #texts: ReadonlyMap<string, number>;
  /** Where the atoms of numbers begin, and end. */
  readonly #numbersFrom: number;
  readonly #numbersTo: number;

  constructor({
    name,
    path,
    constants,
  }: {
    name: string;
    path: readonly string[] | null;
    constants: readonly Value[];
  }) {
    this.name = name;
    this.path = path;
    const numbers = distinctNumbers(constants.filter(isNumeric));
    const texts = [...new Set(constants.filter((value) => typeof value === 'string'))];
    this.atoms = [...(path === null ? [failed] : []), ...fixedAtoms, ...numberAtoms(numbers), ...textAtoms(texts)];
    this.all = upTo(this.atoms.length);
    this.#numbersFrom = this.atoms.findIndex(({ kind }) => kind === 'number');
    this.#numbersTo = this.atoms.findIndex(({ kind }) => kind === 'text');
    this.#texts = new Map(texts.map((text, index) => [text, this.#numbersTo + index]));
    const kinds = new Set<Atom['kind']>();
    if (numbers.length > 0) kinds.add('number');
    if (texts.length > 0) kinds.add('text');
    if (constants.some((value) => typeof value === 'boolean')) kinds.add('boolean');
    if (constants.includes(null)) kinds.add('null');
    this.expected = this.where(({ kind }) => (kinds.size === 0 ? usual.has(kind) : kinds.has(kind)));
  }

  where(test: (atom: Atom) => boolean): Ranges {
    return rangesOf([...this.atoms.keys()].filter((index) => test(this.atoms[index] as Atom)));
  }

  /** A value of an atom. */
  valueOf(atom: number): Value {
    return this.atoms[atom]?.value ?? null;
  }

  /** The atoms that a plain cell admits, without asking the engine about each of them. */
  admittedBy(shape: PlainShape): Ranges {
    if (shape.kind === 'literals')
      return rangesOf([...new Set(shape.values.map((value) => this.#atomOfConstant(value)))].sort(byValue));
    const { low, high } = shape;
    const first = low === null ? this.#numbersFrom : this.#atomFrom(low.value) + (low.included ? 0 : 1);
    const last = high === null ? this.#numbersTo - 1 : this.#atomFrom(high.value) - (high.included ? 0 : 1);
    return first > last ? none : [first, last];
  }

  #atomOfConstant(value: Value): number {
    if (typeof value === 'string') return this.#texts.get(value) ?? -1;
    return isNumeric(value) ? this.#atomFrom(value) : this.atoms.findIndex((atom) => atom.value === value);
  }

  /** The first atom of numbers that are not less. */
  #atomFrom(value: Numeric): number {
    let [low, high] = [this.#numbersFrom, this.#numbersTo];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareNumbers(this.atoms[middle]?.value as Numeric, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The atom that a value belongs to. */
  atomOf(value: Value): number {
    return this.atoms.findIndex((atom) => holds(atom, value));
  }

  /** Whether an input's field is in a set; unknown values are in the whole of it alone. */
  isIn(input: Value, set: Ranges): boolean {
    if (this.path === null) return set === this.all;
    return isWithin(rangesOf([this.atomOf(this.path.reduce<Value>(own, input))]), set);
  }

  /** The set in words of the field: `amount in (500..1000]`, `country = 'DE'`; '' where it says nothing. */
  describe(set: Ranges): string {
    if (isEmpty(difference(this.expected, set))) return '';
    const numbers = intersection(
      set,
      this.where(({ kind }) => kind === 'number'),
    );
    const others = this.#describeOthers(difference(set, numbers));
    const parts = [...intervalsOf(this.atoms, numbers).map((interval) => `${this.name} ${interval}`), ...others];
    return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] ?? `${this.name} in []`);
  }

  #describeOthers(set: Ranges): string[] {
    const inSet = [...membersOf(set)].map((index) => this.atoms[index] as Atom);
    const texts = inSet.filter(({ kind }) => kind === 'text');
    const parts: string[] = [];
    if (texts.some(({ isRest }) => isRest)) {
      const left = this.atoms.filter((atom) => atom.kind === 'text' && !atom.isRest && !texts.includes(atom));
      parts.push(left.length === 0 ? `${this.name} is any text` : `${this.name} ${amongTexts(left, '!=', 'not in')}`);
    } else if (texts.length > 0) parts.push(`${this.name} ${amongTexts(texts, '=', 'in')}`);
    const rest = inSet.filter(({ kind }) => kind !== 'text').map(({ label }) => label);
    return [...parts, ...rest.map((label) => `${this.name} ${label}`)];
  }
}

/** Values that no test of the field tells apart. */
export interface Atom {
  readonly kind: 'failed' | 'null' | 'boolean' | 'list' | 'object' | 'number' | 'text';
  /** One of them. */
  readonly value: Value;
  /** Of what is neither number nor text. */
  readonly label: string;
  /** Numbers between two neighbours, or beyond the last one; all texts that no test names. */
  readonly isRest: boolean;
  /** Of an interval of numbers: its ends, null where it has none. */
  readonly low?: Numeric | null;
  readonly high?: Numeric | null;
}

const fixed = (kind: Atom['kind'], value: Value, label: string): Atom => ({ kind, value, label, isRest: false });

/** Where no test names a constant, nothing is known of what is expected. */
const usual: ReadonlySet<Atom['kind']> = new Set(['boolean', 'number', 'text']);

/** Of a field that is computed: no cell matches where that fails. */
const failed = fixed('failed', null, 'cannot be computed');

const fixedAtoms: readonly Atom[] = [
  fixed('null', null, '= null'),
  fixed('boolean', false, '= false'),
  fixed('boolean', true, '= true'),
  fixed('list', [], 'is a list'),
  fixed('object', {}, 'is an object'),
];

const distinctNumbers = (numbers: readonly Numeric[]): Numeric[] =>
  [...numbers]
    .sort(compareNumbers)
    .filter((value, index, all) => index === 0 || compareNumbers(value, all[index - 1] ?? 0) !== 0);

/** Points and the open intervals around them. An interval without a number that the engine can hold is left out. */
function numberAtoms(numbers: readonly Numeric[]): Atom[] {
  const atoms: Atom[] = [];
  const interval = (low: Numeric | null, high: Numeric | null): void => {
    const value = between(low, high);
    if (value !== undefined) atoms.push({ kind: 'number', value, label: '', isRest: true, low, high });
  };
  interval(null, numbers[0] ?? null);
  numbers.forEach((value, index) => {
    atoms.push({ kind: 'number', value, label: '', isRest: false, low: value, high: value });
    interval(value, numbers[index + 1] ?? null);
  });
  return atoms;
}

/** A number strictly between two, a round one where there is one. */
function between(low: Numeric | null, high: Numeric | null): Numeric | undefined {
  if (low === null && high === null) return 0;
  if (low === null) return high === null ? 0 : (subtract(high, 1) ?? undefined);
  if (high === null) return add(low, 1);
  const next = add(low, 1);
  if (next !== undefined && compareNumbers(next, high) < 0) return next;
  const sum = add(low, high);
  const middle = sum === undefined ? null : divide(sum, 2);
  if (middle === null || compareNumbers(middle, low) <= 0 || compareNumbers(middle, high) >= 0) return undefined;
  return middle;
}

function textAtoms(texts: readonly string[]): Atom[] {
  let other = 'other';
  while (texts.includes(other)) other += '_';
  const named = texts.map((value) => fixed('text', value, ''));
  return [...named, { kind: 'text', value: other, label: '', isRest: true }];
}

function holds(atom: Atom, value: Value): boolean {
  switch (atom.kind) {
    case 'number':
      if (!isNumeric(value)) return false;
      if (!atom.isRest) return compareNumbers(value, atom.value as Numeric) === 0;
      return (
        isAbove(value, atom.low ?? null) &&
        (atom.high === null || atom.high === undefined || compareNumbers(value, atom.high) < 0)
      );
    case 'text':
      return typeof value === 'string' && (atom.isRest || atom.value === value);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !isNumeric(value) && !Array.isArray(value);
    default:
      return atom.kind !== 'failed' && atom.value === value;
  }
}

const isAbove = (value: Numeric, low: Numeric | null): boolean => low === null || compareNumbers(value, low) > 0;

/** Neighbouring atoms of numbers as `> 5`, `in (5..10]`, `= 5`. */
function intervalsOf(atoms: readonly Atom[], set: Ranges): string[] {
  const texts: string[] = [];
  for (let i = 0; i < set.length; i += 2) {
    const first = atoms[set[i] ?? 0];
    const last = atoms[set[i + 1] ?? 0];
    if (first === undefined || last === undefined) continue;
    const low = first.low ?? null;
    const high = last.high ?? null;
    if (low === null && high === null) texts.push('is any number');
    else if (low === null && high !== null) texts.push(`${last.isRest ? '<' : '<='} ${numberText(high)}`);
    else if (high === null && low !== null) texts.push(`${first.isRest ? '>' : '>='} ${numberText(low)}`);
    else if (low !== null && high !== null && compareNumbers(low, high) === 0) texts.push(`= ${numberText(low)}`);
    else if (low !== null && high !== null)
      texts.push(`in ${first.isRest ? '(' : '['}${numberText(low)}..${numberText(high)}${last.isRest ? ')' : ']'}`);
  }
  return texts;
}

function amongTexts(atoms: readonly Atom[], one: string, several: string): string {
  const texts = atoms.map(({ value }) => quoted(typeof value === 'string' ? value : ''));
  return texts.length === 1 ? `${one} ${texts[0] ?? ''}` : `${several} [${texts.join(', ')}]`;
}

const quoted = (text: string): string => (text.includes("'") ? `"${text}"` : `'${text}'`);

const byValue = (one: number, other: number): number => one - other;
