import type { Value } from '../engine/values.js';
import { ZenDate } from '../engine/zen/values/date.js';
import { compareNumbers, isNumeric, type Numeric } from '../engine/zen/values/numbers.js';
import { own } from '../engine/zen/values/objects.js';
import {
  dateAtom,
  datedTextAtom,
  failedAtom,
  fixedAtoms,
  isWhole,
  numberAtom,
  otherTexts,
  textAtom,
  type Atom,
  type AtomKind,
} from './atoms.js';
import { Line } from './numberLine.js';
import { isDay, momentOf, momentOrder } from './moments.js';
import type { PlainShape, Predicate } from './predicate.js';
import { difference, isEmpty, isWithin, membersOf, none, rangesOf, upTo, type Ranges } from './ranges.js';
import { zenTerms, type Terms } from './terms.js';
import { describeAtoms } from './atomsInWords.js';

export interface DimensionSource {
  readonly name: string;
  readonly path: readonly string[] | null;
  readonly constants: readonly Value[];
  /** Whether the field may be one that cannot be read. */
  readonly mayFail: boolean;
  /** Numbers beyond these are not expected, since something cannot be computed of them. */
  readonly within?: readonly NumberRange[];
  /** Of another language than ZEN. */
  readonly terms?: Terms | undefined;
  /** Somebody has said that only whole numbers, or whole days, are expected. */
  readonly isWhole?: boolean;
  /** Where the field's type is known: whether a value is of it. */
  readonly isOfType?: ((value: Value) => boolean) | undefined;
}

/** The first and the last one. */
export type NumberRange = readonly [Numeric, Numeric];

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
  /** Atoms of dates, which only nodes make. */
  readonly dates: Ranges;
  readonly #terms: Terms;
  readonly #isWhole: boolean;
  readonly #texts: ReadonlyMap<string, number>;
  /** Of the texts that name a moment. */
  readonly #textMoments: ReadonlyMap<string, number>;
  readonly #numbers: Line<Numeric>;
  readonly #dates: Line<number>;
  /** Undefined where no text is compared with a date. */
  readonly #datedTexts: Line<number> | undefined;
  /** Where the atoms of each kind begin. */
  readonly #from: Readonly<Record<'number' | 'date' | 'text' | 'datedText' | 'otherTexts', number>>;

  constructor({
    name,
    path,
    constants,
    mayFail,
    within = [],
    terms = zenTerms,
    isWhole: areWhole = false,
    isOfType,
  }: DimensionSource) {
    this.name = name;
    this.path = path;
    this.#terms = terms;
    this.#isWhole = areWhole;
    const dates = constants.filter((value) => value instanceof ZenDate);
    const texts = [...new Set(constants.filter((value) => typeof value === 'string'))];
    const momentsOf = (values: readonly Value[]): number[] => values.flatMap((value) => momentOf(value) ?? []);
    this.#textMoments = new Map(
      (terms.hasDates ? texts : []).flatMap((text) =>
        momentsOf([text]).map((moment): [string, number] => [text, moment]),
      ),
    );
    this.#numbers = new Line(constants.filter(isNumeric), terms.numbers);
    // Dates are compared with texts that name dates too, texts with dates alone.
    this.#dates = new Line([...momentsOf(dates), ...this.#textMoments.values()], momentOrder);
    this.#datedTexts = dates.length === 0 ? undefined : new Line(momentsOf(dates), momentOrder);
    const before = [...(mayFail ? [failedAtom] : []), ...fixedAtoms];
    const number = before.length;
    const date = number + this.#numbers.pieces.length;
    const text = date + this.#dates.pieces.length;
    const datedText = text + texts.length;
    this.#from = { number, date, text, datedText, otherTexts: datedText + (this.#datedTexts?.pieces.length ?? 0) };
    this.#texts = new Map(texts.map((value, index) => [value, text + index]));
    this.atoms = [
      ...before,
      ...this.#numbers.pieces.map(numberAtom),
      ...this.#dates.pieces.map(dateAtom),
      ...texts.map(textAtom),
      ...(this.#datedTexts?.pieces ?? []).map((piece) => datedTextAtom(piece, this.#texts)),
      otherTexts(this.#texts),
    ];
    this.all = upTo(this.atoms.length);
    this.dates = this.where(({ kind }) => kind === 'date' || kind === 'invalidDate');
    const kinds = kindsOf(constants);
    const isWithin = (number: Numeric): boolean =>
      within.every(([low, high]) => compareNumbers(number, low) >= 0 && compareNumbers(number, high) <= 0);
    this.expected = this.where((atom) =>
      isOfType === undefined
        ? kinds.has(atom.kind) && (!isNumeric(atom.value) || isWithin(atom.value)) && (!areWhole || hasWhole(atom))
        : isOfType(atom.value),
    );
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
    if (shape.kind === 'literals') {
      const atoms = shape.values.map((value) => this.atomOf(value));
      for (const value of shape.values) atoms.push(...this.#dateNamedBy(value));
      return rangesOf(Uint32Array.from(atoms).sort());
    }
    const { low, high } = shape;
    const first = low === null ? this.#from.number : this.atomOf(low.value) + (low.included ? 0 : 1);
    const last = high === null ? this.#from.date - 1 : this.atomOf(high.value) - (high.included ? 0 : 1);
    return first > last ? none : [first, last];
  }

  /** The dates that equal a text. */
  #dateNamedBy(value: Value): number[] {
    const moment = typeof value === 'string' ? this.#textMoments.get(value) : undefined;
    return moment === undefined ? [] : [this.#from.date + this.#dates.pieceOf(moment)];
  }

  /** The atom that a value belongs to. */
  atomOf(value: Value): number {
    // A fraction is no value of a field of whole numbers.
    if (isNumeric(value)) return atomFrom(this.#from.number, this.#numbers.pieceOf(value));
    if (typeof value === 'string') return this.#texts.get(value) ?? this.#atomOfText(value);
    const moment = momentOf(value);
    if (moment !== undefined) return this.#from.date + this.#dates.pieceOf(moment);
    const kind = kindOf(value);
    return this.atoms.findIndex((atom) => atom.kind === kind && (kind !== 'boolean' || atom.value === value));
  }

  /** The atoms for whose values a test holds that compares the field with these constants: it is run for one value of each kind. */
  admittedOf({ constants, holds }: Pick<Predicate, 'constants' | 'holds'>): Ranges {
    const own = new Dimension({ name: '', path: this.path, constants, mayFail: true, terms: this.#terms });
    const truths = own.atoms.map(({ kind, value }) => kind !== 'failed' && holds(value));
    const members: number[] = [];
    own.#numbers.pieces.forEach(({ isPoint, low, high }, at) => {
      if (truths[own.#from.number + at] !== true) return;
      const first = low === null ? this.#from.number : this.atomOf(low) + (isPoint ? 0 : 1);
      const last = high === null ? this.#from.date - 1 : this.atomOf(high) - (isPoint ? 0 : 1);
      for (let atom = first; atom <= last; atom++) members.push(atom);
    });
    for (const [atom, { kind, value }] of this.atoms.entries())
      if (kind !== 'failed' && kind !== 'number' && truths[own.atomOf(value)] === true) members.push(atom);
    return rangesOf(members.sort(byValue));
  }

  #atomOfText(text: string): number {
    const moment = this.#datedTexts && momentOf(text);
    if (this.#datedTexts === undefined || moment === undefined) return this.#from.otherTexts;
    return this.#from.datedText + this.#datedTexts.pieceOf(moment);
  }

  /** Whether values stand as something else than themselves, so that nothing of what is known of the field holds for them. */
  get isTranslated(): boolean {
    return !this.#terms.hasDates;
  }

  /** Whether an input's field is in a set; unknown values are in the whole of it alone. */
  isIn(input: Value, set: Ranges): boolean {
    if (this.path === null) return set === this.all;
    return isWithin(rangesOf([this.atomOf(this.#terms.read(this.path.reduce<Value>(own, input)))]), set);
  }

  /** A value of an atom as a node is given it: nodes of ZEN alone are given dates, for which others have texts. */
  inputValueOf(atom: number): Value {
    return this.#terms.hasDates ? this.valueOf(atom) : this.factValueOf(atom);
  }

  /** A value of an atom as a fact has it. */
  factValueOf(atom: number): Value {
    return this.#terms.written(this.valueOf(atom));
  }

  /** The set in words of the field: `amount in (500..1000]`, `country = 'DE'`; '' where it says nothing. */
  describe(set: Ranges): string {
    // Each date is expected as a text, too: a request has no others.
    if (isEmpty(difference(difference(this.expected, this.dates), set))) return '';
    return describeAtoms(this.name, this.atoms, this.#isWhole ? this.#withFractions(set) : set, this.#terms);
  }

  /** With what lies between two neighbours of the set and is not expected: it would only part them in words. */
  #withFractions(set: Ranges): Ranges {
    const members = new Set(membersOf(set));
    const isBetween = (at: number): boolean =>
      !hasWhole(this.atoms[at] as Atom) && members.has(at - 1) && members.has(at + 1);
    return rangesOf([...this.atoms.keys()].filter((at) => members.has(at) || isBetween(at)));
  }
}

/** Whether a whole number, or a day, is among the values of an atom; those of other kinds have no parts. */
const hasWhole = ({ value, moments }: Atom): boolean =>
  isNumeric(value) ? isWhole(value) : moments === undefined || isDay(moments.value);

const atomFrom = (first: number, piece: number): number => (piece < 0 ? piece : first + piece);

/** Where no test names a constant, or `null` alone, nothing is known of what is expected. */
const usual: ReadonlySet<AtomKind> = new Set<AtomKind>(['boolean', 'number', 'text']);

/** Kinds of values that constants stand for. A date is expected as a text that names one, as facts have it, or as a date. */
function kindsOf(constants: readonly Value[]): ReadonlySet<AtomKind> {
  const kinds = new Set(
    constants.flatMap((value): AtomKind[] => (value instanceof ZenDate ? ['datedText', 'date'] : [kindOf(value)])),
  );
  return kinds.size > (kinds.has('null') ? 1 : 0) ? kinds : new Set([...usual, ...kinds]);
}

/** The kind of a value that is no valid date; dates of others are theirs. */
function kindOf(value: Value): AtomKind {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'boolean';
  if (isNumeric(value)) return 'number';
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return 'list';
  return value instanceof ZenDate ? 'invalidDate' : 'object';
}

const byValue = (one: number, other: number): number => one - other;
