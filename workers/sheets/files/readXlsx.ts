import { isAscii } from 'node:buffer';
import { SheetError, sheetLimits, type Grid, type Workbook } from './grid.js';
import { readSheet } from './sheetXml.js';
import { readSharedStrings } from './sharedStrings.js';
import { readFormats } from './styles.js';
import { decodedText, readXml } from './xml.js';
import { openZip, ZipError } from './zip.js';

interface SheetPart {
  readonly name: string;
  readonly visible: boolean;
  readonly path: string;
}

/**
 * Reads an .xlsx: one sheet, and a hidden one of that name. Of the file only texts, numbers and their formats are
 * read: macros, links to other files, drawings and whatever else it holds are not looked at, and no formula is computed.
 * @param preferred the name of the sheet to take, if it is there; else it is the first one that is not hidden
 * @param wanted the name of the sheet that somebody asks for
 * @throws SheetError
 */
export function readXlsx(bytes: Uint8Array, preferred: string, hiddenName: string, wanted?: string): Workbook {
  const { read, isFilled } = partsOf(bytes);
  const { sheets, dates } = readWorkbook(read);
  const visible = sheets.filter((sheet) => sheet.visible);
  const chosen = wanted === undefined ? chosenOf(visible, preferred) : wantedOf(visible, wanted);
  const strings = readSharedStrings(read('xl/sharedstrings.xml'));
  const formats = readFormats(read('xl/styles.xml'));
  // It is about the sheet that was written with it.
  const isOwn = chosen.name === preferred || visible.every(({ name }) => name !== preferred);
  const hidden = isOwn ? sheets.find((sheet) => !sheet.visible && sheet.name === hiddenName) : undefined;
  const gridOf = ({ name, path }: SheetPart): Grid => {
    const xml = read(path);
    if (xml === undefined) throw new SheetError('broken', `The sheet ${name} is not in the file.`);
    return readSheet(name, xml, { strings, formats, dates, isOwn: hidden !== undefined });
  };
  const others = wanted === undefined ? visible.filter((each) => each !== chosen && isFilled(each.path)) : [];
  return {
    sheet: gridOf(chosen),
    hidden: hidden === undefined ? undefined : gridOf(hidden),
    others: others.map(({ name }) => name),
    delimiter: undefined,
  };
}

function chosenOf(visible: readonly SheetPart[], preferred: string): SheetPart {
  const chosen = visible.find(({ name }) => name === preferred) ?? visible[0];
  if (chosen === undefined) throw new SheetError('broken', 'The file has no sheet.');
  return chosen;
}

/** Spreadsheets, too, take names that differ in case alone for the same one. */
function wantedOf(visible: readonly SheetPart[], wanted: string): SheetPart {
  const lower = wanted.toLowerCase();
  const chosen = visible.find(({ name }) => name.toLowerCase() === lower);
  if (chosen !== undefined) return chosen;
  const names = visible.map(({ name }) => JSON.stringify(name)).join(', ');
  throw new SheetError(
    'broken',
    `The file has no sheet ${JSON.stringify(wanted)} that is shown. Its sheets are ${names}.`,
  );
}

/** Reads one part by its name; undefined where there is none. */
type ReadPart = (name: string) => string | undefined;

/** Files of Excel that need a password, and those of before 2007. */
const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

interface Parts {
  readonly read: ReadPart;
  /** Whether a sheet has a cell; no more of it is unpacked than shows that. */
  readonly isFilled: (path: string) => boolean;
}

/** What stands before the first cell of a sheet, and no more: a larger part has cells. */
const emptySheetBytes = 8192;

function partsOf(bytes: Uint8Array): Parts {
  if (compoundFile.equals(bytes.subarray(0, 4))) {
    throw new SheetError(
      'broken',
      'The file is protected by a password, or of an Excel before 2007: save it as .xlsx without one.',
    );
  }
  const tooMany = `The file has more than ${sheetLimits.parts} parts.`;
  // Part names are ASCII, and compared without regard to case (ECMA-376, part 2).
  const parts = new Map(
    told(() => openZip(bytes, sheetLimits.parts), tooMany).map((part) => [part.name.toLowerCase(), part] as const),
  );
  let total = 0;
  const isFilled = (path: string): boolean => {
    try {
      return /<(?:\w+:)?c[\s/>]/.test(parts.get(path)?.bytes(emptySheetBytes).toString('latin1') ?? '');
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      return error.reason === 'too large';
    }
  };
  const read: ReadPart = (name) => {
    const part = parts.get(name);
    if (part === undefined) return undefined;
    const most = Math.min(sheetLimits.partBytes, sheetLimits.totalBytes - total);
    const unpacked = told(() => part.bytes(most), `Unpacked, the file has more than ${most} bytes.`);
    total += unpacked.length;
    return decoded(unpacked);
  };
  return { read, isFilled };
}

function told<T>(read: () => T, tooLarge: string): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    if (error.reason !== 'damaged') throw new SheetError('large', tooLarge);
    throw new SheetError('broken', 'The file is no .xlsx, or it is damaged.');
  }
}

function decoded(part: Buffer): string {
  if (isAscii(part)) return part.toString('latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(part);
  } catch {
    throw new SheetError('broken', 'A part of the file is not UTF-8.');
  }
}

const workbookPath = 'xl/workbook.xml';

function readWorkbook(read: ReadPart): { readonly sheets: SheetPart[]; readonly dates: 1900 | 1904 } {
  const [workbook, relations] = [read(workbookPath), read('xl/_rels/workbook.xml.rels')];
  if (workbook === undefined || relations === undefined) {
    throw new SheetError('broken', 'The file is no .xlsx: it has no workbook.');
  }
  const targets = readTargets(relations);
  const sheets: SheetPart[] = [];
  let dates: 1900 | 1904 = 1900;
  readXml(workbook, {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(1|true)$/.test(attributes()['date1904'] ?? '')) dates = 1904;
      if (name !== 'sheet') return;
      const { name: title = '', state, ...others } = attributes();
      const path = targets.get(Object.entries(others).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
      // Charts and dialogs are sheets of other kinds.
      if (path === undefined) return;
      if (title.length > sheetLimits.nameCharacters)
        throw new SheetError('large', `The name of a sheet has more than ${sheetLimits.nameCharacters} characters.`);
      sheets.push({ name: decodedText(title), visible: state === undefined || state === 'visible', path });
      // Each of them may be the same part of the file.
      if (sheets.length > sheetLimits.parts)
        throw new SheetError('large', `The file has more than ${sheetLimits.parts} sheets.`);
    },
  });
  return { sheets, dates };
}

/** The parts of worksheets by the ids of their relations; those outside of the file are none. */
function readTargets(relations: string): Map<string, string> {
  const targets = new Map<string, string>();
  readXml(relations, {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes();
      if (mode === 'External' || !type.endsWith('/worksheet')) return;
      const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      targets.set(id, path.toLowerCase());
    },
  });
  return targets;
}
