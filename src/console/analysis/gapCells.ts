import { isObject, membersOf, rowsOf, textOf, valueAt, type Fields } from '../graph/fields.js';
import { quoted } from '../replays/expressionOf.js';
import { path, text, toldOf, value, withoutClock } from './zenTold.js';

/** The cells of a row that takes a gap, by the fields of their columns; those that it leaves out take anything. */
export interface GapCells {
  readonly cells: ReadonlyMap<string, string>;
  /** Whether the row takes all of the gap, and not its example alone. */
  readonly isAll: boolean;
}

/**
 * A row for a gap that takes nothing of another one: what the message says, or the example where cells cannot say that. Null
 * where they can say neither.
 * @param input that shows the gap
 */
export function gapCells(message: string, input: unknown, content: unknown): GapCells | null {
  const all = cellsOfGap(message, content);
  if (all !== null) return { cells: all, isAll: true };
  const example = cellsOfExample(message, input, content);
  return example === null ? null : { cells: example, isAll: false };
}

const columnsOf = (content: unknown): readonly Fields[] => rowsOf(content, 'inputs');
const isFeel = (content: unknown): boolean => membersOf(content)['language'] === 'feel';

const feelValue = String.raw`(?:(?:date and time|date|time|duration)\("[^"]*"\)|"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:e[+-]?\d+)?|true|false|null)`;
const zenValue = `(?:${value}|true|false|null)`;

/**
 * What a message says of a gap, as a cell of each field's column: `> 5`, `[18..24]`, `"Car"`. Null where it says more than cells
 * can, names a field that has no column, or is not sure how far the gap goes.
 */
export function cellsOfGap(reported: string, content: unknown): ReadonlyMap<string, string> | null {
  const feel = isFeel(content);
  const { message, clocks } = feel ? { message: reported, clocks: new Set<string>() } : withoutClock(reported);
  const fields = columnsOf(content).map((column) => textOf(column['field']));
  // Names of DMN have blanks, so that it is the table that tells where they end.
  const field = feel ? namesIn(fields) : path;
  const condition = feel ? toldOf(feelValue) : toldOf(zenValue);
  const one = `(?:${field}) (?:${condition})`;
  const part = String.raw`(?:${one}|\(${one}(?: or ${one})+\))`;
  if (field === '' || !new RegExp(`^No r(?:ow|ule) takes ${part}(?: and ${part})*$`, 'u').test(message)) return null;
  const said = new Map<string, string[]>();
  for (const [, name = '', told = ''] of message.matchAll(new RegExp(`(${field}) (${condition})`, 'gu')))
    said.set(name, [...(said.get(name) ?? []), told]);
  if ([...said.keys()].some((name) => !fields.includes(name))) return null;
  const cells = [...said].map(([name, told]) => {
    // What is none of some texts is a text: a cell that excludes them takes all else as well.
    if (told.length > mostChoices) return [name, null] as const;
    if (clocks.has(name)) return [name, clockCellOf(told)] as const;
    const isSure = !told.some((each) => /^(?:!=|not in) /.test(each)) || (told.length === 1 && hasTexts(name, content));
    return [name, isSure ? (feel ? feelCellOf : zenCellOf)(told) : null] as const;
  });
  return cells.every((each): each is readonly [string, string] => each[1] !== null) ? new Map(cells) : null;
}

/** Times are compared as `time($)`, in a range with each of its ends. */
function clockCellOf(told: readonly string[]): string | null {
  if (told.some((each) => !each.includes('d(') || /^(?:not )?in \[[^.]*\]$/.test(each))) return null;
  const compared = (condition: string): string =>
    condition
      .split(' and ')
      .map((part) => `time($) ${part.replace(/d\('([^']*)'\)/, 'time("$1")')}`)
      .join(' and ');
  return told.map((each) => compared(conditionOf(each))).join(' or ');
}

/** A cell of more than these nobody reads. */
const mostChoices = 12;

const namesIn = (fields: readonly string[]): string =>
  fields
    .map((field) => field.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .sort((one, other) => other.length - one.length)
    .join('|');

/** What a field may be, any of them: one alone as a cell is written, else as conditions. */
function zenCellOf(told: readonly string[]): string | null {
  const written = told.map((each) => each.replace(/'([^']*)'/g, (_, inner: string) => JSON.stringify(inner)));
  if (written.length === 1) return plainCellOf(written.join(''));
  const ordered = written.filter((each) => isOrdered.test(each));
  // A comparison of order fails for a value of another kind, and what stands after it is not asked.
  if (new Set(ordered.map((each) => each.includes('d('))).size > 1) return null;
  return [...written.filter((each) => !isOrdered.test(each)), ...ordered].map(conditionOf).join(' or ');
}

const isOrdered = /^[<>]|\.\./;
const zenRange = new RegExp(String.raw`^in ([[(])(${value})\.\.(${value})([\])])$`, 'u');

function conditionOf(told: string): string {
  const [, opening, low = '', high = '', closing] = zenRange.exec(told) ?? [];
  if (opening === undefined) return told.replace(/^= /, '== ');
  return `${opening === '[' ? '>=' : '>'} ${low} and ${closing === ']' ? '<=' : '<'} ${high}`;
}

const plainCellOf = (told: string): string =>
  told.replace(/^= |^in (?=[[(].*\.\.[^,]*[\])]$)/, '').replace(/^in \[(.*)\]$/, '$1');

/** FEEL has lists of what a cell takes. */
const feelCellOf = (told: readonly string[]): string =>
  told
    .map((each) => plainCellOf(each.replace(/^!= (.*)$/, 'not($1)').replace(/^not in \[(.*)\]$/, 'not($1)')))
    .join(', ');

/** Whether the cells of a field's columns name texts, and no values of another kind. */
const hasTexts = (field: string, content: unknown): boolean =>
  columnsOf(content)
    .filter((column) => column['field'] === field)
    .every((column) =>
      rowsOf(content, 'rules').every(
        (rule) =>
          !/\d|\b(?:true|false|null|d|date|time|duration)\b/.test(
            textOf(rule[textOf(column['id'])]).replaceAll(new RegExp(text, 'gu'), ''),
          ),
      ),
    );

const steps = new RegExp(String.raw`\[(${text})\]|[\p{L}\p{N}_]+`, 'gu');
const plainNames = /^[\p{L}_][\p{L}\p{N}_ .]*$/u;

/** The names that lead to a column's value; undefined where it is computed. */
function pathOf(field: string, feel: boolean): readonly string[] | undefined {
  if (feel) return plainNames.test(field) ? field.split('.').map((name) => name.trim()) : undefined;
  if (!new RegExp(`^${path}$`, 'u').test(field)) return undefined;
  const names = field.replace(/^\$root/, '').matchAll(steps);
  return [...names].map(([name, key]) => (key === undefined ? name : (JSON.parse(key) as string)));
}

/** Cells that take one input; null where some column has none for its value. */
function cellsOfExample(message: string, input: unknown, content: unknown): ReadonlyMap<string, string> | null {
  const cells = new Map<string, string>();
  const feel = isFeel(content);
  for (const column of columnsOf(content)) {
    const field = textOf(column['field']);
    const steps = pathOf(field, feel);
    if (steps === undefined) return null;
    const found = valueAt(input, steps);
    // What is not given, and not spoken of, may be anything.
    if (found === undefined && !message.includes(field)) continue;
    const cell = exampleCell(found ?? null, column, content);
    if (cell === null) return null;
    cells.set(field, cell);
  }
  return cells.size === 0 ? null : cells;
}

/** What the analysis calls a text that no cell names: it shows that there are such, and is none of the author's. */
const invented = /^other_*$/;

function exampleCell(value: unknown, column: Fields, content: unknown): string | null {
  if (isObject(value) || Array.isArray(value)) return null;
  if (typeof value !== 'string') return JSON.stringify(value);
  const own = rowsOf(content, 'rules').map((rule) => textOf(rule[textOf(column['id'])]));
  if (invented.test(value) && !own.some((cell) => cell.includes(`"${value}"`) || cell.includes(`'${value}'`)))
    return null;
  if (!isFeel(content)) return quoted(value);
  const call = madeOfTexts.find(([type]) => type.test(textOf(column['type'])))?.[1];
  return call === undefined ? JSON.stringify(value) : `${call}(${JSON.stringify(value)})`;
}

/** What facts have as texts and FEEL compares as something else, by the types of `dmn/tables.ts`: a text would never match. */
const madeOfTexts: readonly (readonly [feelType: RegExp, call: string])[] = [
  [/^date$/, 'date'],
  [/^time$/, 'time'],
  [/^dateTime$/, 'date and time'],
  [/duration$/i, 'duration'],
];
