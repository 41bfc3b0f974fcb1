import { useMemo, useState } from 'preact/hooks';
import { headingText } from '../../../workers/cells/index.js';
import { blocksIn, matrixIn, rangesIn, unrolled, withAbove, withRange } from '../../../workers/cells/sheets.js';
import { EmptyQuestion, MatrixQuestion, RangeQuestion } from './fileOffers.js';
import type { Cells } from './grid/clipboard.js';
import { placeNamed } from './pastedHeader.js';
import type { Sheet } from './sheet.js';

interface PastedFormsProps {
  readonly cells: Cells;
  readonly sheet: Sheet;
  readonly isHeaded: boolean;
  /** The cells in another form, whose first row has the names. */
  readonly onCells: (cells: Cells) => void;
}

const formsOf = (cells: Cells) => ({ matrix: matrixIn(cells), ranges: rangesIn(cells), blocks: blocksIn(cells) });

/** What was copied may be, as of a file: a matrix, or two columns for one input. Columns of documents are their modeler's. */
export function PastedForms({ cells, sheet, isHeaded, onCells }: PastedFormsProps) {
  // Of these columns empty is any.
  const [answered, setAnswered] = useState<readonly string[]>([]);
  // A paste may have thousands of rows, and the dialog is drawn at each choice in it.
  const forms = useMemo(() => (sheet.isOfDocument ? undefined : formsOf(cells)), [cells, sheet.isOfDocument]);
  if (forms === undefined) return null;
  const { matrix } = forms;
  const titleAt = (at: number): string => headingText(cells[0]?.[at]);
  const isKnown = (at: number): boolean => placeNamed(titleAt(at), sheet) >= 0;
  const ranges = isHeaded ? forms.ranges.filter(({ from, to }) => !isKnown(from) && !isKnown(to)) : [];
  const blocks = isHeaded ? forms.blocks.filter(({ at }) => !answered.includes(titleAt(at))) : [];
  return (
    <>
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
