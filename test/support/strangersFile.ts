import { zipSync } from 'fflate';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
/** What the ids and types of parts begin with. */
export const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** The parts of a small file, of which a test replaces some. */
const parts = (replaced: Readonly<Record<string, string | Uint8Array>> = {}): Record<string, Uint8Array> => {
  const usual: Record<string, string | Uint8Array> = {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Rules" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet('<row r="1"><c r="A1"><v>1</v></c></row>'),
    ...replaced,
  };
  return Object.fromEntries(
    Object.entries(usual).map(([name, part]) => [name, typeof part === 'string' ? Buffer.from(part) : part]),
  );
};
/** A part with such rows. */
export const sheet = (rows: string): string => `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;
/** Packed quickly: megabytes of the same text. */
export const packed = (replaced?: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(parts(replaced), { level: 1 });
