import {
  isEverything,
  isFormula,
  readMeaning,
  readPlain,
  zenOf,
  zenText,
  type CellColumn,
  type FormName,
} from '../../../workers/cells/index.js';
import { rowsOf, textOf } from '../graph/fields.js';
import { cellColumn, kindsOf } from './readColumn.js';
import { readingsOf } from './repairs.js';
import { withRowsAbove } from './rowsAbove.js';
import { withSpacedTyped } from './spacedFields.js';
import { cellText, withCells, type CellText, type Sheet } from './sheet.js';

/** Forms of what has an order: each says itself that no other value is meant. */
const sure = new Set<FormName>(['range', 'comparison', 'number', 'percent', 'currency', 'unit', 'date', 'time']);

/**
 * What somebody has written into a cell, as it is meant where it has one meaning: a word in a column that holds texts alone as the
 * text that it is, `18-64` and `€ 20,00` among numbers, a day among days, `TRUE` among booleans, a formula of a spreadsheet, `otherwise`
 * in a switch; null where it may be anything else, such as a field.
 * @param spaced the fields with blanks in their names, as `spacedOf` has them
 */
export function typedText(
  sheet: Sheet,
  { row, column: index }: Omit<CellText, 'text'>,
  isName: (word: string) => boolean,
  spaced: ReadonlyMap<string, string> = new Map(),
): string | null {
  const column = cellColumn(sheet, index);
  const others = (): readonly string[] => column?.texts.filter((_text, at) => at !== row) ?? [];
  const into: Into = { column, evidence: () => (column === undefined ? 'names' : evidenceOf(column, others())) };
  return textInto(sheet, { row, column: index, text: cellText(sheet.rows[row], sheet.columns[index]) }, into, {
    isName,
    spaced,
  });
}

/** What words name. */
export interface Named {
  readonly isName: (word: string) => boolean;
  /** The fields with blanks in their names, as `spacedOf` has them. */
  readonly spaced: ReadonlyMap<string, string>;
}

/** A column as what is written into it is read. */
interface Into {
  readonly column: CellColumn | undefined;
  readonly evidence: () => Evidence;
}

type Evidence = 'texts' | 'names' | 'nothing';

/** @param sheet with the text in its cell */
function textInto(
  sheet: Sheet,
  { row, column: index, text: written }: CellText,
  { column: read, evidence }: Into,
  { isName, spaced }: Named,
): string | null {
  const word = written.trim();
  if (sheet.isOfDocument) return textOfDocument(sheet, index, word, isName);
  if (sheet.list === 'statements') return isEverything(word) && !isName(word) ? '' : null;
  const formula = formulaOf(sheet, { row, column: index, text: word }, isName, spaced);
  if (formula !== null) return formula;
  if (read === undefined) return null;
  // So a spreadsheet itself writes them.
  if (read.kind === 'boolean' && /^(?:TRUE|FALSE)$/i.test(word) && word !== word.toLowerCase())
    return word.toLowerCase();
  // The row is hardly begun: what its first word is alone in says nothing yet.
  // Whether days in an order are first or last ones is asked of all of them.
  const column = { ...read, rest: undefined, bounds: read.bounds.length > 1 ? [] : read.bounds };
  const fault = readMeaning(word, column);
  const [text, ...more] = fault?.readings ?? [];
  // A dash, or a word for all the rest.
  if (fault?.form === 'nothing' && more.length === 0 && sheet.columns[index]?.side === 'in')
    return isName(word) ? null : (text ?? null);
  const hasOrder = ['number', 'date', 'dateTime', 'time'].includes(column.kind);
  if (fault?.isPlain === false && sure.has(fault.form) && hasOrder && more.length === 0) return text ?? null;
  if ((column.kind !== 'text' && column.kind !== 'list') || !/^\p{N}*-?\p{L}/u.test(word)) return null;
  if (fault?.isPlain !== false || text !== zenText(word) || more.length > 0) return null;
  if (isName(word) || sheet.columns.some(({ field }) => field.split('.')[0] === word)) return null;
  const told = evidence();
  if (told !== 'nothing') return told === 'texts' ? text : null;
  // What is asked for is a text, unless somebody knows better; a result may be a field as well.
  return column.isStored || sheet.columns[index]?.side === 'in' || !isNameOf(word) ? text : null;
}

/** What the other cells of a column tell of a word: that it is a text, that it may be a field, or nothing yet. */
function evidenceOf(read: CellColumn, cells: readonly string[]): Evidence {
  const column = { ...read, rest: undefined };
  const others = new Set(cells.map((cell) => cell.trim()));
  others.delete('');
  const faults = [...others].map((other) => [other, readMeaning(other, column)] as const);
  // A word that stands there bare may be a field, as this one may; what can be no name, and what nobody can read, says nothing of it.
  if (faults.some(([other, told]) => told !== undefined && told.readings.length > 0 && !isPhrase(other)))
    return 'names';
  if (faults.some(([, told]) => told === undefined)) return 'texts';
  return others.size === 0 ? 'nothing' : 'names';
}

/** Words that together can be no name, and compute nothing. */
const isPhrase = (cell: string): boolean => /^[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+)*$/u.test(cell) && !isNameOf(cell);

const isNameOf = (cell: string): boolean => /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(cell);

/** As what a text was taken, in words. */
export function takenAs(text: string): string {
  if (text === '') return 'Taken as an empty cell, which takes everything.';
  if (isTypedWord(text)) return `Taken as the text ${text}. Undo, if it names a field.`;
  return `Taken as ${dayOrTime.test(text) ? 'the day ' : ''}${text}.`;
}

const dayOrTime = /^"\d[\d:T.Z+-]*"$/;

/** A word may name a field that nobody knows: to take it as a text is a step of its own, which can be undone. */
export const isTypedWord = (text: string): boolean => /^"[^"]*"$/.test(text) && !dayOrTime.test(text);

/** A formula as ZEN has it: it stands behind its sign, or names fields with blanks in their names, and ZEN reads neither. */
function formulaOf(
  sheet: Sheet,
  { row, column, text: word }: CellText,
  isName: (word: string) => boolean,
  spaced: ReadonlyMap<string, string>,
): string | null {
  const { side, language } = sheet.columns[column] ?? {};
  if (side !== 'out' || language !== 'expression') return null;
  // Words in a table are texts as often, and a field may be called as ZEN compares: `day in month`.
  if (!isFormula(word) && (sheet.list === 'rules' || /\s(?:and|or|in|not)\s/.test(word))) return null;
  const named = withSpacedTyped(sheet, row, word, spaced);
  if (sheet.list === 'rules') {
    const [text, ...more] = named === undefined ? readingsOf(sheet, { row, index: column, told: [] }) : [named];
    return more.length === 0 ? (text ?? null) : null;
  }
  const text = named ?? zenOf(word);
  // What comes into the node under the name of a row above is meant as well as that row.
  const given = sheet.rows.map(({ key }) => textOf(key).split('.')[0] ?? '').filter(isName);
  return text === null ? null : withRowsAbove(sheet.content, row, text, new Set(given));
}

/** Different texts that are read while somebody waits, a tenth of a millisecond each: where there are more, all stay to be asked. */
const mostRead = 20_000;

/**
 * Cells that get other texts, each as typing it there would have it. A column is read once, by the cells that it has: those that are
 * written together are as bare as one another, so that they say nothing of what kind it is. What they tell of how numbers are written
 * in it, such as decimal commas and units, counts for each of them.
 */
export function typedTexts(sheet: Sheet, cells: readonly CellText[], named: Named): readonly CellText[] {
  const intos = new Map<number, Into>();
  const different = new Set<string>();
  // Each column is read before any of them is with its new cells: the one that was read last is remembered.
  for (const { column: index, text } of cells) {
    // What is plain already is what it is: most of what a table gets has nothing else.
    if (sheet.list === 'rules' && readPlain(text.trim()) !== undefined) continue;
    different.add(`${index} ${text}`);
    if (intos.has(index)) continue;
    const column = cellColumn(sheet, index);
    let told: Evidence | undefined;
    const evidence = (): Evidence => (told ??= column === undefined ? 'names' : evidenceOf(column, column.texts));
    intos.set(index, { column, evidence });
  }
  if (intos.size === 0 || different.size > mostRead) return cells;
  const content = withCells(sheet, cells);
  const written = { ...sheet, content, rows: rowsOf(content, sheet.list) };
  for (const [index, { column: before, ...into }] of intos) {
    const now = cellColumn(written, index);
    if (now === undefined || before === undefined || before.kind === 'any') intos.set(index, { ...into, column: now });
    else {
      const { kind, values, hasSeconds, isStored } = before;
      intos.set(index, { ...into, column: { ...now, kind, values, hasSeconds, isStored } });
    }
  }
  const found = new Map<string, string>();
  return cells.map((cell) => {
    const { row, column: index, text } = cell;
    const into = intos.get(index);
    if (into === undefined || sheet.columns[index] === undefined) return cell;
    // What an expression reads of rows above depends on its own.
    const key = `${sheet.list === 'expressions' ? row : ''} ${index} ${text}`;
    const meant = found.get(key) ?? textInto(written, cell, into, named) ?? text;
    found.set(key, meant);
    return { ...cell, text: meant };
  });
}

/** The same in a table of DMN, whose columns have the types that were declared for them. */
function textOfDocument(sheet: Sheet, index: number, word: string, isName: (word: string) => boolean): string | null {
  const isText = /^(?:text|list)$/.test(kindsOf(sheet)[index] ?? '');
  const isNamed = isName(word) || sheet.columns.some(({ field }) => field === word);
  return isText &&
    /^(?!not |(?:true|false|null|not)$)\p{L}[\p{L}\p{N} _-]*$/u.test(word) &&
    !isNamed &&
    !isEverything(word)
    ? JSON.stringify(word)
    : null;
}
