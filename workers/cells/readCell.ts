import { inCapitals } from './capitals.js';
import type { CellColumn } from './columns.js';
import { asCodes, hasPadded, isRangeOfCodes } from './codes.js';
import { comparesInWords, isOrdered, longestCell, readCondition } from './conditions.js';
import type { FormName } from './forms.js';
import { isFormula, zenOf } from './formula.js';
import { inUnit } from './headingUnit.js';
import { readPlain, zenText, type PlainCell } from './literals.js';
import { bounded, isMoneyOfSeveral, ordered, type Reading } from './ordered.js';
import { asShare } from './shares.js';
import { isoStyle, withPlainSigns } from './style.js';
import { readLines, readTexts } from './texts.js';
import { readTogether } from './together.js';
import { maybeBand } from './bands.js';
import { isBetweenWords, wordRangesIn } from './wordRanges.js';
import { isEverything, maybeEverything, maybeNothing, readText, readTruth, takesAllOf } from './words.js';

/** That a cell is wrong, and what can stand in its place. */
export interface CellMeaning {
  /** The kind of repair. */
  readonly form: FormName;
  /** It, with the signs that all people write. */
  readonly cell: string;
  /** What its author may mean, as ZEN: one is a repair, of several a person chooses, none means that nobody can say. */
  readonly readings: readonly string[];
  /** Cells of a column with the same question and as many readings have the same answer. */
  readonly question: string;
  /** It is plain ZEN, which does something else than its column is for. */
  readonly isPlain: boolean;
}

/**
 * What a person means by a cell in a column of that kind, where it is no plain ZEN that fits; undefined where it is.
 * Whether ZEN reads it with fields that are there, the caller has to know: such a cell has no fault.
 */
export function readCell(source: string, column: CellColumn): CellMeaning | undefined {
  const plain = readPlain(source.trim());
  if (plain !== undefined) {
    const fault = readPlainCell(plain, source.trim(), column);
    return fault && { ...fault, isPlain: true };
  }
  // Lines of a result are lines of its text.
  const cell = column.isTest ? withPlainSigns(source) : source.trim().split(/\r?\n/).map(withPlainSigns).join('\n');
  if (cell === '') return undefined;
  const isOfTexts = column.kind === 'text' || column.kind === 'any';
  if (cell.length > longestCell) {
    // What is said at length is a text, or nothing that people write.
    const text = isOfTexts && /\p{L}/u.test(cell) ? readText(cell) : undefined;
    return text === undefined ? undefined : faultOf(cell, [{ text, form: 'text' }]);
  }
  const lines = column.isTest && isOfTexts ? readLines(source) : [];
  const readings = unlike(source, [...lines, ...readingsOf(cell, column)]);
  if (readings.length > 0) return faultOf(cell, readings);
  return isFormula(cell) ? faultOfFormula(cell) : faultOf(cell, [], unsaidIn(cell, column));
}

/** That a cell has no reading for its currency, or for its unit, alone. */
function unsaidIn(cell: string, column: CellColumn): 'currency' | 'unit' | undefined {
  if (column.kind !== 'number' && column.kind !== 'any') return undefined;
  if (column.unit !== undefined) return inUnit(cell, column.unit).other === undefined ? undefined : 'unit';
  return isMoneyOfSeveral(cell, column) ? 'currency' : undefined;
}

function faultOfFormula(cell: string): CellMeaning {
  const text = zenOf(cell);
  return faultOf(cell, text === null ? [] : [{ text, form: 'formula' }], 'formula');
}

function faultOf(cell: string, readings: readonly Reading[], form?: FormName): CellMeaning {
  return {
    form: form ?? readings[0]?.form ?? 'foreign',
    cell,
    readings: readings.map(({ text }) => text),
    question: readings[0]?.question ?? meaningOf(cell, readings),
    isPlain: false,
  };
}

/** Of what kinds the readings are, in their order; `n/a` may take everything where `other` is a text, so each word is asked by itself. */
const meaningOf = (cell: string, readings: readonly Reading[]): string => {
  const forms = readings.map(({ form }) => form);
  return [...forms, ...(forms.includes('nothing') ? [cell.toLowerCase()] : [])].join(' ');
};

const unlike = (source: string, readings: readonly Reading[]): readonly Reading[] =>
  readings.filter(
    ({ text }, at) => text !== source.trim() && readings.findIndex((other) => other.text === text) === at,
  );

function readingsOf(cell: string, column: CellColumn): readonly Reading[] {
  const readings = valuesOf(cell, column);
  const [first, ...others] = readings;
  const isRest = cell === column.rest;
  if (isRest && first?.form === 'text' && others.length === 0) return [first, { text: '', form: 'nothing' }];
  // Where it is no value of the column, `alle` can only take everything, as it does among texts for some.
  const takesAll = column.isTest && (maybeEverything(cell) || (isRest && takesAllOf(cell))) && !maybeNothing(cell);
  return readings.length === 0 && takesAll ? [{ text: '', form: 'nothing' }] : readings;
}

function valuesOf(cell: string, column: CellColumn): readonly Reading[] {
  const { isTest, kind } = column;
  const textsIn = isTest && isPhraseOfNumbers(cell, column) ? () => [] : readTexts;
  if (isEverything(cell)) {
    const isSign = !/\p{L}/u.test(cell);
    return [{ text: '', form: 'nothing' }, ...(isTest || isSign ? [] : readTexts(cell, column))];
  }
  const ranges = isTest ? rangesOfWords(cell, column) : undefined;
  switch (kind) {
    case 'text':
    case 'list':
      if (ranges !== undefined) return listed(ranges, column);
      return listed([...rangeOfCodes(cell, column), ...withDays(textsIn(cell, column), cell, column)], column);
    case 'boolean':
      return truths(cell, column);
    case 'any': {
      if (ranges !== undefined) return ranges;
      const typed = (['number', 'date', 'time'] as const).flatMap((each) => ordered(cell, column, each));
      if (typed.length === 0 && unsaidIn(cell, column) !== undefined) return [];
      if (typed.length > 0 && !/\p{L}/u.test(cell)) return typed;
      const isPhrase = typed.length === 0 && column.hasOrder && mayBePhrase(cell);
      if (isPhrase && isTest && !column.isStored) return [];
      return [...typed, ...textsIn(cell, column), ...(isTest ? [] : costingNothing(cell))];
    }
    default: {
      const found = ordered(cell, column, kind === 'dateTime' ? 'date' : kind);
      // `on request` among prices: it has no number that could be meant.
      const isWord = !isTest && !column.isStored && found.length === 0 && /\p{L}/u.test(cell) && !/\d/.test(cell);
      return isWord ? [...(kind === 'number' ? costingNothing(cell) : []), ...readTexts(cell, column)] : found;
    }
  }
}

/** `free` among prices. */
const costingNothing = (cell: string): readonly Reading[] =>
  /^(?:free(?: of charge)?|gratis|kostenlos|kostenfrei|frei|nil|waived|gratuite?|gratuito|maksuton|ilmainen|bezpłatn[iey]e?|zdarma)$/iu.test(
    cell,
  )
    ? [{ text: '0', form: 'number' }]
    : [];

/**
 * Whether a cell has a number that is compared, in whatever words: nobody can say that it is a text before somebody has said it of
 * the column. Among texts a name with a number has a capital.
 */
const isPhraseOfNumbers = (cell: string, { kind, isStored, hasOrder }: CellColumn): boolean =>
  !isStored &&
  (maybeBand(cell) ||
    /^(?:<(?!>)|[>≤≥]).*\d/u.test(cell) ||
    daysOfYears.test(cell) ||
    (kind === 'text' && (comparesInWords(cell) || (hasOrder && mayBePhrase(cell) && !/^\p{Lu}/u.test(cell)))));

/** `15.06.-15.09.`: days of each year. */
const daysOfYears = /^\d{1,2}\.\d{1,2}\. ?-/;

/** Whether words stand beside a number, which may compare where other cells do, in a language that nobody reads here. */
const mayBePhrase = (cell: string): boolean => /\d/.test(cell) && / .*\p{L}|\p{L} |\p{Lo}/u.test(cell);

/** `Mon-Fri` as each of its days, or as that word; undefined where it is no such range. */
function rangesOfWords(cell: string, { beside }: CellColumn): readonly Reading[] | undefined {
  const lists = beside === undefined ? [] : wordRangesIn(cell, beside).map((words) => words.map(zenText).join(', '));
  if (lists.length === 0) return beside !== undefined && isBetweenWords(cell, beside) ? [] : undefined;
  return [...lists, zenText(cell)].map((text) => ({ text, form: 'alternatives', question: 'wordRange' }));
}

/** What ZEN has for a range of postcodes: texts have no order, the numbers in them have. */
const rangeOfCodes = (cell: string, { hasCodes, kind }: CellColumn): readonly Reading[] =>
  hasCodes && kind === 'text' && isRangeOfCodes(cell)
    ? readCondition(cell, 'number', isoStyle).flatMap(({ text }) => ({ text: asCodes(text, cell) ?? '', form: 'code' }))
    : [];

/** `01.05. - 30.09.2027` beside names of seasons: nobody can say for its author that it is the name of one. */
function withDays(texts: readonly Reading[], cell: string, column: CellColumn): readonly Reading[] {
  const { isTest, isStored, kind } = column;
  const mayBeDays = isTest && !isStored && kind === 'text' && texts.length > 0 && !/\p{L}/u.test(cell);
  return mayBeDays ? [...ordered(cell, column, 'date'), ...texts] : texts;
}

function truths(cell: string, column: CellColumn): readonly Reading[] {
  const truth = readTruth(cell);
  if (truth === undefined) return [];
  const own: Reading = { text: truth.text, form: 'truth' };
  return truth.isSure || column.isStored
    ? [own]
    : [own, ...readTexts(cell, column).filter(({ form }) => form === 'text')];
}

/** Of a list, what is in it, however it is written. */
function listed(readings: readonly Reading[], { kind, values }: CellColumn): readonly Reading[] {
  if (kind !== 'list') return readings;
  return readings.flatMap((reading): readonly Reading[] => {
    const plain = readPlain(reading.text);
    if (plain === undefined || plain.texts.length !== 1)
      return plain?.texts.every((text) => values.includes(text)) === true ? [reading] : [];
    const value = values.find((each) => each.toLowerCase() === plain.texts[0]?.toLowerCase());
    return value === undefined ? [] : [{ ...reading, text: reading.text.replace(/"[^"]*"/, () => zenText(value)) }];
  });
}

/** A cell that ZEN reads as it stands: is it of its column's kind, and can it hold? */
function readPlainCell(plain: PlainCell, cell: string, column: CellColumn): CellMeaning | undefined {
  if (plain.isInverted) return faultOf(cell, [], 'inverted');
  if (plain.isContradiction && column.isTest) return faultOf(cell, alternativesOf(cell), 'alternatives');
  const together = column.isTest ? readTogether(cell) : undefined;
  if (together !== undefined) return faultOf(cell, meantTogether(together), 'everything');
  // A range is what a condition has; as a result it would be a text that shows it.
  if (!column.isTest && /^[[(].*\.\./.test(cell)) return faultOf(cell, [], 'foreign');
  if (plain.ordersTexts && column.isTest) {
    const found = (['date', 'time'] as const).flatMap((kind) => readCondition(cell, kind, isoStyle));
    return faultOf(cell, unlike(cell, found), 'order');
  }
  const meant = bounded(cell, column);
  if (meant[0] !== cell) {
    const readings: Reading[] = meant.map((text) => ({ text, form: 'bound' }));
    return faultOf(cell, readings, 'bound');
  }
  // Programs write a day with the time that it begins at; no fact that has days is equal to it.
  const [, day] = midnight.exec(cell) ?? [];
  if (day !== undefined && column.isTest && column.kind === 'date')
    return faultOf(cell, [{ text: `${day}"`, form: 'date' }], 'date');
  const isThousands = column.hasCommas && plain.kind === 'number' && /\d\.\d{3}(?!\d)/.test(cell);
  if (isThousands) {
    const found = ordered(cell, column, 'number');
    const readings = found.filter(({ text }, at) => found.findIndex((other) => other.text === text) === at);
    if (readings.length > 1) return faultOf(cell, readings, 'number');
  }
  const share = column.hasHundredfold || column.isOfShares ? asShare(cell) : undefined;
  if (share !== undefined) return faultOf(cell, orAsItStands(share, cell, 'share'), 'share');
  const usual = column.capitals.size === 0 ? cell : inCapitals(cell, plain.texts, column.capitals);
  if (usual !== cell) return faultOf(cell, orAsItStands(usual, cell, 'capitals'), 'capitals');
  if (fits(plain, column) && !(column.kind === 'text' && moments.test(cell))) return undefined;
  const isCode = column.kind === 'number' && plain.texts.some(hasPadded);
  return faultOf(cell, unlike(cell, converted(plain, cell, column)), isCode ? 'code' : 'foreign');
}

const orAsItStands = (text: string, cell: string, form: 'share' | 'capitals'): readonly Reading[] =>
  [text, cell].map((each) => ({ text: each, form, question: form }));

const meantTogether = (texts: readonly string[]): readonly Reading[] =>
  texts.map((text) => ({ text, form: 'everything' }));

const midnight = /^("\d{4}-\d\d-\d\d)T00:00(?::00)?"$/;

/** `5 and 6` as `5, 6`, and `< 18 and > 65` as `< 18, > 65`: who joins what excludes each other means both. */
function alternativesOf(cell: string): readonly Reading[] {
  const joins = /"[^"]*"|'[^']*'| +and +/g;
  const text = cell.replace(joins, (found) => (found.startsWith(' ') ? ', ' : found));
  const signs = cell.replace(joins, (found) => (found.startsWith(' ') ? found : '')).split(/ +and +/);
  const areAlike = signs.every((part) => /[<>]/.test(part)) || !/[<>=[(]/.test(signs.join());
  return areAlike && readPlain(text)?.isContradiction === false ? [{ text, form: 'alternatives' }] : [];
}

const textual: ReadonlySet<unknown> = new Set(['text', 'date', 'dateTime', 'time']);

/** `d("2026-01-31")`: a day is as good a text as any, but not what makes a moment of it. */
const moments = /^(?:[<>=!]+ *)?(?:d|time)\(/;

function fits({ kind, texts }: PlainCell, column: CellColumn): boolean {
  if (texts.length > 0 && texts.every((text) => column.saidTexts.has(text))) return true;
  if (kind === undefined || column.kind === 'any') return true;
  if (column.kind === 'list') return textual.has(kind) && texts.every((text) => column.values.includes(text));
  if (column.kind === 'text') return textual.has(kind);
  return (
    kind === column.kind ||
    (column.kind === 'dateTime' && kind === 'date') ||
    (column.kind === 'date' && kind === 'dateTime')
  );
}

/** `"18"` as a number, and 5 as a text. */
function converted({ kind, texts }: PlainCell, cell: string, column: CellColumn): readonly Reading[] {
  if (column.kind === 'text' && kind !== 'mixed' && /^[-\w.]+$/.test(cell))
    return [{ text: zenText(cell), form: 'text' }];
  // Numbers among codes are those codes, unless they are compared by their order.
  if (column.kind === 'text' && kind === 'number' && !/[<>]|\.\./.test(cell))
    return [{ text: cell.replace(/-?[\d.]+/g, zenText), form: 'text' }];
  if ((column.kind === 'time' || column.kind === 'date') && kind === 'number')
    return ordered(cell, column, column.kind);
  const isTexts = textual.has(kind) && texts.length > 0;
  if (isTexts && isOrderedKind(column)) return ordered(cell.replace(/["']/g, ''), column, column.kind);
  if (isTexts && column.kind === 'boolean') return truths(texts[0] ?? '', { ...column, isStored: true });
  return column.kind === 'list' ? listed([{ text: cell, form: 'text' }], column) : [];
}

const isOrderedKind = (column: CellColumn): column is CellColumn & { readonly kind: 'number' | 'date' | 'time' } =>
  column.kind !== 'list' && column.kind !== 'any' && isOrdered(column.kind);
