import type * as Cells from '../../../workers/cells/pages.js';
import { jsonOr, shortJson } from '../api/exactJson.js';
import { isExact, isObject, membersOf, textOf } from '../graph/fields.js';
import type { Field, Kind } from './fields.js';

/** Names and numbers that lead from a fact to a value in it. */
export type Path = readonly (string | number)[];

export const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && isExact(value));

/** `items[0].price`: what its control is called. */
export const nameOf = (path: Path): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? step : `${name}.${step}`;
  }, '');

/**
 * The value with another one at a place; undefined takes it away, and objects on the way that hold nothing else. What
 * stands in the way (a text where members are to be) is replaced.
 */
export function withValue(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...others] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const item = withValue(list[step], others, next);
    // A row keeps its place while it is empty.
    if (item === undefined && others.length === 0) return list.filter((_, index) => index !== step);
    return [...list.slice(0, step), item ?? {}, ...list.slice(step + 1)];
  }
  const members = membersOf(value);
  const member = withValue(members[step], others, next);
  const isEmpty = others.length > 0 && isObject(member) && Object.keys(member).length === 0;
  if (member !== undefined && !isEmpty) return { ...members, [step]: member };
  return Object.fromEntries(Object.entries(members).filter(([name]) => name !== step));
}

/**
 * What a person typed, as a value of that kind; undefined for nothing, and the text itself where it does not fit.
 *
 * @param unit what numbers of its field are of
 */
export function typedValue(kind: Kind, text: string, unit?: string): unknown {
  if (text === '') return undefined;
  if (kind === 'text' || kind === 'date') return text;
  if (kind === 'time') return isoTime.test(text) ? text : sureOf(timesOf(text), text);
  const value = jsonOr(text, text);
  if (kind === 'any' || isNumber(value)) return value;
  const { readings, isOther } = meantBy(text, unit);
  return isOther ? text : sureOf(readings, text);
}

/** The one reading of a text; the text itself where there are none or several. */
const sureOf = ([reading, ...others]: readonly string[], text: string): unknown =>
  reading === undefined || others.length > 0 ? text : jsonOr(reading, text);

/** A value as its control shows it. */
export function shownValue(kind: Kind, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  // Where it could be anything, a text that would be read as something else stands in quotes.
  return kind === 'any' && typedValue('any', value) !== value ? JSON.stringify(value) : value;
}

export const isoDate = /^\d{4}-\d{2}-\d{2}$/;
const isoTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[-+]\d{2}:\d{2})?$/;

/** What reads cells of tables. A page that is only looked at does not load it. */
let cells: typeof Cells | null = null;

/** From then on a number is read as one in a cell of a table is. */
export async function readAsCells(): Promise<typeof Cells> {
  return (cells ??= await import('../../../workers/cells/pages.js'));
}

/** The times that `5pm` and `17.00` may mean, as texts in quotes. */
function timesOf(text: string): readonly string[] {
  const { readings = [] } = cells?.readCell(text, cells.columnOf({ _kind: 'time' }, false, [])) ?? {};
  return readings.filter((reading) => isoTime.test(textOf(jsonOr(reading, null))));
}

interface Meant {
  /** The numbers that a text may mean, written as such. */
  readonly readings: readonly string[];
  /** It names a unit or a currency that its field has not. */
  readonly isOther: boolean;
}

function meantBy(text: string, unit: string | undefined): Meant {
  const column = cells?.columnOf({ _kind: 'number', _unit: unit }, false, []);
  const { readings = [], form, question } = (column && cells?.readCell(text, column)) ?? {};
  const isMarked = form === 'unit' || form === 'currency';
  return {
    readings: readings.filter((reading) => isNumber(jsonOr(reading, null))),
    isOther: isMarked && (unit === undefined || question === 'converted' || readings.length === 0),
  };
}

/** Why a value does not fit its control; null where it does. @param unit what numbers of its field are of */
export function misfit(kind: Kind, isWhole: boolean, value: unknown, unit?: string): string | null {
  if (value === undefined || value === null) return null;
  if (kind === 'number') {
    if (!isNumber(value)) return notNumber(meantBy(textOf(value), unit), unit);
    return isWhole && !Number.isInteger(Number(JSON.stringify(value))) ? 'This is no whole number.' : null;
  }
  if (kind === 'date' && typeof value === 'string' && !isoDate.test(value))
    return 'This is no date, such as 2026-01-31.';
  if (kind === 'time' && typeof value === 'string' && !isoTime.test(value)) return 'This is no time, such as 17:30.';
  const isText = kind === 'text' || kind === 'date' || kind === 'time';
  if (isText && typeof value !== 'string') return 'This is no text.';
  return null;
}

function notNumber({ readings, isOther }: Meant, unit: string | undefined): string {
  const such = `such as ${readings[0] ?? '1200.5'}.`;
  if (isOther)
    return unit === undefined ? `This is a number without a unit, ${such}` : `This is a number in ${unit}, ${such}`;
  return readings.length > 1
    ? `Is this ${readings.join(' or ')}? Write the one that is meant.`
    : `This is no number, ${such}`;
}

/** The values in a fact that do not fit their controls, as those show them. */
export function misfitsIn(field: Field, value: unknown): readonly string[] {
  const { kind, isWhole, fields, item, choices } = field;
  if (kind === 'object') {
    const members = membersOf(value);
    return [...fields].flatMap(([name, member]) => misfitsIn(member, members[name]));
  }
  if (kind === 'list')
    return item !== null && Array.isArray(value) ? value.flatMap((each: unknown) => misfitsIn(item, each)) : [];
  if (value === undefined || value === null) return [];
  const offered = kind === 'truth' ? [true, false] : choices;
  const isStrange = offered.length > 0 && !offered.some((choice) => shortJson(choice) === shortJson(value));
  return isStrange || misfit(kind, isWhole, value) !== null ? [shownValue(kind, value)] : [];
}

/** `5.000`, which JSON takes for five, and half of the world for five thousand. */
const groupedByPoint = /^-?[1-9]\d{0,2}\.\d{3}$/;
/** A number as people write it, which is none in JSON: `5,000`, `€ 500`, `7 %`; `00042` is a code. */
const amount = /^(?!0\d)[-+]?(?:[$€£¥] ?)?\d[\d.,'’ \u00a0]*(?: ?[$€£¥%])?$/u;

/**
 * What a value is taken for, where the person who typed it may mean something else; null where there is no doubt.
 *
 * @param isTyped a person has just written it so; a program writes a point before decimals alone
 * @param unit what numbers of its field are of
 */
export function doubt(
  { kind, mayBeText }: Pick<Field, 'kind' | 'mayBeText'>,
  value: unknown,
  isTyped: boolean,
  unit?: string,
): string | null {
  if (kind !== 'number' && kind !== 'any') return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isTyped && unit === '%' && isNumber(value) && Number(text) > 1)
    return `Taken for ${text}, which is more than 100 %. For a share write ${text} %.`;
  // In quotes `00007` and `7` are texts alike; without them one of the two is a number, which no text equals.
  if (mayBeText && isNumber(value)) return `Sent as a number. For a text write it in quotes: "${text}".`;
  if (isTyped && isNumber(value) && groupedByPoint.test(text))
    return `Taken for ${Number(text)}. For ${text.replace('.', '')} leave out the point.`;
  // Who writes a plain number in quotes means a text.
  const isMeant = mayBeText && isNumber(jsonOr(text, null));
  return kind === 'any' && typeof value === 'string' && amount.test(text) && !isMeant
    ? 'Taken for a text. A number is written as 1200.5.'
    : null;
}
