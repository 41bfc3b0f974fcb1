import { SheetError, sheetLimits } from './grid.js';
import { readXml } from './xml.js';

/** The texts of a workbook, which cells name by number; their parts of different looks are joined, readings left out. */
export function readSharedStrings(xml: string | undefined): readonly string[] {
  const strings: string[] = [];
  if (xml === undefined) return strings;
  let text = '';
  let inText = false;
  let inReading = false;
  readXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') inText = !inReading;
      else if (name === 'rPh') inReading = true;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') inReading = false;
      else if (name === 'si') {
        if (strings.push(unescaped(text)) > sheetLimits.cells) {
          throw new SheetError('large', `The file has more than ${sheetLimits.cells} shared texts.`);
        }
        // It is that of one text, also where texts stand within each other.
        text = '';
      }
    },
  });
  return strings;
}

/** `_x000D_` stands for a character that XML can't hold (ECMA-376, part 1, 22.9.2.19). */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
