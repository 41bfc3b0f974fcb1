import { columnName, type Row } from './grid.js';
import { isSheetNumber } from '../../cells/index.js';
import { placesFormat } from './numberFormat.js';
import { numberSource, serialOf } from './numbers.js';
import { zipOf } from './writeZip.js';

/** A sheet to be written; its first row is its head. */
interface WrittenSheet {
  readonly name: string;
  readonly hidden?: true;
  /** Cells of tables are ZEN, and stay as they are typed; of facts and tests they are values. */
  readonly holds: 'sources' | 'values';
  /** Looks of each column; those beyond are plain. */
  readonly columns: readonly WrittenColumn[];
  readonly rows: readonly Row[];
}

export interface WrittenColumn {
  readonly width: number;
  readonly hidden?: boolean;
  readonly head: 'plain' | 'input' | 'output';
  /** Texts that look like numbers keep their quotes, in place of being texts by their format alone. */
  readonly keepsQuotes?: boolean;
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The styles below, by their index in `cellXfs`. Texts have the format `@`: what is typed there stays as it is typed. */
const styles = {
  number: 0,
  text: 1,
  plain: 2,
  input: 3,
  output: 4,
  date: 5,
  dateTime: 6,
  time: 7,
  timeOfSeconds: 8,
  duration: 9,
} as const;

/** Behind them: numbers that are shown with 1, 2 … places, so that `3.0` is a number, and comes back as it was. */
const firstOfPlaces = 10;
const mostPlaces = 14;

/**
 * Writes an .xlsx. Numbers that a spreadsheet would keep as they are, and booleans, are such cells; everything else is
 * text, so that nothing is read as a formula or loses a digit.
 */
export function writeXlsx(sheets: readonly WrittenSheet[]): Uint8Array {
  const strings = new SharedStrings();
  const parts: Record<string, string> = {
    '[Content_Types].xml': contentTypes(sheets.length),
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': workbook(sheets),
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_sheet, index): [string, string] => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
      ['styles', 'styles.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    'xl/styles.xml': stylesXml,
  };
  sheets.forEach((sheet, index) => {
    parts[`xl/worksheets/sheet${index + 1}.xml`] = worksheet(sheet, strings);
  });
  parts['xl/sharedStrings.xml'] = strings.xml();
  return zipOf(parts);
}

class SharedStrings {
  readonly #indexes = new Map<string, number>();
  #uses = 0;

  indexOf(text: string): number {
    this.#uses++;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(text, index);
    return index;
  }

  xml(): string {
    const items = Array.from(this.#indexes.keys(), (text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
    return `${xmlHead}<sst xmlns="${main}" count="${this.#uses}" uniqueCount="${items.length}">${items.join('')}</sst>`;
  }
}

function worksheet({ columns, rows, hidden, holds }: WrittenSheet, strings: SharedStrings): string {
  const names = Array.from({ length: Math.max(1, ...rows.map(({ length }) => length)) }, (_, index) =>
    columnName(index),
  );
  const cols = columns.map(
    ({ width, hidden: isHidden }, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1" style="${holds === 'values' ? styles.number : styles.text}"${isHidden === true ? ' hidden="1"' : ''}/>`,
  );
  const range = `A1:${names.at(-1)}${Math.max(1, rows.length)}`;
  const data = rows.map((row, index) => {
    const cells = Array.from(row, (source, column) =>
      source === undefined
        ? ''
        : cellXml(`${names[column]}${index + 1}`, source, {
            strings,
            holds,
            style: index === 0 && hidden === undefined ? styles[columns[column]?.head ?? 'plain'] : undefined,
            keepsQuotes: columns[column]?.keepsQuotes ?? false,
          }),
    );
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  return (
    `${xmlHead}<worksheet xmlns="${main}"><dimension ref="${range}"/>` +
    `<sheetViews><sheetView workbookViewId="0">${hidden ? '' : frozen}</sheetView></sheetViews>` +
    (cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`) +
    `<sheetData>${data.join('')}</sheetData>${hidden ? '' : `<autoFilter ref="${range}"/>`}</worksheet>`
  );
}

interface CellOptions extends Pick<WrittenSheet, 'holds'> {
  readonly strings: SharedStrings;
  /** Of the head, where everything is text. */
  readonly style: number | undefined;
  readonly keepsQuotes: boolean;
}

function cellXml(reference: string, source: string, { strings, style, holds, keepsQuotes }: CellOptions): string {
  if (style === undefined) {
    if (isSheetNumber(source)) return `<c r="${reference}"><v>${source}</v></c>`;
    const places = holds === 'sources' ? placesOf(source) : 0;
    if (places > 0) return `<c r="${reference}" s="${firstOfPlaces + places - 1}"><v>${source}</v></c>`;
    if (source === 'true' || source === 'false')
      return `<c r="${reference}" t="b"><v>${source === 'true' ? 1 : 0}</v></c>`;
    if (holds === 'values') return valueXml(reference, source, { strings, keepsQuotes });
  }
  return textXml(reference, source, { strings, style: style ?? styles.text });
}

/** How many places a number has of which the last is an idle zero; 0 for all that a spreadsheet would not keep in this way. */
function placesOf(source: string): number {
  const [, places = ''] = /^-?(?:0|[1-9]\d*)\.(\d*0)$/.exec(source) ?? [];
  const isKept = places.length <= mostPlaces && source.replace(/\D/g, '').length <= 15 && !/^-[0.]+$/.test(source);
  return isKept ? places.length : 0;
}

const textXml = (reference: string, text: string, { strings, style }: Pick<CellOptions, 'strings' | 'style'>): string =>
  `<c r="${reference}" s="${style}" t="s"><v>${strings.indexOf(text)}</v></c>`;

/** Dates and times as such cells, and texts that look like numbers as cells of the format for texts. */
function valueXml(
  reference: string,
  source: string,
  { strings, keepsQuotes }: Pick<CellOptions, 'strings' | 'keepsQuotes'>,
): string {
  const text = /^"([^"\\]*)"$/.exec(source)?.[1];
  if (text === undefined) {
    // A number with more digits than a spreadsheet keeps is no text that a person made one.
    const style = numberSource(source) !== undefined && isJsonNumber(source) ? styles.number : styles.text;
    return textXml(reference, source, { strings, style });
  }
  const moment = serialOf(text);
  if (moment !== undefined) return `<c r="${reference}" s="${styles[moment.kind]}"><v>${moment.serial}</v></c>`;
  const isLikeNumber = !keepsQuotes && (numberSource(text) !== undefined || /^(?:true|false)$/i.test(text));
  return textXml(reference, isLikeNumber ? text : source, { strings, style: styles.text });
}

const isJsonNumber = (source: string): boolean => /^-?(?:0|[1-9])/.test(source) && !/^-?0\d/.test(source);

/** Characters that XML can't hold are written as `_x0001_`, and what looks like that as well. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

const attribute = (text: string): string => escaped(text).replaceAll('"', '&quot;');

const contentTypes = (sheets: number): string => {
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts: [string, string][] = [
    ['workbook.xml', `${sheet}.sheet.main+xml`],
    ...Array.from({ length: sheets }, (_, index): [string, string] => [
      `worksheets/sheet${index + 1}.xml`,
      `${sheet}.worksheet+xml`,
    ]),
    ['styles.xml', `${sheet}.styles+xml`],
    ['sharedStrings.xml', `${sheet}.sharedStrings+xml`],
  ];
  const overrides = parts.map(([name, type]) => `<Override PartName="/xl/${name}" ContentType="${type}"/>`);
  return (
    `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
};

const relations = (targets: readonly (readonly [string, string])[]): string => {
  const items = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${xmlHead}<Relationships xmlns="${packageRelations}">${items.join('')}</Relationships>`;
};

function workbook(sheets: readonly WrittenSheet[]): string {
  const items = sheets.map(
    ({ name, hidden }, index) =>
      `<sheet name="${attribute(name)}" sheetId="${index + 1}"${hidden ? ' state="hidden"' : ''} r:id="rId${index + 1}"/>`,
  );
  return `${xmlHead}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${items.join('')}</sheets></workbook>`;
}

const fill = (rgb: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="${rgb}"/></patternFill></fill>`;
const allPlaces = Array.from({ length: mostPlaces }, (_, index) => index + 1);
/** Custom formats have numbers from here on. */
const firstFormat = 164;
const stylesXml =
  `${xmlHead}<styleSheet xmlns="${main}"><numFmts count="${mostPlaces}">` +
  allPlaces
    .map((places) => `<numFmt numFmtId="${firstFormat + places}" formatCode="${placesFormat(places)}"/>`)
    .join('') +
  '</numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="5"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  `${fill('FFE7E6E6')}${fill('FFDDEBF7')}${fill('FFE2EFDA')}</fills>` +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${firstOfPlaces + mostPlaces}">` +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  [2, 3, 4]
    .map(
      (fillId) =>
        `<xf numFmtId="49" fontId="1" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>`,
    )
    .join('') +
  // Dates and times as the reader's own country writes them.
  [14, 22, 20, 21, 46, ...allPlaces.map((places) => firstFormat + places)]
    .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
    .join('') +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
