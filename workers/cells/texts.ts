import type { CellColumn } from './columns.js';
import type { FormName } from './forms.js';
import {
  ands,
  closings,
  hasForeignQuotes,
  maybeEverything,
  ors,
  readComparison,
  readText,
  readTruth,
  type Operator,
} from './words.js';
import { zenText } from './literals.js';
import { isOfOrder, spelledBeside, type Beside } from './wordRanges.js';

interface TextReading {
  readonly text: string;
  readonly form: FormName;
}

/** What its column tells of a cell of words. */
type TextColumn = Pick<CellColumn, 'isTest' | 'words' | 'beside'>;

/** The texts that a cell of words may mean. */
export function readTexts(cell: string, { isTest, words, beside }: TextColumn): readonly TextReading[] {
  const whole = readText(cell);
  const own: readonly TextReading[] =
    whole === undefined ? [] : [{ text: whole, form: hasForeignQuotes(cell) ? 'quotes' : 'text' }];
  if (maybeEverything(cell)) return [...own, { text: '', form: 'nothing' }];
  const truth = readTruth(cell);
  if (truth !== undefined) return [...own, { text: truth.text, form: 'truth' }];
  if (!isTest) return own;
  const compared = readComparison(cell);
  const [operator] = compared?.operators ?? [];
  const part = operator === '!=' ? notOf(partsIn(compared?.rest ?? '')) : partsIn(cell);
  if (part !== undefined) return [{ text: part, form: 'comparison' }, ...own];
  // Words have no order that somebody else knows.
  if (orMore.test(cell)) return [];
  if (compared !== undefined && (operator === '!=' || operator === '==')) {
    const lists = listsOf(compared.rest, words, operator).map(({ texts }) => texts);
    const spelled = beside === undefined ? [] : lists.map((texts) => texts.map((text) => asBeside(text, beside)));
    const excluded = [...spelled, ...lists].map((texts): TextReading => {
      const [first = '', ...others] = texts;
      const all = texts.join(', ');
      return {
        text: operator === '==' ? all : others.length === 0 ? `!= ${first}` : `not in [${all}]`,
        form: 'exception',
      };
    });
    return [...excluded, ...own];
  }
  // Of what it takes any, the rest of the row may say.
  if (/^any \p{L}/iu.test(cell)) return [...own, { text: '', form: 'nothing' }];
  const lists = listsOf(cell, words).filter(({ texts }) => texts.length > 1);
  const [list] = lists;
  if (list === undefined) return own;
  // An exception among others takes all but one of them: `Gold, not Silver`.
  if (list.parts.some((part) => operatorOf(part) === '!=')) return [];
  const listed = lists.map(({ texts }): TextReading => ({ text: texts.join(', '), form: 'alternatives' }));
  return list.isSure ? listed : [...listed, ...own];
}

/** `"Sunday"` as `"Sun"`, where the column has days so. */
const asBeside = (text: string, beside: Beside): string => {
  const word = spelledBeside(text.slice(1, -1), beside);
  return word === undefined ? text : zenText(word);
};

const orMore = new RegExp(
  `^[\\p{L}\\p{N}][^,;/]* (?:${ors}|${ands}) (?:${closings}|better|worse|stronger|weaker|besser|schlechter)$`,
  'iu',
);

const notOf = (asked: string | undefined): string | undefined => asked && `not (${asked})`;

/** `61*, 62* or 6301`: each of them, where one is asked for a part of a text. */
function partsIn(cell: string): string | undefined {
  const whole = partOf(cell);
  if (whole !== undefined || !cell.includes('*')) return whole;
  const asked = cell.split(signsAmongWords).map((each) => {
    const text = each.includes('*') ? undefined : readText(each.trim());
    return partOf(each.trim()) ?? (text && `$ == ${text}`);
  });
  return asked.includes(undefined) ? undefined : asked.join(' or ');
}

/** `starts with B` and `Basic*`: what ZEN asks of a part of a text. */
function partOf(cell: string): string | undefined {
  const [, word = '', rest = ''] =
    /^(starts? with|begins? with|beginnt mit|ends? with|endet (?:mit|auf)|contains?|enthält) (.+)$/iu.exec(cell) ?? [];
  const star = /^([^*,;|/]*[\p{L}\d][^*,;|/]+)\*$/u.exec(cell)?.[1]?.trim();
  const text = readText(star ?? rest);
  if (text === undefined) return undefined;
  const name =
    star !== undefined || /^(?:star|beg)/i.test(word)
      ? 'startsWith'
      : /^e(?:nds?|ndet) /i.test(word)
        ? 'endsWith'
        : 'contains';
  return `${name}($, ${text})`;
}

/** Words below one another in a condition are as often several as one that is long. @param source with its lines */
export function readLines(source: string): readonly TextReading[] {
  const lines = source.split('\n').flatMap((line) => line.trim() || []);
  const texts = lines.flatMap((line) => readText(line) ?? []);
  return lines.length < 2 || texts.length < lines.length ? [] : [{ text: texts.join(', '), form: 'alternatives' }];
}

const signs = / ?[;,|/] ?/;
/** Among words a comma between digits is one of a number: `over 10,000 kg`. */
const signsAmongWords = / ?(?:[;|/]|(?<!\d),|,(?!\d)) ?| (?:or|oder|tai|eller|ou|and|und|och|et) /iu;

const signsBesideSlash = / ?(?:[;|]|(?<!\d),|,(?!\d)) ?| (?:or|oder|tai|eller|ou|and|und|och|et) /iu;

interface TextList {
  readonly parts: readonly string[];
  readonly texts: readonly string[];
  /** Its signs can be no part of a text. */
  readonly isSure: boolean;
}

/** The lists that a cell may be: in `EU/EEA, CH` the stroke is one between two, or of a name. */
function listsOf(cell: string, words: TextColumn['words'], operator?: Operator): readonly TextList[] {
  const hasNames = cell.includes('/') && signsBesideSlash.test(cell);
  const whole = hasNames ? listOf(cell, words, operator, signsBesideSlash) : undefined;
  return [listOf(cell, words, operator), whole].filter((list) => list !== undefined);
}

/** The texts that a list names. @param operator that stands before it, and may be said again of each */
function listOf(
  cell: string,
  words: TextColumn['words'],
  operator?: Operator | 'until',
  between = /\p{L}/u.test(cell) ? signsAmongWords : signs,
): TextList | undefined {
  const [, year, next] = academicYear.exec(cell) ?? [];
  if (next !== undefined && Number(next) === (Number(year) + 1) % 100) return undefined;
  // `Wed & Fri`, and not `Marks & Spencer`.
  const isListed = cell.includes(',') || cell.split(' & ').every(isOfOrder);
  const parts = (isListed ? cell.replaceAll(' & ', ', ') : cell)
    .split(between)
    .map((part) => part.trim().replace(/^or /i, ''))
    .map((part) =>
      operator !== undefined && operatorOf(part) === operator ? (readComparison(part)?.rest ?? '') : part,
    );
  const texts = parts.map(readText);
  if (texts.some((text) => text === undefined) || parts.some(isTorn)) return undefined;
  const isSure =
    !/[;/]| (?:or|oder|tai|eller|ou|and|und|och|et) /iu.test(cell) &&
    (!cell.includes(',') || parts.every((part) => isCode(part) || words.has(part)));
  return { parts, texts: texts as string[], isSure: isSure || /["“„«]/.test(cell) };
}

/** `2026/27` is one year. */
const academicYear = /^((?:19|20)\d\d) ?\/ ?(\d\d)$/;

const operatorOf = (part: string): Operator | 'until' | undefined => readComparison(part)?.operators[0];

/** `RUSSELL CO (RM` is half of a name. */
const isTorn = (part: string): boolean => /\([^)]*$|^[^(]*\)/.test(part);

/** `DE, FR` is a list. `Austin, TX` and `Hall, heated` may be names as well, where no other cell has each part alone. */
const isCode = (part: string): boolean => /^(?=.*\p{L})[\p{Lu}\p{N}]{1,3}$/u.test(part);
