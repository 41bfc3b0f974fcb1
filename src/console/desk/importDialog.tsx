import { useMemo, useState } from 'preact/hooks';
import { compareJdm } from '../../../workers/models/compare/jdmDifferences.js';
import type { FilePart, Model, TableImport } from '../api/types.js';
import { linesOf } from '../compare/differenceLines.js';
import { DifferenceTable } from '../compare/differenceList.js';
import { titleRow } from '../editor/fileFaults.js';
import { FileFindings } from '../editor/fileFindings.js';
import { partWith, type FileModel } from '../editor/fileModel.js';
import { withRowsBelow } from '../editor/rowsBelow.js';
import { membersOf, rowsOf, textOf } from '../graph/fields.js';
import { Dialog } from '../parts/dialog.js';
import { isUnread } from '../parts/faultWords.js';
import { count } from '../parts/small.js';

const mostLines = 500;

interface ImportDialogProps {
  readonly name: string;
  readonly found: TableImport;
  readonly before: Model;
  readonly nodeId: string;
  readonly onTake: (content: Model) => void;
  /** How it was read. */
  readonly part: FilePart;
  /** Reads it anew. */
  readonly onPart: (part: FilePart) => void;
  readonly onClose: () => void;
}

/** Which cells would change, and what is wrong with them, before any of it is in the draft. */
export function ImportDialog({ name, found, before, nodeId, onTake, part, onPart, onClose }: ImportDialogProps) {
  const [isBelow, setBelow] = useState(false);
  const [read, setRead] = useState<FileModel>(found);
  const { content, faults } = read;
  // Of a document the service knows what differs.
  const differences = useMemo(
    () => (content.document === undefined ? compareJdm(before, content) : found.differences),
    [before, content, found],
  );
  const table = before.nodes.find(({ id }) => id === nodeId)?.content;
  const present = rowsOf(table, 'rules').length;
  const isFirst = /^first$/i.test(textOf(membersOf(table)['hitPolicy']));
  const rows = differences.rows.filter((row) => row.nodeId === nodeId);
  const of = (change: string): number => rows.filter((row) => row.change === change).length;
  const moved = rows.filter((row) => row.change === 'moved' || row.moved).length;
  const isSame = differences.nodes.length + rows.length === 0;
  // What becomes of the columns is seen above thousands of rows.
  const lines = [
    { ...differences, rows: [] },
    { nodes: [], edges: [], rows },
  ].flatMap((part) => linesOf(part, { before, after: content }));
  const cells = rows.filter(({ change }) => change === 'changed').flatMap(({ cells: changed }) => changed).length;
  const isTitled = titleRow(faults) !== null;
  const isFree = content.document === undefined && found.differences.nodes.length === 0 && present > 0;
  const place = (next: boolean): void => {
    setBelow(next);
    setRead(next ? withRowsBelow(before, found, nodeId) : found);
  };
  return (
    <Dialog
      title={`Import ${name}`}
      {...(isSame
        ? { cancel: 'Close' }
        : { action: 'Take it over', isOff: faults.some(isUnread), onSubmit: () => onTake(content) })}
      isWide
      onClose={onClose}
    >
      {isFree && !isTitled ? (
        <fieldset class="choices">
          <legend>The rows of the file</legend>
          {([false, true] as const).map((each) => (
            <label class="choice" key={String(each)}>
              <input type="radio" name="place" checked={isBelow === each} onChange={() => place(each)} />
              {each ? 'go below those of the table' : `take the place of the table’s ${count(present, 'row')}`}
            </label>
          ))}
        </fieldset>
      ) : (
        !isSame && present > 0 && <p>The rows of the file take the place of the table’s {count(present, 'row')}.</p>
      )}
      {!isTitled && (
        <p>
          {isSame
            ? 'Nothing would change.'
            : `${count(of('added'), 'row')} added, ${of('changed')} changed, ${of('removed')} removed.`}
          {moved > 0 && (
            <b>
              {' '}
              {count(moved, 'row')} moved{isFirst && ': of those that apply, the first decides'}.
            </b>
          )}
        </p>
      )}
      {!isTitled && present > 0 && (
        <p class="soft small">
          A file that was exported here brings what was changed in it since; what was changed in the table since then
          stays.
        </p>
      )}
      {cells > 0 && <p>{count(cells, 'cell')} of rows that are there would change.</p>}
      <FileFindings found={read} onChange={setRead} onPart={(said) => onPart(partWith(part, said))} />
      {lines.length > 0 && (
        <div class="scroll">
          <DifferenceTable lines={lines} most={mostLines} />
        </div>
      )}
    </Dialog>
  );
}
