import type { CellColumn } from './columns.js';
import type { FormName } from './forms.js';
import { inUnit } from './headingUnit.js';
import { kindNames } from './names.js';
import { shifted } from './shifted.js';
import { unitLabel } from './units.js';
import { formulaMessage, unknownIn } from './formula.js';

/** What is wrong with a cell of a form; `foreign` depends on the column. */
const messages: Readonly<Record<Exclude<FormName, 'foreign'>, string>> = {
  range: 'A range is written otherwise here.',
  comparison: 'A comparison is written otherwise here.',
  alternatives: 'Alternatives are written otherwise here.',
  number: 'A number has digits and a point alone here.',
  percent: 'A share is a number here.',
  share: 'The other numbers of the column are shares, far below 1: as one, this is more than all of them.',
  currency: 'A number has no currency here.',
  unit: 'A number has no unit here.',
  scale: 'A number has all its digits here.',
  date: 'A date is a text here, such as "2026-01-31".',
  time: 'A time is a text here, such as "18:00".',
  order: 'Texts have no order: this never holds.',
  bound: 'A date alone is that day only, and this column has first or last days, or dates in an order.',
  truth: 'Yes and no are `true` and `false` here.',
  text: 'A text belongs in quotes.',
  quotes: 'These quotes are part of the text; a text has straight ones.',
  capitals: 'Capital and small letters differ here, and other cells of the column have this text otherwise.',
  exception: 'An exception is written otherwise here.',
  nothing: 'An empty cell takes everything.',
  inverted: 'No number is within it: it begins after its end.',
  everything: 'Between alternatives a comma means *or*, and together these take everything.',
  code: 'Zeros at the beginning are lost in a number.',
  formula: formulaMessage,
};

/** How a hint begins, where there is one way to write a cell. */
const leads: Partial<Record<FormName, string>> = {
  range: 'For a range',
  number: 'For one number',
  percent: 'For a share',
  date: 'For a date as text',
  text: 'For a text',
  quotes: 'For a text',
};

/** What is wrong with it, as one sentence. */
export function messageOf(form: FormName, { kind, currencies, unit }: CellColumn, cell: string): string {
  const other = unit === undefined ? undefined : inUnit(cell, unit).other;
  if (form === 'unit' && unit !== undefined && other !== undefined)
    return `The numbers of this column are in ${unitLabel(unit)}, and this is in ${unitLabel(other)}.`;
  if (form === 'currency' && unit === undefined && currencies.length > 1)
    return `This column has amounts in ${currencies.slice(0, -1).join(', ')} and ${currencies.at(-1)}, and a number has no currency here: as numbers alone they are compared and counted as if they were in one.`;
  if (form === 'bound' && kind === 'number')
    return "A number alone is that one only, and by its name this column has lowest or highest ones. If it is that number alone, set the column's kind to number.";
  if (form === 'bound' && kind === 'time')
    return 'A time alone is that time only, and this column has first or last ones, or times in an order.';
  if (form !== 'foreign') return messages[form];
  return kind === 'any'
    ? 'This means nothing here.'
    : `This column has ${kindNames[kind]}${kind === 'number' && unit !== undefined ? ` in ${unitLabel(unit)}` : ''}, and this is something else.`;
}

/** What to write in place of a cell. */
export function hintOf(form: FormName, readings: readonly string[], cell: string): string {
  const [first, ...others] = readings;
  const written = (text: string): string => (text === '' ? 'leave it empty' : `write ${text}`);
  if (form === 'formula')
    return first === undefined ? hintOfFormula(unknownIn(cell)) : `Write ${first}.${letters(first)}`;
  if (first === undefined && form === 'currency')
    return 'Write the numbers in one currency, or add a column that has the currency.';
  if (first === undefined && form === 'unit')
    return 'Write the number that it is in the unit of the column, or change the unit of the column.';
  if (first === undefined) return 'Nobody can say what is meant: write it anew, or change the kind of the column.';
  if (form === 'code' && others.length === 0 && !first.startsWith('number('))
    return `${cell} may be a number or a text. Write ${first} where requests have numbers; where they have texts, as for postcodes, set the column's kind to any.`;
  const choice = `${cell} may mean ${readings.length} things: ${readings.map(written).join(', or ')}.`;
  if (others.length > 0 && form === 'bound') {
    const [one, kind] = first.startsWith('time') ? ['time', 'time'] : ['day', 'date'];
    return `${choice} If it is that ${one} alone, set the column's kind to ${kind}.`;
  }
  if (others.length > 0 && form === 'share')
    return `${cell} may be ${shifted(first, 2)} %, which is ${first}, or ${cell} itself, as it stands: that is ${shifted(cell, 2)} %. If it is meant so, set the column's kind to number.`;
  if (form === 'capitals') return `${choice} If both are meant, set the column's kind to text.`;
  if (others.length > 0 && form === 'code')
    return `${choice} Zeros before a number are a text's, as in postcodes. Texts have no order: of their order, the number in them is asked.`;
  if (others.length > 0 && form === 'currency') return `${choice} The first one keeps its currency, as a text.`;
  if (others.length === 1 && form === 'unit') return `${choice} The first one is converted.`;
  if (others.length > 0) return choice;
  if (first === '') return 'Leave the cell empty.';
  return `${leads[form] ?? 'For what is meant'} write ${first}.`;
}

/** What a spreadsheet does not tell apart, and is no longer the same. */
const letters = (written: string): string =>
  /[=!]= ["']\p{L}|["'] [=!]=/u.test(written)
    ? ' Capital and small letters differ here, and not in a spreadsheet.'
    : '';

const lookups = /^(?:[VHX]?LOOKUP|INDEX|MATCH|SVERWEIS|WVERWEIS|XVERWEIS|RECHERCHE[VHX]|[PVX]HAKU)$/i;

/** @param unknown the function that is not known here; null where something else is wrong */
function hintOfFormula(unknown: string | null): string {
  if (unknown === null)
    return 'Write it with the names of fields in place of cells, and functions that are known here.';
  if (lookups.test(unknown)) return `There is no ${unknown} here: what it looks up is a table of the decision.`;
  return `There is no ${unknown} here, nor anything that is sure to give the same: write it with other functions.`;
}
