import { columnOf, isSheetTruth, readCell, readTruth, type CellColumn } from '../../cells/index.js';
import { cellNameAt, sheetLimits, type Grid } from '../files/grid.js';
import { isNumberCell, likeThousands } from '../files/numberCells.js';
import { mayHaveCommas } from '../meant.js';
import type { PathColumn } from './columns.js';
import { takenAt, type Taken } from './taken.js';

/** Numbers as JSON has them. */
export const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** Codes of articles are texts for certain, and so is what is JSON already. */
const isOther = (cell: string): boolean =>
  /\d/.test(cell) && !/^["[{]/.test(cell) && !exponent.test(cell) && !plainNumber.test(cell);

/** `1e3`: a code, but for a decision that takes a number. */
const exponent = /^\d+[eE]\d+$/;
/** What is no JSON. */
export const isBare = (cell: string): boolean => !/^["[{]|^(?:true|false|null)$/i.test(cell) && !plainNumber.test(cell);

/** Where a text stands first in a column, and how often. */
interface Seen {
  readonly row: number;
  count: number;
}

/** A text that is hardly meant as one. */
export interface Doubt extends Seen {
  readonly cell: string;
  /** What it is, in words. */
  readonly what: string;
  /** How it is written, as cells call it. */
  readonly form: string;
  /** What it may mean. */
  readonly readings: readonly string[];
}

/**
 * Tells of a column of numbers in which people have written others in their own way, `1.234,56` or `10%`: for JSON these are texts,
 * and `1.000` is one. So is `WAHR` in a column of booleans. Such a column is told once, because no fact is to have half of a column as
 * another thing; and where it is known what the decision takes, a column of nothing else is told, too.
 */
export class DoubtfulCells {
  readonly #others = new Map<string, Seen>();
  readonly #thousands = new Map<string, Seen>();
  /** Yes and no in words, as spreadsheets of other languages write them. */
  readonly #truths = new Map<string, Seen>();
  /** Texts in which nobody sees a number, where the model itself says that it takes one. */
  readonly #words = new Map<string, Seen>();
  readonly #taken: Taken | undefined;
  readonly #isDeclared: boolean;
  #hasNumbers = false;
  #hasBooleans = false;
  /** So far each cell is a boolean as a spreadsheet of another language saves it. */
  #isSheetTruths = true;

  /**
   * @param taken what the decision takes there; undefined where that is not known
   * @param isDeclared the model says so itself; else it is inferred, and `n/a` may be meant
   */
  constructor(taken?: Taken, isDeclared = false) {
    this.#taken = taken;
    this.#isDeclared = isDeclared;
  }

  /**
   * @param isKnown it is known what the cell says: it is what was exported
   * @param isNumber the file says that it is a number
   */
  see(source: string, row: number, { isKnown = false, isNumber: isSure = false } = {}): void {
    const cell = source.trim();
    this.#hasNumbers ||= plainNumber.test(cell);
    const isBoolean = /^(?:true|false)$/i.test(cell);
    this.#hasBooleans ||= isBoolean;
    if (isKnown || cell === '') return;
    this.#isSheetTruths &&= isSheetTruth(cell);
    if (!isBoolean && readTruth(cell) !== undefined) count(this.#truths, cell, row);
    const isNumber = this.#taken === 'number';
    const isTime = this.#taken === 'time' && (isBare(cell) || pointTime.test(cell));
    if (isOther(cell) || isTime || (isNumber && exponent.test(cell))) count(this.#others, cell, row);
    else if (isNumber && this.#isDeclared && isBare(cell)) count(this.#words, cell, row);
    if (!isSure && likeThousands.test(cell)) count(this.#thousands, cell, row);
  }

  /** What to say once all rows were seen; undefined where nothing is in doubt. @param mayHaveCommas by the whole file */
  fault(sheet: string, at: number, mayHaveCommas: boolean): string | undefined {
    return told(this.doubts(mayHaveCommas), { sheet, at });
  }

  /** The texts in doubt, each once; of all that were seen. */
  doubts(mayHaveCommas: boolean): readonly Doubt[] {
    const truths = this.#doubtsOfTruths();
    if (truths.length > 0) return truths;
    if (this.#taken === 'date' || this.#taken === 'time') return this.#doubtsOfMoments(this.#taken);
    return this.#doubtsOfNumbers(mayHaveCommas);
  }

  get hasNumbers(): boolean {
    return this.#hasNumbers;
  }

  #doubtsOfTruths(): readonly Doubt[] {
    const isKnown = this.#hasBooleans || this.#taken === 'boolean';
    if (!isKnown && (!this.#isSheetTruths || this.#taken === 'text')) return [];
    const what = isKnown ? `is a text ${this.#beside('boolean', this.#hasBooleans)}` : 'may be a boolean';
    return [...this.#truths].map(([cell, seen]) => ({
      ...{ cell, ...seen, what, form: 'truth' },
      readings: [readTruth(cell)?.text ?? ''],
    }));
  }

  /** Where the text stands, in words. */
  #beside(kind: 'boolean' | 'number', isThere: boolean): string {
    return isThere ? `beside ${kind}s` : `where the decision takes a ${kind}`;
  }

  #doubtsOfMoments(kind: 'date' | 'time'): readonly Doubt[] {
    const column: CellColumn = { ...columnOf({}, false, [...this.#others.keys()]), kind, isStored: true };
    const what = `is no ${kind} as the decision takes it`;
    return [...this.#others]
      .map(([cell, seen]) => {
        const written = kind === 'time' ? cell.replace(hoursAlone, '$1:$2') : cell;
        const readings = momentsIn(readCell(written, column)?.readings ?? [], kind);
        return { cell, ...seen, what, form: kind, readings };
      })
      .filter(({ cell, readings }) => readings.length > 0 && !readings.includes(cell));
  }

  #doubtsOfNumbers(mayHaveCommas: boolean): readonly Doubt[] {
    if (!this.#hasNumbers && this.#taken !== 'number') return [];
    if (this.#others.size + this.#words.size === 0 && !mayHaveCommas) return [];
    const guessed = columnOf({}, false, [...this.#others.keys()]);
    const hasCommas = guessed.hasCommas || mayHaveCommas;
    const column = { ...guessed, kind: 'number', isStored: true, hasCommas } as const;
    const meant = (cell: string): Pick<Doubt, 'form' | 'readings'> => {
      const [, amount] = signBehind.exec(cell) ?? [];
      const { form = 'number', readings = [] } = readCell(amount ?? cell, column) ?? {};
      if (amount === undefined) return { form, readings };
      const own = plainNumber.test(amount) ? [amount] : readings;
      return { form, readings: own.map((reading) => `-${reading}`) };
    };
    const isNone = this.#taken === 'number' && this.#isDeclared ? ['a number, or nothing'] : [];
    const isText = `is a text ${this.#beside('number', this.#hasNumbers)}`;
    const why = guessed.hasCommas ? 'beside decimal commas' : 'as semicolons separate the cells';
    const found = [...this.#others, ...(hasCommas ? this.#thousands : [])].map(([cell, seen]) => {
      const { form, readings } = meant(cell);
      const numbers = readings
        .filter((each) => plainNumber.test(each))
        .map((each) => (each === cell ? `${each}0` : each));
      const what = this.#others.has(cell) ? isText : `may be a thousand, ${why}`;
      return {
        cell,
        ...seen,
        what,
        ...(numbers.length === 0 ? { form: '', readings: isNone } : { form, readings: numbers }),
      };
    });
    const words = [...this.#words].map(([cell, seen]) => ({ cell, ...seen, what: isText, form: '', readings: isNone }));
    return [...found, ...words].filter(({ readings }) => readings.length > 0);
  }
}

/** What to say of a column by its first cell; undefined where there is none. */
export function told(
  found: readonly Doubt[],
  { sheet, at }: { readonly sheet: string; readonly at: number },
): string | undefined {
  const [first] = found.toSorted((one, other) => one.row - other.row);
  if (first === undefined) return undefined;
  const { cell, row, what, form, readings } = first;
  const more = found.reduce((sum, seen) => sum + seen.count, -1);
  return `${cellNameAt(sheet, row, at)}: ${JSON.stringify(cell)} ${what}. Write ${readings.join(' or ')}${form === 'unit' ? ', if that is in the unit of the decision' : ''}; a text has quotes in its cell.${andMore(more)}`;
}

/** Only different texts take memory, and no more of them than a sheet has rows. */
function count(seen: Map<string, Seen>, cell: string, row: number): void {
  const known = seen.get(cell);
  if (known !== undefined) known.count++;
  else if (seen.size < sheetLimits.rows) seen.set(cell, { row, count: 1 });
}

const moments = { date: /^"(\d{4}-\d\d-\d\d)"$/, time: /^"(\d\d:\d\d(?::\d\d)?)"$/ } as const;

const momentsIn = (readings: readonly string[], kind: keyof typeof moments): string[] =>
  readings.flatMap((text) => moments[kind].exec(text)?.slice(1) ?? []);

/** `17.00`, which is a number but for a decision that takes a time. */
const pointTime = /^\d{1,2}\.\d{2}$/;
/** `1700h`. */
const hoursAlone = /^([01]\d|2[0-3])([0-5]\d) ?h(?:rs?)?$/i;

/** `1.234,56-`: ledgers have the sign behind. In a condition that would be the beginning of a range. */
const signBehind = /^([^-+(]*\d) ?[-\u2212]$/;

interface Columns {
  readonly columns: readonly PathColumn[];
  /** Columns of codes, which have no numbers. */
  readonly codes: ReadonlySet<number>;
  /** The JSON Schema of the facts; undefined where it is not known. */
  readonly input: unknown;
  /** The model itself says what it takes. */
  readonly isDeclared: boolean;
}

/** Tells of the columns of a sheet. @param first the row of the first fact */
export function doubtfulCells(
  sheet: Pick<Grid, 'name' | 'rows' | 'delimiter' | 'numbers'>,
  first: number,
  { columns, codes, input, isDeclared }: Columns,
): readonly string[] {
  const { name, rows } = sheet;
  const hasCommas = mayHaveCommas(sheet);
  return columns.flatMap(({ at, steps }) => {
    const taken = takenAt(input, steps);
    // Of codes, whose zeros a number loses, a decision that takes numbers would see none.
    if (codes.has(at) && taken !== 'number') return [];
    const column = new DoubtfulCells(taken, isDeclared);
    for (let row = first; row < rows.length; row++)
      column.see(rows[row]?.[at] ?? '', row, { isNumber: isNumberCell(sheet, row, at) });
    return column.fault(name, at, hasCommas) ?? [];
  });
}

export const andMore = (more: number): string =>
  more === 0 ? '' : ` So ${more === 1 ? 'is 1 more cell' : `are ${more} more cells`} of the column.`;
