import { readTruth } from '../../cells/index.js';
import { isBare } from './doubtfulCells.js';
import type { Taken } from './taken.js';
import { valueOfSource } from './values.js';

/** Why a row of a file that a person has chosen is not run: what a cell of it says where the decision takes that; undefined where it may be meant. */
export function whyRefused(taken: Taken | undefined, cell: string): string | undefined {
  if (taken === undefined || taken === 'text' || cell === '') return undefined;
  const text = cell.startsWith('"') ? String(valueOfSource(cell)) : cell;
  const told = JSON.stringify(text);
  if (isWord(cell)) return `${told} is a text where the decision takes a ${taken}.`;
  if (taken === 'date' && moment.test(text) && !midnight.test(text))
    return `${told} has a time of day where the decision takes a day.`;
  if (taken === 'time' && text !== 'null' && !isoTime.test(text))
    return `${told} is no time, and the decision takes one.`;
  return undefined;
}

/** A text in which nobody sees another value: `abc` where the decision takes a number. */
const isWord = (cell: string): boolean => !/\d/.test(cell) && isBare(cell) && readTruth(cell) === undefined;

const moment = /\d(?:T| +)\d{1,2}:\d\d/;
const midnight = /^\d{4}-\d\d-\d\d[T ]00:00(?::00)?$/;
const isoTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d|@.+)?$/;
