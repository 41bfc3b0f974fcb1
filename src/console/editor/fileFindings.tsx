import { Few } from '../parts/table.js';
import { useMemo } from 'preact/hooks';
import type { Fault, Model } from '../api/types.js';
import { movedFaults } from '../model/movedFaults.js';
import { severityWord } from '../parts/faultWords.js';
import { fileFaults } from './fileFaults.js';
import { RepairList } from './repairList.js';
import { cellsIn, otherFaults, repairGroups } from './repairs.js';

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
  const others = useMemo(() => fileFaults(otherFaults(content, faults, groups)), [content, faults, groups]);
  const cells = cellsIn(groups);
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
      <RepairList
        groups={groups}
        onEdit={(change) => {
          const next = change(content);
          onChange({ content: next, faults: movedFaults(faults, content, next) });
        }}
      />
    </section>
  );
}
