import { Few } from '../parts/table.js';
import { useMemo } from 'preact/hooks';
import type { Fault, Model } from '../api/types.js';
import { movedFaults } from '../model/movedFaults.js';
import { severityWord } from '../parts/faultWords.js';
import { stepsOf } from '../graph/fields.js';
import { Button } from '../parts/small.js';
import { fileFaults } from './fileFaults.js';
import { RepairList } from './repairList.js';
import { cellsIn, otherFaults, repairGroups } from './repairs.js';
import { withContent } from './modelEdits.js';
import { withoutRows } from './rowEdits.js';
import { sheetOf } from './sheet.js';

/** A model that was made of a file, and is kept nowhere yet. */
export interface FileModel {
  readonly content: Model;
  readonly faults: readonly Fault[];
}

interface FileFindingsProps {
  readonly found: FileModel;
  readonly onChange: (found: FileModel) => void;
}

/** What is told of a file before anything of it is kept: what can be put right, cell by cell, and what else is wrong with it. */
export function FileFindings({ found: { content, faults }, onChange }: FileFindingsProps) {
  const groups = useMemo(() => repairGroups(content, faults), [content, faults]);
  const row = faults.find(isOfRow);
  const others = useMemo(
    () => fileFaults(otherFaults(content, faults, groups).filter((fault) => !isOfRow(fault))),
    [content, faults, groups],
  );
  const cells = cellsIn(groups);
  const edit = (change: (model: Model) => Model): void => {
    const next = change(content);
    onChange({ content: next, faults: movedFaults(faults, content, next) });
  };
  return (
    <section class="stack repairs" aria-label="Found in the file">
      <Few of={others} most={20} as="p">
        {({ severity, place, text, excerpt }) => (
          <div key={`${place} ${text}`} class={`fault ${severity}`}>
            <b>{severityWord(severity)}</b> {place}: {excerpt !== null && <code>{excerpt}</code>} {text}
          </div>
        )}
      </Few>
      {cells > 0 && (
        <p class="warn">
          {cells === 1
            ? '1 cell is written otherwise than it is'
            : `${cells} cells are written otherwise than they are`}{' '}
          read here. Nothing is changed but what you repair; the rest is offered again where the table is edited.
        </p>
      )}
      {row !== undefined && (
        <RowQuestion row={row} onLeave={() => edit((model) => withoutRow(model, stepsOf(row.pointer ?? '')))} />
      )}
      <RepairList groups={groups} onEdit={edit} />
    </section>
  );
}

/** A row of the file that is hardly one of the table. */
const isOfRow = ({ nodeId, pointer }: Fault): boolean => nodeId === null && /\/rules\/\d+$/.test(pointer ?? '');

function RowQuestion({ row, onLeave }: { readonly row: Fault; readonly onLeave: () => void }) {
  const name = `row ${/\d+$/.exec(row.field ?? '')?.[0] ?? ''}`;
  const [told] = fileFaults([row]);
  return (
    <section aria-label={`Units or hints in ${name}`}>
      <h3>Units or hints in {name}: leave it out?</h3>
      <p>{told?.text}</p>
      <div class="actions">
        <Button name={`Leave ${name} out`} onClick={onLeave} />
      </div>
    </section>
  );
}

function withoutRow(model: Model, [, at, , , row]: readonly string[]): Model {
  const node = model.nodes[Number(at)];
  const sheet = node && sheetOf(node);
  if (node === undefined || sheet === undefined) return model;
  return withContent(model, node.id, withoutRows(sheet, new Set([Number(row)])));
}
