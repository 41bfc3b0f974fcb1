import type { ColumnKind } from './columns.js';
import type { FormName } from './forms.js';

/** What a column of each kind has. */
export const kindNames: Readonly<Record<ColumnKind, string>> = {
  number: 'numbers',
  text: 'texts',
  date: 'dates',
  dateTime: 'dates with times',
  time: 'times',
  boolean: 'yes and no',
  list: 'texts of a list',
  any: 'anything',
};

/** What each kind of repair does, for the head of its cells. */
export const repairNames: Readonly<Record<FormName, string>> = {
  range: 'Ranges',
  comparison: 'Comparisons',
  alternatives: 'Lists of alternatives',
  number: 'Numbers',
  percent: 'Shares in percent',
  share: 'Shares a hundred times too large',
  currency: 'Amounts with a currency',
  unit: 'Numbers with a unit',
  scale: 'Thousands and millions',
  date: 'Dates',
  time: 'Times',
  order: 'Dates and times in order',
  bound: 'First and last values',
  truth: 'Yes and no',
  text: 'Texts without quotes',
  quotes: 'Quotes of word processors',
  capitals: 'Texts in other capitals',
  exception: 'Exceptions',
  nothing: 'Cells that take everything',
  inverted: 'Ranges that begin after their end',
  everything: 'Alternatives that together take everything',
  code: 'Codes with zeros at the beginning',
  formula: 'Formulas of spreadsheets',
  foreign: 'Cells of another kind than their column',
};
