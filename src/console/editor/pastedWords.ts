import { zenText } from '../../../workers/cells/index.js';
import type { Fields } from '../graph/fields.js';
import { cellColumn } from './readColumn.js';
import { sheetOf, withCells, type CellText, type Sheet } from './sheet.js';

/**
 * A table with the words that came into new columns as the texts that they are, as an import has them: a sheet of a spreadsheet
 * has no quotes. What may be something else, or the name of a field, stays to be asked.
 *
 * @param before the table without what was pasted
 */
export function withWordsAsTexts(before: Sheet, content: Fields): Fields {
  const sheet = sheetOf({ type: 'decisionTableNode', content });
  if (sheet === undefined || sheet.isOfDocument) return content;
  const known = new Set(before.columns.map(({ id }) => id));
  const fields = new Set(sheet.columns.map(({ field }) => field.split('.')[0]));
  const texts = sheet.columns.flatMap(({ id }, column): CellText[] => {
    const read = known.has(id) ? undefined : cellColumn(sheet, column);
    if (read?.kind !== 'text' && read?.kind !== 'list') return [];
    return read.texts.flatMap((text, row): CellText[] => {
      const word = text.trim();
      const fault = word === '' || fields.has(word) ? undefined : read.faultIn(text);
      const isSure = fault?.isPlain === false && fault.readings.length === 1 && fault.readings[0] === zenText(word);
      return isSure ? [{ row, column, text: zenText(word) }] : [];
    });
  });
  return texts.length === 0 ? content : withCells(sheet, texts);
}
