import { useMemo, useState } from 'preact/hooks';
import { headingText } from '../../../workers/cells/index.js';
import {
  blocksIn,
  matrixIn,
  rangesIn,
  tablesBeside,
  unrolled,
  withAbove,
  withRange,
  type TableColumns,
} from '../../../workers/cells/sheets.js';
import { BesideQuestion, EmptyQuestion, MatrixQuestion, OwnMatrix, RangeQuestion } from './fileOffers.js';
import type { Cells } from './grid/clipboard.js';
import { placeNamed } from './pastedHeader.js';
import type { Sheet } from './sheet.js';

interface PastedFormsProps {
  /** All that was copied: several tables may stand beside one another in it. */
  readonly whole: Cells;
  readonly cells: Cells;
  readonly sheet: Sheet;
  readonly isHeaded: boolean;
  /** The cells in another form, whose first row has the names. */
  readonly onCells: (cells: Cells) => void;
}

/** The tables in what was copied, as it would come of a file: none where the table has columns of the others. */
function tablesIn(cells: Cells, sheet: Sheet): readonly TableColumns[] {
  const [first, ...others] = sheet.isOfDocument ? [] : tablesBeside(cells);
  const isKnown = ({ from, to }: TableColumns): boolean =>
    (cells[0] ?? []).slice(from, to + 1).some((title) => placeNamed(headingText(title), sheet) >= 0);
  return first === undefined || others.some(isKnown) ? [] : [first, ...others];
}

const tableOf = (cells: Cells, { from, to, end = cells.length - 1 }: TableColumns): Cells =>
  cells.slice(0, end + 1).map((row) => row.slice(from, to + 1));

/** What is pasted before somebody says otherwise: of tables beside one another the first. */
export function firstOf(cells: Cells, sheet: Sheet): Cells {
  const [first] = tablesIn(cells, sheet);
  return first === undefined ? cells : tableOf(cells, first);
}

const formsOf = (cells: Cells) => ({
  matrix: matrixIn(cells),
  own: matrixIn(cells, true),
  ranges: rangesIn(cells),
  blocks: blocksIn(cells),
});

/** What was copied may be, as of a file: a matrix, or two columns for one input. Columns of documents are their modeler's. */
export function PastedForms({ whole, cells, sheet, isHeaded, onCells }: PastedFormsProps) {
  // Of these columns empty is any.
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const [isChosen, setChosen] = useState(false);
  // A paste may have thousands of rows, and the dialog is drawn at each choice in it.
  const tables = useMemo(() => tablesIn(whole, sheet), [whole, sheet]);
  const forms = useMemo(() => (sheet.isOfDocument ? undefined : formsOf(cells)), [cells, sheet.isOfDocument]);
  if (forms === undefined) return null;
  const { matrix, own } = forms;
  const titleAt = (at: number): string => headingText(cells[0]?.[at]);
  const isKnown = (at: number): boolean => placeNamed(titleAt(at), sheet) >= 0;
  const ranges = isHeaded ? forms.ranges.filter(({ from, to }) => !isKnown(from) && !isKnown(to)) : [];
  const blocks = isHeaded ? forms.blocks.filter(({ at }) => !answered.includes(titleAt(at))) : [];
  const last = tables.at(-1);
  const choices = last === undefined ? [] : [...tables, { from: tables[0]?.from ?? 0, to: last.to }];
  const headings = whole[0] ?? [];
  return (
    <>
      {choices.length > 0 && isHeaded && !isChosen && (
        <BesideQuestion
          tables={choices.map(({ from, to }) => `${headingText(headings[from])} to ${headingText(headings[to])}`)}
          onTable={(at) => {
            setChosen(true);
            onCells(choices[at] === undefined ? whole : tableOf(whole, choices[at]));
          }}
        />
      )}
      {blocks.map(({ at }) => (
        <EmptyQuestion
          key={titleAt(at)}
          name={titleAt(at)}
          onEmpty={(as) => (as === 'any' ? setAnswered([...answered, titleAt(at)]) : onCells(withAbove(cells, at)))}
        />
      ))}
      {matrix !== undefined && (
        <MatrixQuestion names={matrix.names} onNames={(names) => onCells(unrolled(cells, matrix, names).rows)} />
      )}
      {matrix === undefined && own !== undefined && (
        <OwnMatrix corner={titleAt(own.left)} onNames={(names) => onCells(unrolled(cells, own, names).rows)} />
      )}
      {ranges.map(({ from, to, name, ends }) => (
        <RangeQuestion
          key={titleAt(from)}
          ranges={ends.map((end) => ({ name, from: titleAt(from), to: titleAt(to), end }))}
          onRange={(range) =>
            onCells(
              (withRange<string>(cells, { from, to, name: range.name, end: range.end }, '') ?? cells).map((row) =>
                row.filter((_cell, at) => at !== to),
              ),
            )
          }
        />
      ))}
    </>
  );
}
