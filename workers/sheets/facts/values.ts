import { LongNumber, formatJson, parseExactly } from '../../json/index.js';
import { shownSource } from '../files/grid.js';
import { pathText, type Step } from './paths.js';

/** A value as a cell's source: JSON, but for texts that are nothing else as they stand. */
function sourceOfValue(value: unknown): string {
  if (typeof value !== 'string') return formatJson(value);
  return value !== '' && value === value.trim() && isLiteral(value) === undefined ? value : JSON.stringify(value);
}

/** A text in quotes, also where it is one without them. */
export const quotedSource = (source: string): string =>
  isLiteral(source.trim()) === undefined ? JSON.stringify(source) : source;

/** What a cell's source says: JSON as such, booleans in any case, everything else as a text. */
export function valueOfSource(source: string): unknown {
  const literal = isLiteral(source.trim());
  return literal === undefined ? source : literal.value;
}

/** What a cell shows of a name: a text without the quotes that keep it from being a number, all else as it is written. */
export function shownText(source: string): string {
  const value = source.startsWith('"') ? valueOfSource(source) : source;
  return typeof value === 'string' ? value : source;
}

/** The source that shows this text. */
export const sourceOfShown = (text: string): string => (shownText(text) === text ? text : JSON.stringify(text));

function isLiteral(text: string): { readonly value: unknown } | undefined {
  // What can begin JSON; most texts do not.
  if (!/^(?:["[{]|-?\d|(?:true|false)$|null$)/i.test(text)) return undefined;
  try {
    // Excel writes `true` as TRUE.
    return { value: parseExactly(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text) };
  } catch {
    return undefined;
  }
}

/** The fields of a value by their paths, each with its source. A list that is no list of objects is one cell. */
export function flatten(value: unknown, steps: readonly Step[], into: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && !(value instanceof LongNumber)) {
    const entries: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    const isSpread = Array.isArray(value) ? value.length <= mostItems && value.every(isFilled) : fits(value, steps);
    if (entries.length > 0 && isSpread && steps.length < mostSteps) {
      for (const [step, item] of entries) flatten(item, [...steps, step], into);
      return;
    }
  }
  into.set(pathText(steps), sourceOfValue(value));
}

/** Longer lists, what is deeper, and what has longer paths, are JSON in one cell. */
const mostItems = 20;
const mostSteps = 20;
const longestPath = 255;

/** Whether the paths of an object's fields are not too long: a long name stands in the path of each field below it. */
function fits(value: object, steps: readonly Step[]): boolean {
  const room = longestPath - steps.reduce<number>((sum, step) => sum + String(step).length, 0);
  return Object.keys(value).every((name) => name.length <= room);
}

const isFilled = (item: unknown): boolean =>
  typeof item === 'object' &&
  item !== null &&
  !Array.isArray(item) &&
  Object.keys(item).length > 0 &&
  !(item instanceof LongNumber);

export const shownOf = (source: string | undefined): string | undefined =>
  source === undefined ? undefined : shownSource(source);
