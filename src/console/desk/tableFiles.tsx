import { useRef, useState } from 'preact/hooks';
import type { Model, TableImport } from '../api/types.js';
import { DifferenceTable, linesOf } from '../compare/differenceList.js';
import { FaultLine } from '../parts/faultLine.js';
import { Dialog } from '../parts/dialog.js';
import { Failure } from '../parts/failure.js';
import { saveFile } from '../parts/saveFile.js';
import { Button, count } from '../parts/small.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import { Over } from './over.js';
import type { Draft, Stored } from './useDraft.js';

interface TableFilesProps {
  readonly draft: Draft;
  readonly nodeId: string;
  readonly onKeep: () => Promise<Stored>;
}

/** What is asked before something is done; a file is that of the working copy, so the draft becomes it first. */
type Chosen =
  | { readonly kind: 'export' }
  | { readonly kind: 'keep'; readonly file: File }
  | { readonly kind: 'import'; readonly file: File; readonly found: TableImport; readonly tag: string | null };

/** Buttons by which a table goes out to a spreadsheet and comes back; what comes back is shown before it is kept. */
export function TableFiles({ draft, nodeId, onKeep }: TableFilesProps) {
  const { api } = useSession();
  const { decision } = draft.stored;
  const [pending, setPending] = useState<Chosen | null>(null);
  const { failure, run, dismiss } = useWork();
  const field = useRef<HTMLInputElement>(null);
  const save = async (): Promise<void> => {
    const { file, name } = await api.tableFile(decision.id, nodeId);
    saveFile(file, name);
  };
  const look = async (file: File, tag: string | null): Promise<void> => {
    const found = await api.importTable(decision.id, nodeId, { file, tag, dryRun: true });
    setPending({ kind: 'import', file, found: found.body, tag });
  };
  const attempt = (work: () => Promise<void>): void => void run(work);
  const take = async (file: File, tag: string | null): Promise<void> => {
    const { body, tag: next } = await api.importTable(decision.id, nodeId, { file, tag, dryRun: false });
    const { content } = await api.version(decision.id, 0);
    draft.edit(() => content);
    draft.settle({ decision: body.decision, tag: next, content });
  };
  return (
    <>
      <Button name="Export" onClick={() => (draft.isDirty ? setPending({ kind: 'export' }) : attempt(save))} />
      <Button name="Import" onClick={() => field.current?.click()} />
      <input
        ref={field}
        type="file"
        hidden
        aria-label="Spreadsheet of the table"
        accept=".xlsx,.csv"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          currentTarget.value = '';
          if (file === undefined) return;
          if (draft.isDirty) setPending({ kind: 'keep', file });
          else attempt(() => look(file, draft.stored.tag));
        }}
      />
      {failure !== null && (
        <Over onClose={dismiss}>
          <Failure error={failure} />
        </Over>
      )}
      {(pending?.kind === 'export' || pending?.kind === 'keep') && (
        <Dialog
          title={pending.kind === 'export' ? 'Export the table' : 'Import the table'}
          action="Keep as working copy, and go on"
          onClose={() => setPending(null)}
          onSubmit={async () => {
            const { tag } = await onKeep();
            if (pending.kind === 'export') await save();
            // After this dialog, which is closed when this is done.
            else setTimeout(() => attempt(() => look(pending.file, tag)));
          }}
        >
          <p>A file is one of the working copy. Your changes are not in it yet.</p>
        </Dialog>
      )}
      {pending?.kind === 'import' && (
        <Dialog
          key={pending.file.name}
          title={`Import ${pending.file.name}`}
          action="Take it over"
          isWide
          onClose={() => setPending(null)}
          onSubmit={() => take(pending.file, pending.tag)}
        >
          <Preview found={pending.found} before={draft.stored.content} nodeId={nodeId} />
        </Dialog>
      )}
    </>
  );
}

const mostShown = 20;
const mostLines = 500;

interface PreviewProps {
  readonly found: TableImport;
  readonly before: Model;
  readonly nodeId: string;
}

/** Which cells would change, before anything is kept. */
function Preview({ found: { differences, faults }, before, nodeId }: PreviewProps) {
  const rows = differences.rows.filter((row) => row.nodeId === nodeId);
  const of = (change: string): number => rows.filter((row) => row.change === change).length;
  const lines = linesOf(differences, { before, after: null });
  const cells = rows.filter(({ change }) => change === 'changed').flatMap(({ cells: changed }) => changed).length;
  return (
    <>
      <p>
        {differences.nodes.length + rows.length === 0
          ? 'Nothing would change.'
          : `${count(of('added'), 'row')} added, ${of('changed')} changed, ${of('removed')} removed.`}
      </p>
      {cells > 0 && <p>{count(cells, 'cell')} of rows that are there would change.</p>}
      {lines.length > 0 && (
        <div class="scroll">
          <DifferenceTable lines={lines.slice(0, mostLines)} />
        </div>
      )}
      {lines.length > mostLines && <p class="soft">… and {lines.length - mostLines} more.</p>}
      {faults.slice(0, mostShown).map((fault) => (
        <FaultLine key={`${fault.field ?? ''} ${fault.message}`} fault={fault} />
      ))}
      {faults.length > mostShown && <p class="soft">… and {faults.length - mostShown} more.</p>}
    </>
  );
}
