import { headingText } from '../../../workers/cells/index.js';
import { isNoteColumn, namesResult, sidesOf } from '../../../workers/cells/sheets.js';
import { rowsOf, textOf, type Fields } from '../graph/fields.js';
import { fieldFor, fieldOfHeading, withColumnInserted } from './columnEdits.js';
import type { Cells } from './grid/clipboard.js';
import { hasHeader, isBlank, placeNamed } from './pastedHeader.js';
import { sheetOf, withCells, type Sheet } from './sheet.js';

/** A column of what was copied: an existing one that it goes into, or a new one; none where it is left out. */
export interface PastedColumn {
  /** In the first row. */
  readonly title: string;
  readonly place: number | 'inputs' | 'outputs' | 'none';
}

/**
 * Where each column of what was copied goes. Where the first row has names of the table's columns, into those, and what has
 * another name into new ones; else into those from `left` on, and what is left into new ones.
 */
export function placesOf(
  cells: Cells,
  sheet: Sheet,
  left: number,
  isHeaded = hasHeader(cells, sheet, left),
): readonly PastedColumn[] {
  const copied = Math.max(...cells.map((row) => row.length));
  const titlesOf = (width: number): string[] => Array.from({ length: width }, (_, at) => headingText(cells[0]?.[at]));
  const isNew = isBlank(sheet) && !sheet.isOfDocument;
  const notes = isHeaded ? noteIn(cells) : -1;
  const named = titlesOf(copied).map((title, at, all) => (all.indexOf(title) === at ? placeNamed(title, sheet) : -1));
  const isByName = isHeaded && !isNew && named.some((place) => place >= 0);
  // A document gets its columns in its modeler.
  const known = Math.min(copied, sheet.columns.length - left);
  const lastNamed = isByName ? named.findLastIndex((place) => place >= 0) + 1 : 0;
  const width = sheet.isOfDocument ? Math.max(known, lastNamed) : copied;
  const titles = titlesOf(width);
  const asked = titles.map((title, at) => ({ at, title })).filter(({ at }) => at !== notes);
  const { results } = sidesOf({ columns: asked, rows: cells.slice(Number(isHeaded)) });
  const given = new Set(asked.filter((_column, index) => results[index] === true).map(({ at }) => at));
  const isFree = (place: number): boolean => {
    const column = sheet.columns[place];
    return column !== undefined && (column.side !== 'note' || sheet.isOfDocument);
  };
  const found: PastedColumn[] = [];
  for (const [at, title] of titles.entries()) {
    if (at === notes && (named[at] ?? -1) < 0 && !sheet.isOfDocument) {
      found.push({ title, place: sheet.columns.findIndex(({ side }) => side === 'note') });
      continue;
    }
    const own = named[at] ?? -1;
    const isOwn = isByName ? own >= 0 : !isNew && isFree(left + at);
    if (isOwn) found.push({ title, place: isByName ? own : left + at });
    // Of a document the column of notes has no name to be known by.
    else if (sheet.isOfDocument)
      found.push({
        title,
        place: title === '' && isFree(left + at) && !named.includes(left + at) ? left + at : 'none',
      });
    else {
      // Behind a column of results nothing is asked any more: inputs would stand before it.
      const isBehind = !isNew && found.some(({ place }) => isOfResults(place, sheet));
      const isResult = isBehind || (isByName ? namesResult(title) : given.has(at));
      found.push({ title, place: isResult ? 'outputs' : 'inputs' });
    }
  }
  return found;
}

/** The column of remarks, as an import takes it. */
const noteIn = ([head = [], ...below]: Cells): number =>
  head.findIndex((title, at) =>
    isNoteColumn(
      title,
      below.map((row) => row[at] ?? ''),
    ),
  );

const isOfResults = (place: PastedColumn['place'], { columns }: Sheet): boolean =>
  typeof place === 'number' && columns[place]?.side === 'out';

/** The table with what was copied in it, from the row `top` on, and with the columns that it needs. */
export function withPasted(
  before: Sheet,
  {
    cells,
    columns,
    top,
    isHeaded,
  }: {
    readonly cells: Cells;
    readonly columns: readonly PastedColumn[];
    readonly top: number;
    readonly isHeaded: boolean;
  },
): Fields {
  const ids = columns.map(({ place }) => (typeof place === 'number' ? before.columns[place]?.id : undefined));
  const { content } = before;
  let next =
    isBlank(before) && columns.every(({ place }) => place !== 'none' && !isKept(place, before))
      ? emptied(content)
      : content;
  columns.forEach(({ title, place }, at) => {
    if (typeof place === 'number' || place === 'none') return;
    const name = isHeaded && title !== '' ? title : `Column ${at + 1}`;
    const end = rowsOf(next, place).length;
    next = withColumnInserted(next, place, end, (column) => ({
      ...column,
      name,
      field: isHeaded && title !== '' ? fieldOfHeading(name, place === 'outputs') : fieldFor(name, place === 'outputs'),
    }));
    ids[at] = textOf(rowsOf(next, place)[end]?.['id']);
  });
  const sheet = sheetOf({ type: 'decisionTableNode', content: next });
  if (sheet === undefined) return content;
  const places = ids.map((id) => sheet.columns.findIndex((column) => column.id === id));
  return withCells(
    sheet,
    cells
      .slice(isHeaded ? 1 : 0)
      .flatMap((texts, down) => texts.map((text, at) => ({ row: top + down, column: places[at] ?? -1, text }))),
  );
}

/** Goes into a column of values that is there. */
const isKept = (place: PastedColumn['place'], { columns }: Sheet): boolean =>
  typeof place === 'number' && columns[place]?.side !== 'note';

const emptied = (content: Fields): Fields => ({ ...content, inputs: [], outputs: [], rules: [] });
