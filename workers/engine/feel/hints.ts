import { hintOf, readCell, type CellColumn } from '../../cells/index.js';
import type { Kind } from './values/value.js';

// What to write in place of what is no FEEL, or of what its author cannot mean.

/** A cell of a table, and what is known of its column. */
export interface Cell {
  readonly kind: Kind | undefined;
  /** Texts that are allowed in the column; empty where any is. */
  readonly values: readonly string[];
  readonly isTest: boolean;
}

/** Kinds of columns as the reader of cells knows them. */
const columns: Partial<Record<Kind, CellColumn['kind']>> = {
  number: 'number',
  string: 'text',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  'date and time': 'dateTime',
};

/** How values of a kind are written, in tests and alone. */
const examples: Partial<Record<Kind, readonly [test: string, value: string]>> = {
  number: ['5, > 5 or [5..10]', '5'],
  string: ['"gold" or "gold", "silver"', '"gold"'],
  boolean: ['true or false', 'true or false'],
  date: ['>= date("2026-01-31")', 'date("2026-01-31")'],
  time: ['>= time("18:00:00")', 'time("18:00:00")'],
  'date and time': ['>= date and time("2026-01-31T18:00:00")', 'date and time("2026-01-31T18:00:00")'],
  'days and time duration': ['>= duration("P30D")', 'duration("P30D")'],
  'years and months duration': ['>= duration("P1Y6M")', 'duration("P1Y6M")'],
};

/** Signs and words of other languages, and what FEEL has for them. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/[$#]\{([^{}]*)\}/g, '$1'],
  [/(^|[^\p{L}\p{N}_"'])'([^'"]*)'/gu, '$1"$2"'],
  [/[“”„‟«»″]/g, '"'],
  [/&&/g, ' and '],
  [/\|\|/g, ' or '],
  [/==/g, '='],
  [/<>/g, '!='],
  [/=>|≥/g, '>='],
  [/=<|≤/g, '<='],
  [/≠/g, '!='],
];
const words = /\b(?:TRUE|FALSE|True|False|NULL|AND|OR)\b/g;
const literals = /"(?:[^"\\]|\\.)*"/g;
const longest = 200;

/** Replaces in what stands outside of texts. */
const outside = (source: string, change: (part: string) => string): string => {
  if (!source.includes('"')) return change(source);
  const texts = source.match(literals) ?? [];
  return source
    .split(literals)
    .map((part, index) => change(part) + (texts[index] ?? ''))
    .join('');
};

/** With the signs of FEEL; blanks that it leaves are one, but for those of texts. */
function translated(source: string): string {
  const signs = foreign.reduce((text, [sign, own]) => outside(text, (part) => part.replace(sign, own)), source);
  const own = outside(signs, (part) => part.replace(words, (word) => word.toLowerCase()));
  return own === source ? source.trim() : outside(own, (part) => part.replace(/ {2,}/g, ' ')).trim();
}

/** What to do about a fault. */
export interface Advice {
  readonly hint: string;
  /** What can stand in place of the whole expression, where it has one reading. */
  readonly repair?: string;
  /** What can stand there, where it has several readings. */
  readonly readings?: readonly string[];
}

/**
 * What to do about a fault in an expression.
 * @param cell the expression is one of a table
 * @param otherwise where nothing can be read from it
 */
export function adviceFor(source: string, cell: Cell | undefined, otherwise: Advice): Advice {
  if (source.length > longest) return otherwise;
  const own = source === '' ? '' : translated(source);
  const calculated = cell?.isTest === true ? own : calculatedIn(own);
  if (calculated !== own) return written(calculated);
  const isForeign = own !== source.trim();
  if (isForeign && (cell === undefined || isOfJuel.test(source))) return written(own);
  const meant = cell && meantIn(source.trim(), own, cell);
  return meant ?? (isForeign ? written(own) : otherwise);
}

const comma = /(\d),(?=\d)/g;
const choice = /\b(?:IF|WENN|SI)\s*\(((?:"[^"]*"|[^();"])*);((?:"[^"]*"|[^();"])*);((?:"[^"]*"|[^();"])*)\)/gi;

/** A calculation with the signs of spreadsheets: commas in numbers, semicolons between arguments, and `IF` as a function. */
function calculatedIn(source: string): string {
  const bare = source.replace(literals, '""');
  const hasArguments = /[\p{L}\d]\s*\([^()]*;/u.test(bare);
  const isCalculation = /[\p{L})]\s*[-+*]|[-+*/]\s*[\p{L}(]|\*|\bthen\b/u.test(bare);
  // Within brackets a comma may tell arguments apart.
  if (!hasArguments && (!isCalculation || /[([{]/.test(bare))) return source;
  let text = outside(source, (part) => part.replace(comma, '$1.'));
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(choice, 'if $1 then $2 else $3');
  }
  return outside(text, (part) => part.replaceAll(/\s*;\s*/g, ', '));
}

const written = (repair: string): Advice => ({ hint: `Write ${repair}.`, repair });

const isOfJuel = /[$#]\{/;

/** How to write a cell of a column of that kind, which a cell of another kind may stand in. */
export function exampleOf({ kind, values, isTest }: Cell): string | undefined {
  if (values.length > 0) return `Write one of ${values.slice(0, mostValues).map(quoted).join(', ')}.`;
  const example = kind === undefined ? undefined : examples[kind]?.[isTest ? 0 : 1];
  return example === undefined ? undefined : `Write it as ${example}.`;
}

const mostValues = 12;
const quoted = (text: string): string => JSON.stringify(text.slice(0, longest));

function meantIn(source: string, own: string, cell: Cell): Advice | undefined {
  const { kind, values, isTest } = cell;
  const column: CellColumn = {
    ...{
      isTest,
      values,
      isStored: kind !== undefined,
      hasCommas: false,
      hasUnits: false,
      currencies: [],
      hasCodes: false,
      hasSeconds: false,
      hasOrder: false,
      isPercent: false,
      unit: undefined,
      written: undefined,
      hasHundredfold: false,
      words: new Set(),
      capitals: new Map(),
      beside: undefined,
      rest: undefined,
      bounds: [],
      saidTexts: new Set(),
      isOfShares: false,
    },
    kind: kind === undefined ? 'any' : values.length > 0 ? 'list' : (columns[kind] ?? 'any'),
  };
  const plain = inFeel(isTest && source.startsWith('==') ? own.slice(1).trim() : own, kind);
  if (plain !== own) return written(plain);
  // A comparison before a range says nothing that the range does not.
  const texts = [own, ...(isTest ? [own.replace(/^[<>]=?\s*/, '')] : [])];
  for (const text of texts) {
    const fault = readCell(text, column);
    const found = fault?.readings.filter((reading) => !exceptIn.test(reading)).map((reading) => inFeel(reading, kind));
    const readings = [...new Set(found)];
    // What a formula is in ZEN is no FEEL.
    if (fault === undefined || fault.form === 'formula' || readings.length === 0 || readings.includes(source)) continue;
    const hint = hintOf(fault.form, readings, source).replace(' as text', '');
    const [repair, ...others] = readings;
    if (repair === undefined) return { hint };
    return others.length > 0 ? { hint, readings } : { hint, repair };
  }
  return undefined;
}

const operand = String.raw`(?:"[^"]*"|-?[\d.]+|(?:d|date|time)\("[^"]*"\))`;
const between = new RegExp(String.raw`(>=?) ?(${operand}) and (<=?) ?(${operand})`, 'g');
const alternatives = new RegExp(String.raw`^${operand}(?: or ${operand})+$`);

/** `[5..10] and != 7`: FEEL has no such test. */
const exceptIn = / and (?:!=|not in) /;

/** A cell that the reader of cells has written, as FEEL has it. */
function inFeel(cell: string, kind: Kind | undefined): string {
  const typed = cell
    .replace(/\btime\(\$\) ?/g, '')
    .replace(between, (_, low: string, from: string, high: string, to: string) =>
      [low === '>' ? '(' : '[', from, '..', to, high === '<' ? ')' : ']'].join(''),
    )
    .replace(new RegExp(`^(?:!=|not) ?(${operand})$`), 'not($1)')
    .replace(/^(starts|ends)With\(\$, /, '$1 with(?, ')
    .replace(/^contains\(\$, /, 'contains(?, ')
    .replace(/^not in \[(.*)\]$/, 'not($1)');
  const listed = alternatives.test(typed) ? typed.replaceAll(' or ', ', ') : typed;
  const isTemporal = kind === 'date' || kind === 'time' || kind === 'date and time';
  return isTemporal
    ? listed.replace(temporal, (_, call: string, text: string) => temporalOf(call, text, kind))
    : listed;
}

const temporal = /(\b(?:date|time|date and time|duration|d)\(\s*|@|)"([^"]*)"\)?/g;

function temporalOf(call: string, text: string, kind: Kind): string {
  if (call === '@') return `@"${text}"`;
  if (/^\d{4}-\d\d-\d\d$/.test(text) && (call === '' || call === 'd('))
    return kind === 'date and time' ? `date and time("${text}T00:00:00")` : `date("${text}")`;
  if (/^\d\d:\d\d$/.test(text)) return `time("${text}:00")`;
  return call === '' ? `"${text}"` : `${call}"${text}")`;
}
