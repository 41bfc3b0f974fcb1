import { readXml } from './xml.js';

/** Formats that every workbook has: dates, times and both. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** Whether numbers of a style are shown as dates. */
export function readDateStyles(xml: string | undefined): (style: string | undefined) => boolean {
  const dateFormats = new Set<number>();
  const dates = new Set<string>();
  let styles = 0;
  let inCells = false;
  if (xml !== undefined) {
    readXml(xml, {
      open(name, attributes) {
        if (name === 'numFmt') {
          const { numFmtId, formatCode = '' } = attributes();
          if (isDateFormat(formatCode)) dateFormats.add(Number(numFmtId));
        } else if (name === 'cellXfs') inCells = true;
        else if (name === 'xf' && inCells) {
          const id = Number(attributes()['numFmtId'] ?? 0);
          if (isBuiltInDate(id) || dateFormats.has(id)) dates.add(String(styles));
          styles++;
        }
      },
      close(name) {
        if (name === 'cellXfs') inCells = false;
      },
    });
  }
  return (style) => style !== undefined && dates.has(style);
}

/** Without its texts, colours and locales, a format of dates has their letters. */
const isDateFormat = (code: string): boolean =>
  /[ymdhs]/i.test(
    code.replace(/&quot;.*?&quot;|"[^"]*"|\\.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '').replace(/General/i, ''),
  );
