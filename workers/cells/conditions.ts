import { bothOf, readRange } from './bands.js';
import { readPlain, type ValueKind } from './literals.js';
import type { FormName, Written } from './forms.js';
import { inPlainNotation } from './notations.js';
import { operandsOf, side, type Operand, type OrderedKind } from './operands.js';
import { isoStyle, styles, withPlainSigns, type Style } from './style.js';
import { readTogether } from './together.js';
import { buts, closings, ors, readComparison, type Operator } from './words.js';

/** Longer cells are no habits of spreadsheets. */
export const longestCell = 200;

/**
 * What a condition of a column of that kind may mean to somebody who writes in that style; nothing, of a longer cell: each of its
 * signs may be the one between two values, and each of those is read.
 */
export function readCondition(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  if (cell.length > longestCell) return [];
  const noted = inPlainNotation(cell).flatMap((plain) => readOne(plain, kind, style));
  if (noted.length > 0) return noted;
  const parts = alternativesOf(cell);
  if (parts.length > 1)
    return joined(parts, (part) => readOne(part, kind, style), ', ', 'alternatives').flatMap((written) =>
      unlessAll(written, parts.length > cell.split(lists).length),
    );
  return readOne(cell, kind, style);
}

/** `over 20, up to 50` is from the one to the other: as alternatives they take everything. */
const unlessAll = (written: Written, hasOr: boolean): readonly Written[] =>
  readTogether(written.text, { hasOr })?.map((text) => ({
    ...written,
    text,
    form: text === '' ? 'nothing' : 'range',
  })) ?? [written];

/** The one value that a cell of results may be. */
export function readResult(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  return operandsOf[kind](cell, style)
    .filter(({ period }) => period === undefined)
    .map(({ equal, form, unit }) => ({ text: equal, form, units: unit === undefined ? [] : [unit] }));
}

/** `18, but under 24` is no list, nor is `on or after 1 May`. */
const but = ` ?(?:${buts}) `;
const alternatives = new RegExp(
  ` ?; ?|, ?(?!\\d|${but})|, +(?!${but})| ?\\| ?|(?<!(?:^|\\P{L})on) (?:${ors}) (?!(?:${closings})(?:$| \\p{L})|(?:equal|gleich|yhtä|lika|égale?|uguale|igual|lig|równ[aey])(?!\\p{L}))`,
  'iu',
);

/** Signs that do not say *or* in so many words. */
const lists = /[;,]/;

function alternativesOf(cell: string): readonly string[] {
  const parts = cell.split(alternatives).map((part) => part.trim().replace(/^or /i, ''));
  return parts.includes('') ? [cell] : parts;
}

/** Every way to read all parts, one after the other. */
function joined(
  parts: readonly string[],
  read: (part: string) => readonly Written[],
  sign: string,
  form: FormName,
): readonly Written[] {
  let all: readonly Written[] = [{ text: '', form, units: [] }];
  for (const [at, part] of parts.entries()) {
    const found = read(part);
    if (found.length * all.length > 8) return [];
    all = all.flatMap((before) =>
      found.map(({ text, units }) => ({
        text: `${before.text}${at === 0 ? '' : sign}${text}`,
        form,
        units: [...before.units, ...units],
      })),
    );
  }
  return all;
}

function readOne(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  const range = readRange(cell, kind, style);
  if (range !== undefined) return range;
  const both = bothOf(cell) ?? [];
  const found = both.length > 0 ? joined(both, (part) => readCompared(part, kind, style), ' and ', 'range') : [];
  // `up to and including 24` has one value.
  return found.length > 0 ? found.map(orEither) : readCompared(cell, kind, style);
}

/** `under 18 and over 65`: who joins what excludes each other means both. */
const orEither = (written: Written): Written =>
  readPlain(written.text)?.isContradiction === true
    ? { ...written, text: written.text.replace(' and ', ', '), form: 'alternatives' }
    : written;

function readCompared(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  const values = operandsOf[kind](cell, style);
  if (values.length > 0)
    return values.map(({ equal, form, unit }) => ({ text: equal, form, units: unit === undefined ? [] : [unit] }));
  const compared = readComparison(cell);
  if (compared === undefined) return [];
  // Ledgers have the sign behind, and ranges without an end a dash.
  const negative = kind === 'number' && /\d ?-$/.test(cell) ? operandsOf.number(`-${compared.rest}`, style) : [];
  const signed = negative.map(({ equal }): Written => ({ text: equal, form: 'number', units: [] }));
  const found = operandsOf[kind](compared.rest, style).flatMap((operand) =>
    compared.operators.flatMap((operator): Written[] => {
      const text = withOperator(operator, operand, kind);
      if (text === undefined) return [];
      const form =
        operand.form === 'number' || operand.form === 'date' || operand.form === 'time' ? 'comparison' : operand.form;
      return [{ text, form, units: operand.unit === undefined ? [] : [operand.unit] }];
    }),
  );
  return [...found, ...signed];
}

function withOperator(operator: Operator, { equal, compared, period }: Operand, kind: OrderedKind): string | undefined {
  if (operator === '==') return equal;
  if (operator === '!=') return period === undefined ? `!= ${equal}` : undefined;
  if (period === undefined) return `${side(kind)}${operator} ${compared}`;
  // After a quarter is after its last day.
  return `${operator} d("${operator === '<' || operator === '>=' ? period[0] : period[1]}")`;
}

/** Whether people write a condition of numbers, days or times so, whatever its column is for. */
export function isOrderedCell(source: string): boolean {
  const cell = withPlainSigns(source);
  return styles.some((style) => orderedKinds.some((kind) => readCondition(cell, kind, style).length > 0));
}

const inOrder = /[<>]|\.\./;

/**
 * Whether a cell compares in words, whatever its column is for: `over 20`, `65+ years`, `until 18:00`. A period, such as `Jan 2026`,
 * is a name as often.
 */
export function comparesInWords(cell: string): boolean {
  if (!/\d/.test(cell) || !/\p{L}/u.test(cell)) return false;
  const kinds = readComparison(cell) === undefined ? (['number', 'time'] as const) : orderedKinds;
  return kinds.some((kind) =>
    stylesOf[kind].some((style) => readCondition(cell, kind, style).some(({ text }) => inOrder.test(text))),
  );
}

/** Those that make a difference. */
export const stylesOf: Readonly<Record<OrderedKind, readonly Style[]>> = {
  number: styles.filter(({ isMonthFirst }) => isMonthFirst),
  date: styles.filter(({ decimal }) => decimal === '.'),
  time: [isoStyle],
};

const orderedKinds = ['number', 'date', 'time'] as const;

/** Kinds whose values have an order that people write of. */
export const isOrdered = (kind: ValueKind): kind is OrderedKind =>
  kind === 'number' || kind === 'date' || kind === 'time';
