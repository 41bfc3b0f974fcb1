import { builtInFormat, formatOf, type NumberFormat } from './numberFormat.js';
import { decodedText, readXml } from './xml.js';

/** How cells of a style show what they hold. */
export type Formats = (style: string | undefined) => NumberFormat | undefined;

/** Reads what the styles of a workbook make of numbers. */
export function readFormats(xml: string | undefined): Formats {
  const own = new Map<number, NumberFormat | undefined>();
  const styles: (NumberFormat | undefined)[] = [];
  let inCells = false;
  if (xml !== undefined) {
    readXml(xml, {
      open(name, attributes) {
        if (name === 'numFmt') {
          const { numFmtId, formatCode = '' } = attributes();
          own.set(Number(numFmtId), formatOf(decodedText(formatCode)));
        } else if (name === 'cellXfs') inCells = true;
        else if (name === 'xf' && inCells) {
          const { numFmtId = '0', quotePrefix } = attributes();
          const id = Number(numFmtId);
          // What is typed behind an apostrophe is a text.
          if (quotePrefix === '1' || quotePrefix === 'true') styles.push({ kind: 'text' });
          else styles.push(own.has(id) ? own.get(id) : builtInFormat(id));
        }
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    });
  }
  return (style) => (style === undefined ? undefined : styles[Number(style)]);
}
