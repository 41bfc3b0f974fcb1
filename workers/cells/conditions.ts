import { readDay, readPeriod, readTime } from './dates.js';
import type { ValueKind } from './literals.js';
import { readNumber } from './numbers.js';
import { styles, withPlainSigns, type Style } from './style.js';
import { readComparison, type Operator } from './words.js';

/** What a cell is in ZEN, and which habits its author has. */
interface Written {
  readonly text: string;
  readonly form: FormName;
  readonly units: readonly string[];
}

/** How people write cells that ZEN writes otherwise; each is a kind of repair. */
export type FormName =
  | 'range'
  | 'comparison'
  | 'alternatives'
  | 'number'
  | 'percent'
  | 'currency'
  | 'unit'
  | 'scale'
  | 'date'
  | 'time'
  | 'order'
  | 'bound'
  | 'truth'
  | 'text'
  | 'quotes'
  | 'exception'
  | 'nothing'
  | 'inverted'
  | 'code'
  | 'formula'
  | 'foreign';

/** A value of a column's kind, ready to be compared. */
interface Operand {
  /** As a test for it alone. */
  readonly equal: string;
  /** As one side of a comparison. */
  readonly compared: string;
  readonly order: number | string;
  readonly form: FormName;
  readonly unit?: string | undefined;
  /** A period begins and ends. */
  readonly period?: readonly [string, string];
}

type OrderedKind = 'number' | 'date' | 'time';

const forms = { percent: 'percent', currency: 'currency', scale: 'scale', unit: 'unit', otherUnit: 'unit' } as const;

/** Reads values of a kind. */
const operandsOf: Readonly<Record<OrderedKind, (text: string, style: Style) => readonly Operand[]>> = {
  number: (text, style) =>
    readNumber(text, style).map(({ text: number, mark, unit }) => ({
      equal: number,
      compared: number,
      order: Number(number),
      form: mark === undefined ? 'number' : forms[mark],
      unit,
    })),
  date(text, style) {
    const bare = text.replace(/^(["'])(.*)\1$/, '$2');
    const day = readDay(bare, style);
    if (day !== undefined)
      return [{ equal: `"${day}"`, compared: `d("${day}")`, order: day, form: text === bare ? 'date' : 'order' }];
    const period = readPeriod(bare);
    if (period === undefined) return [];
    return [{ equal: between('date', period), compared: '', order: period[0], form: 'date', period }];
  },
  time(text) {
    const bare = text.replace(/^(["'])(.*)\1$/, '$2');
    const time = readTime(bare);
    if (time === undefined) return [];
    return [{ equal: `"${time}"`, compared: `time("${time}")`, order: time, form: text === bare ? 'time' : 'order' }];
  },
};

const side = (kind: OrderedKind): string => (kind === 'time' ? 'time($) ' : '');

function between(kind: 'date' | 'time', [low, high]: readonly [string, string]): string {
  const of = (text: string): string => `${kind === 'date' ? 'd' : 'time'}("${text}")`;
  return `${side(kind)}>= ${of(low)} and ${side(kind)}<= ${of(high)}`;
}

/** What a condition of a column of that kind may mean to somebody who writes in that style. */
export function readCondition(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  const parts = alternativesOf(cell);
  if (parts.length > 1) return joined(parts, (part) => readOne(part, kind, style), ', ', 'alternatives');
  return readOne(cell, kind, style);
}

/** The one value that a cell of results may be. */
export function readResult(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  return operandsOf[kind](cell, style)
    .filter(({ period }) => period === undefined)
    .map(({ equal, form, unit }) => ({ text: equal, form, units: unit === undefined ? [] : [unit] }));
}

/** Words after which `or` joins nothing: `18 or more`. */
const notAlternatives =
  'more|less|over|under|above|below|older|younger|higher|lower|greater|smaller|fewer|larger|later|earlier|after|before|up|mehr|weniger|älter|enemmän|vähemmän|mer|mindre';
const alternatives = new RegExp(
  ` ?; ?|, ?(?!\\d)|, +| ?\\| ?| (?:or|oder|tai|eller) (?!(?:${notAlternatives})\\b)`,
  'iu',
);

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
  const both = bothOf(cell);
  if (both !== undefined) return joined(both, (part) => readCompared(part, kind, style), ' and ', 'range');
  return readCompared(cell, kind, style);
}

function readCompared(cell: string, kind: OrderedKind, style: Style): readonly Written[] {
  const values = operandsOf[kind](cell, style);
  if (values.length > 0)
    return values.map(({ equal, form, unit }) => ({ text: equal, form, units: unit === undefined ? [] : [unit] }));
  const compared = readComparison(cell);
  if (compared === undefined) return [];
  return operandsOf[kind](compared.rest, style).flatMap((operand) =>
    compared.operators.flatMap((operator): Written[] => {
      const text = withOperator(operator, operand, kind);
      if (text === undefined) return [];
      const form =
        operand.form === 'number' || operand.form === 'date' || operand.form === 'time' ? 'comparison' : operand.form;
      return [{ text, form, units: operand.unit === undefined ? [] : [operand.unit] }];
    }),
  );
}

function withOperator(operator: Operator, { equal, compared, period }: Operand, kind: OrderedKind): string | undefined {
  if (operator === '==') return equal;
  if (operator === '!=') return period === undefined ? `!= ${equal}` : undefined;
  if (period === undefined) return `${side(kind)}${operator} ${compared}`;
  // After a quarter is after its last day.
  return `${operator} d("${operator === '<' || operator === '>=' ? period[0] : period[1]}")`;
}

/** `>= 5 and < 10`, `>=5 <10` and `5 < x < 10`, as two comparisons. */
function bothOf(cell: string): readonly string[] | undefined {
  const around = /^(.+?) ?(<=?|≤) ?[a-z$]\w* ?(<=?|≤) ?(.+)$/i.exec(cell);
  if (around !== null) {
    const [, low = '', first = '', last = '', high = ''] = around;
    return [`${first === '<' ? '>' : '>='} ${low}`, `${last} ${high}`];
  }
  const parts = cell.split(
    / ?(?:&&?|,) ?(?=[<>≤≥])| (?:and|und|ja|och|but) (?!more|less|over|under|above|below|older|younger|up|mehr)| (?=[<>≤≥])(?<=[^<>=≤≥] )|(?<=[\d%\p{L}])(?=[<>≤≥])/iu,
  );
  return parts.length === 2 && parts.every((part) => /^[<>≤≥=]|^[\p{L}]/u.test(part)) ? parts : undefined;
}

const separators = / ?(?:\.{2,3}|…|–|—|~|-) ?| (?:to|bis|till|through|thru|until|up to) /giu;

/** Undefined where it is no range; no way to read it where nothing is between its ends. */
function readRange(cell: string, kind: OrderedKind, style: Style): readonly Written[] | undefined {
  const bracketed = /^([[(])(.+)([\])])$/.exec(cell);
  const inner = (bracketed?.[2] ?? cell).trim().replace(/^(?:from|between|von|zwischen|mellan) /i, '');
  const isBetween = /^(?:between|zwischen|mellan) /i.test(cell);
  const found: Written[] = [];
  let isRange = false;
  for (const { index, 0: sign } of inner.matchAll(isBetween ? / (?:and|und|och) /giu : separators)) {
    const [from, to] = [inner.slice(0, index), inner.slice(index + sign.length)];
    for (const high of operandsOf[kind](to, style)) {
      for (const low of likeIts(from, to).flatMap((text) => operandsOf[kind](text, style))) {
        isRange = true;
        const text = rangeText(low, high, kind, [bracketed?.[1] ?? '[', bracketed?.[3] ?? ']']);
        if (text !== undefined)
          found.push({ text, form: 'range', units: [low.unit, high.unit].flatMap((unit) => unit ?? []) });
      }
    }
  }
  return isRange ? found : undefined;
}

/** `5-10%` is five to ten percent, and `1-5k` is from one, or from a thousand. */
function likeIts(low: string, high: string): readonly string[] {
  if (high.endsWith('%') && !low.includes('%')) return [`${low}%`];
  const scale = /\d ?([kKmM]|mio|mn|bn)$/.exec(high)?.[1];
  return scale === undefined || /[\p{L}]$/u.test(low) ? [low] : [low, `${low}${scale}`];
}

function rangeText(
  low: Operand,
  high: Operand,
  kind: OrderedKind,
  [open, close]: readonly [string, string],
): string | undefined {
  if (low.order > high.order) return undefined;
  if (kind === 'number') return `${open}${low.compared}..${high.compared}${close}`;
  const [first, last] = [low.period?.[0] ?? low.order, high.period?.[1] ?? high.order].map(String);
  const of = (text = ''): string => `${kind === 'date' ? 'd' : 'time'}("${text}")`;
  return `${side(kind)}>${open === '(' ? '' : '='} ${of(first)} and ${side(kind)}<${close === ')' ? '' : '='} ${of(last)}`;
}

/** Whether people write a condition of numbers, days or times so, whatever its column is for. */
export function isOrderedCell(source: string): boolean {
  const cell = withPlainSigns(source);
  return styles.some((style) => orderedKinds.some((kind) => readCondition(cell, kind, style).length > 0));
}

const orderedKinds = ['number', 'date', 'time'] as const;

/** Kinds whose values have an order that people write of. */
export const isOrdered = (kind: ValueKind): kind is OrderedKind =>
  kind === 'number' || kind === 'date' || kind === 'time';
