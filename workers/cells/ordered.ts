import type { CellColumn } from './columns.js';
import { asCodes } from './codes.js';
import { currenciesIn } from './currencies.js';
import { readCondition, readResult } from './conditions.js';
import type { FormName } from './forms.js';
import { inUnit } from './headingUnit.js';
import { zenText } from './literals.js';
import { isRate } from './numbers.js';
import { side } from './operands.js';
import { shifted } from './shifted.js';
import { styles } from './style.js';
import { readTexts } from './texts.js';
import { converted, isKnownUnit } from './units.js';

// Cells of columns whose values have an order, each read as people of all countries write it.

/**
 * What separates thousands, whether the month is first, whether digits are codes, whether a share is of one or of a hundred, whether
 * its sign was left out, whether capitals are meant, whether words with a dash are all between them, whether its currency counts, and whether it is converted. Of other cells it is asked what they mean.
 */
type Question =
  'decimal' | 'dayOrder' | 'code' | 'percent' | 'share' | 'capitals' | 'wordRange' | 'currency' | 'converted';

/** What a cell may be in ZEN. */
export interface Reading {
  readonly text: string;
  readonly form: FormName;
  readonly question?: Question | undefined;
}

/** Four digits and no others. */
const oneYear = /^\D*\d{4}\D*$/;

/** Numbers, days and times in the styles of all countries. */
export function ordered(cell: string, column: CellColumn, kind: 'number' | 'date' | 'time'): readonly Reading[] {
  const { isTest, isStored, hasUnits, unit } = column;
  if (kind === 'number' && unit !== undefined) return orderedInUnit(cell, column, unit);
  // A number alone may be anything that is counted.
  if (kind === 'time' && /^\d+$/.test(cell)) return [];
  const hasHours = column.kind === 'time';
  const hasYears = (column.kind === 'date' || column.kind === 'dateTime') && oneYear.test(cell);
  const byStyle = styles
    .map((style) => ({ ...style, hasHours, hasYears }))
    .map((style) => (isTest ? readCondition : readResult)(cell, kind, style));
  const found = byStyle.flat();
  if (hasUnits && found.some(({ units }) => units.length > 0)) return [];
  const isOfSeveral = kind === 'number' && found.length > 0 && isMoneyOfSeveral(cell, column);
  // A number alone would compare dollars with pounds.
  if (isOfSeveral && (isTest || isStored)) return [];
  if (isOfSeveral) return withCurrency(cell, found);
  const usual = cell.includes('%') && !column.hasCommas ? belowThousand(cell, found) : found;
  const question =
    usual === found ? questionOf(byStyle.map((written) => written.map(({ text }) => text).join())) : undefined;
  const own: Reading[] = usual.flatMap(({ text: read, form }) => {
    const text = column.hasSeconds ? withSeconds(read) : read;
    // A day that is a first one is no text.
    return bounded(text, column).map((each) => ({ text: each, form: each === text ? form : 'bound', question }));
  });
  if (kind === 'number' && column.isPercent && found.some(({ form }) => cell.includes('%') && form !== 'code'))
    return sharesOf(own, cell, column);
  const codes = kind === 'number' && column.hasCodes && question === undefined ? codesOf(own, cell) : undefined;
  if (codes !== undefined) return codes;
  if (kind === 'number' && isTest && /^-?\d+,\d{1,2}$/.test(cell))
    own.push({ text: cell.replace(',', ', '), form: 'number' });
  const [, first = '', second] = /^(\d{3,}),(0\d+)$/.exec(cell) ?? [];
  if (kind === 'number' && isTest && second?.length === first.length)
    own.push({ text: `${zenText(first)}, ${zenText(second)}`, form: 'code' });
  const isCode = kind === 'number' && /^0\d+$/.test(cell);
  if (isCode) own.push({ text: JSON.stringify(cell), form: 'code' });
  // The word beside a number may be half of a text, where nobody has said that these are numbers.
  const isText =
    !isStored &&
    found.some(({ form }) => form === 'unit' || form === 'scale') &&
    !(isTest && found.every(({ units }) => units.every(isKnownUnit)));
  return isText ? [...own, ...readTexts(cell, column)] : own;
}

/** Numbers of a column that are of one unit: of those of another one it is asked whether they are converted, where that is exact. */
function orderedInUnit(cell: string, column: CellColumn, unit: string): readonly Reading[] {
  const { bare, other, isMixed } = inUnit(cell, unit);
  if (isMixed) return [];
  // Whatever else is counted is none of the unit; prices for each of something are in its currency.
  const own = { ...column, unit: undefined, currencies: [], hasUnits: column.hasUnits || !isRate(cell) };
  const found = ordered(bare, own, 'number');
  // Of 1.5 % there are 150 basis points.
  if (unit === 'bp' && cell.includes('%'))
    return [4, 0].flatMap((places) =>
      found.map(({ text }) => ({
        text: text.replace(number, (each) => shifted(each, places)),
        form: 'unit',
        question: 'converted',
      })),
    );
  if (other === undefined) return bare === cell ? found : found.map((each) => ({ ...each, form: 'unit' }));
  const meant = found.map(({ text }) => (/["']/.test(text) ? undefined : inAnother(text, other, unit)));
  if (meant.includes(undefined)) return [];
  // Each as it is converted, then each as it stands.
  const texts = [...meant, ...found.map(({ text }) => text)].filter((text) => text !== undefined);
  return texts.map((text) => ({ text, form: 'unit', question: 'converted' }));
}

/** A condition of numbers, or one number, in another unit; undefined where one of them is not exact in it. */
function inAnother(text: string, from: string, to: string): string | undefined {
  const numbers = Array.from(text.matchAll(number), ([each]) => converted(each, from, to));
  if (numbers.includes(undefined)) return undefined;
  return text.replace(number, () => numbers.shift() ?? '');
}

const number = /-?\d+(?:\.\d+)?/g;

/** Whether a cell names a currency, in a column of several; a share is one among amounts. */
export const isMoneyOfSeveral = (cell: string, { currencies }: CellColumn): boolean =>
  currencies.length > 1 && (currenciesIn([cell]).length > 0 || (currencies.includes('%') && cell.includes('%')));

/** An amount of a column of several currencies as the text that it is, or as its number alone. */
const withCurrency = (cell: string, found: readonly { readonly text: string }[]): readonly Reading[] =>
  [zenText(cell), ...found.map(({ text }) => text)].map((text) => ({ text, form: 'currency', question: 'currency' }));

/** `3.464%` is hardly thousands of percent: what people write so has three decimals. */
function belowThousand<Read extends { readonly text: string }>(cell: string, found: readonly Read[]): readonly Read[] {
  if (!/(?<![\d.])\d{1,3}\.\d{3}(?![\d.,])/.test(cell)) return found;
  const least = Math.min(...found.map(({ text }) => largestIn(text)));
  return found.filter(({ text }) => largestIn(text) < 100 * least);
}

const largestIn = (text: string): number =>
  Math.max(...Array.from(text.matchAll(number), ([each]) => Math.abs(Number(each))));

/** Below a heading in percent `50 %` is a half, or fifty. */
function sharesOf(own: readonly Reading[], cell: string, column: CellColumn): readonly Reading[] {
  const bare = cell.replace(/ ?%/g, '');
  const read = column.isTest ? readCondition : readResult;
  const all = styles.flatMap((style) => read(bare, 'number', style));
  const whole = (column.hasCommas ? all : belowThousand(cell, all)).flatMap(({ text }) => bounded(text, column));
  const texts = new Set([...own.map(({ text }) => text), ...whole]);
  return [...texts].map((text) => ({ text, form: 'percent', question: 'percent' }));
}

/** A condition of numbers in a column of which some have zeros before them: of all of them it is asked what they are. */
function codesOf(readings: readonly Reading[], cell: string): readonly Reading[] | undefined {
  const [text, ...others] = new Set(readings.map((reading) => reading.text));
  const code = text === undefined || others.length > 0 ? undefined : asCodes(text, cell);
  return code === undefined || text === undefined
    ? undefined
    : [text, code].map((each) => ({ text: each, form: 'code', question: 'code' }));
}

/** As the times of its column are written, which are equal as texts. */
const withSeconds = (text: string): string => text.replace(/(?<!\()"(\d\d:\d\d)"/g, '"$1:00"');

const oneDate = /^"\d{4}-\d\d-\d\d"$/;

const oneTime = /^"\d\d:\d\d(?::\d\d)?"$/;

const oneNumber = /^-?\d+(?:\.\d+)?$/;

/** A date or time alone in a column of first or last ones is where something begins or ends, and so is a number among lowest or highest ones. */
export function bounded(text: string, { bounds, kind }: CellColumn): readonly string[] {
  if (bounds.length === 0) return [text];
  if (kind === 'date' && oneDate.test(text)) return bounds.map((bound) => `${bound} d(${text})`);
  if (kind === 'time' && oneTime.test(text)) return bounds.map((bound) => `${side(kind)}${bound} time(${text})`);
  return kind === 'number' && oneNumber.test(text) ? bounds.map((bound) => `${bound} ${text}`) : [text];
}

/** What makes the difference between the readings in all styles, in their order; undefined where neither does. */
function questionOf([point, comma, dayFirst]: readonly string[]): Question | undefined {
  const differs = (other: string | undefined): boolean => Boolean(point) && Boolean(other) && point !== other;
  return differs(comma) ? 'decimal' : differs(dayFirst) ? 'dayOrder' : undefined;
}
