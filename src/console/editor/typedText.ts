import { isEverything, isFormula, readMeaning, zenOf, zenText, type FormName } from '../../../workers/cells/index.js';
import { textOf } from '../graph/fields.js';
import { cellColumn, kindsOf, readingsOf } from './repairs.js';
import { withRowsAbove } from './rowsAbove.js';
import { withSpacedTyped } from './spacedFields.js';
import { cellText, type CellText, type Sheet } from './sheet.js';

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
  const word = cellText(sheet.rows[row], sheet.columns[index]).trim();
  if (sheet.isOfDocument) return textOfDocument(sheet, index, word, isName);
  if (sheet.list === 'statements') return isEverything(word) && !isName(word) ? '' : null;
  const formula = formulaOf(sheet, { row, column: index, text: word }, isName, spaced);
  if (formula !== null) return formula;
  const read = cellColumn(sheet, index);
  if (read === undefined) return null;
  // So a spreadsheet itself writes them.
  if (read.kind === 'boolean' && /^(?:TRUE|FALSE)$/i.test(word) && word !== word.toLowerCase())
    return word.toLowerCase();
  // The row is hardly begun: what its first word is alone in says nothing yet.
  const column = { ...read, rest: undefined };
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
  const others = new Set(
    sheet.rows.flatMap((other, at) => (at === row ? [] : cellText(other, sheet.columns[index]).trim())),
  );
  others.delete('');
  const faults = [...others].map((other) => [other, readMeaning(other, column)] as const);
  // A word that stands there bare may be a field, as this one may; what can be no name, and what nobody can read, says nothing of it.
  if (faults.some(([other, told]) => told !== undefined && told.readings.length > 0 && isNameOf(other))) return null;
  if (faults.some(([, told]) => told === undefined)) return text;
  // Of a column that has nothing yet: what is asked for is a text, unless somebody knows better; a result may be a field as well.
  return others.size === 0 && (column.isStored || sheet.columns[index]?.side === 'in' || !isNameOf(word)) ? text : null;
}

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

/** Cells that get other texts, each as typing it there would have it. */
export function typedTexts(
  sheet: Sheet,
  cells: readonly CellText[],
  isName: (word: string) => boolean,
  spaced: ReadonlyMap<string, string>,
): readonly CellText[] {
  const found = new Map<string, string>();
  return cells.map((cell) => {
    const { row, column: index, text } = cell;
    // What an expression reads of rows above depends on its own.
    const key = `${sheet.list === 'expressions' ? row : ''} ${index} ${text}`;
    const column = sheet.columns[index];
    if (!found.has(key) && column !== undefined) {
      // One alone: others that are written with it, as bare as it is, say nothing of it.
      const rows = sheet.rows.map((each, at) => (at === row ? { ...each, [column.id]: text } : each));
      found.set(key, typedText({ ...sheet, rows }, { row, column: index }, isName, spaced) ?? text);
    }
    return { ...cell, text: found.get(key) ?? text };
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
