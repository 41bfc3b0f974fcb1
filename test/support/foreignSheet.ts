import { zipSync } from 'fflate';

/** A cell of a file that another program wrote. */
export interface ForeignCell {
  /** What stands in `<v>`. */
  readonly value?: string;
  /** `n` when left out; `s` is written as an inline text. */
  readonly type?: 'b' | 'd' | 'e' | 'n' | 's' | 'str';
  readonly formula?: string;
  /** The code of its number format, such as `0.00`; a number names one that every workbook has. */
  readonly format?: string | number;
  /** Was typed behind an apostrophe. */
  readonly quoted?: true;
}

export interface ForeignSheet {
  /** Texts are such cells; undefined and null are no cells. */
  readonly rows: readonly (readonly (ForeignCell | string | null | undefined)[])[];
  readonly merged?: readonly string[];
  /** As Excel writes a "Strict Open XML Spreadsheet". */
  readonly strict?: true;
}

const transitional = {
  main: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  office: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const strictNames = {
  main: 'http://purl.oclc.org/ooxml/spreadsheetml/main',
  office: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An .xlsx that this service would not write: number formats, formulas, merged cells. */
export function foreignFile({ rows, merged = [], strict }: ForeignSheet): Uint8Array {
  const { main, office } = strict === undefined ? transitional : strictNames;
  const styles = new Map<string, number>([['0', 0]]);
  const styleOf = ({ format = 0, quoted }: ForeignCell): number => {
    const key = `${format}${quoted === true ? "'" : ''}`;
    const known = styles.get(key) ?? styles.size;
    styles.set(key, known);
    return known;
  };
  const cellOf = (cell: ForeignCell, reference: string): string => {
    const { value, type = 'n', formula } = cell;
    const parts = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
    const attributes = `r="${reference}" s="${styleOf(cell)}" t="${type === 's' ? 'inlineStr' : type}"`;
    const content = type === 's' ? `<is><t>${escaped(value ?? '')}</t></is>` : `<v>${escaped(value ?? '')}</v>`;
    return `<c ${attributes}>${parts}${value === undefined ? '' : content}</c>`;
  };
  const data = rows.map((cells, row) => {
    const filled = cells.map((cell, column) => {
      if (cell === undefined || cell === null) return '';
      const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
      return cellOf(typeof cell === 'string' ? { value: cell, type: 's' } : cell, reference);
    });
    return `<row r="${row + 1}">${filled.join('')}</row>`;
  });
  const merges = merged.map((reference) => `<mergeCell ref="${reference}"/>`).join('');
  const sheet = `<worksheet xmlns="${main}"><sheetData>${data.join('')}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
  return zipSync(
    Object.fromEntries(
      Object.entries({
        'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
        'xl/worksheets/sheet1.xml': sheet,
        'xl/styles.xml': stylesOf(main, [...styles.keys()]),
      }).map(([name, text]) => [name, Buffer.from(text)]),
    ),
  );
}

function stylesOf(main: string, keys: readonly string[]): string {
  const own = keys.map((key) => key.replace(/'$/, '')).filter((key) => !/^\d{1,3}$/.test(key));
  const formats = own.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${escaped(code)}"/>`);
  const cells = keys.map((key) => {
    const code = key.replace(/'$/, '');
    const at = own.indexOf(code);
    return `<xf numFmtId="${at === -1 ? code : 200 + at}"${key.endsWith("'") ? ' quotePrefix="1"' : ''}/>`;
  });
  return `<styleSheet xmlns="${main}"><numFmts>${formats.join('')}</numFmts><cellXfs>${cells.join('')}</cellXfs></styleSheet>`;
}
