import type { CellColumn } from './columns.js';
import { hintOf, messageOf } from './messages.js';
import { readCell, type CellMeaning } from './readCell.js';

/** What is wrong with a cell, and what can stand in its place, as people are told. */
export interface CellFault extends CellMeaning {
  readonly message: string;
  readonly hint: string;
}

/** As `readCell`, with the words for it, which pages have from the service. */
export function readFault(source: string, column: CellColumn): CellFault | undefined {
  const meaning = readCell(source, column);
  if (meaning === undefined) return undefined;
  const { form, readings, cell } = meaning;
  return { ...meaning, message: messageOf(form, column, cell), hint: hintOf(form, readings, cell) };
}
