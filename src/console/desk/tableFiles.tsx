import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ApiError, errorsIn } from '../api/client.js';
import type { FilePart, TableImport } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { Failure, lazy } from '../parts/failure.js';
import { saveFile } from '../parts/action.js';
import { HiddenFile } from '../parts/hiddenFile.js';
import { Button } from '../parts/small.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';
import { Over } from './over.js';
import type { Draft, Stored } from './useDraft.js';

// With the first file that somebody brings in.
const ImportDialog = lazy(async () => (await import('./dialogParts.js')).ImportDialog);
const BothChanged = lazy(async () => (await import('./dialogParts.js')).BothChanged);

interface TableFilesProps {
  readonly draft: Draft;
  readonly nodeId: string;
  readonly onKeep: () => Promise<Stored>;
  /** @param buttons what stands among others of the line */
  readonly children: (buttons: ComponentChildren) => ComponentChildren;
}

const formats = ['xlsx', 'csv'] as const;
type Format = (typeof formats)[number];

/** What is asked before something is done; a file is that of the working copy, so the draft becomes it first. */
type Chosen =
  | { readonly kind: 'export'; readonly format: Format }
  | { readonly kind: 'keep'; readonly file: File }
  | { readonly kind: 'import'; readonly file: File; readonly part: FilePart; readonly found: TableImport }
  | { readonly kind: 'both'; readonly file: File; readonly part: FilePart; readonly changed: readonly string[] };

/** What the service says of rows that the file and the table changed since the file was made. */
const changedOnBoth = (error: unknown): readonly string[] =>
  error instanceof ApiError && error.code === 'precondition_failed'
    ? errorsIn(error.body).map(({ message }) => message)
    : [];

/** Buttons by which a table goes out to a spreadsheet and comes back; what comes back is shown before it is kept. */
export function TableFiles({ draft, nodeId, onKeep, children }: TableFilesProps) {
  const { api } = useSession();
  const { decision } = draft.stored;
  const [pending, setPending] = useState<Chosen | null>(null);
  const { busy, failure, run, dismiss } = useWork();
  const field = useRef<HTMLInputElement>(null);
  const save = async (format: Format): Promise<void> => {
    const { file, name } = await api.tableFile(decision.id, nodeId, format);
    saveFile(file, name);
  };
  const look = async (file: File, tag: string | null, part: FilePart = {}): Promise<void> => {
    try {
      const found = await api.importTable(decision.id, nodeId, { file, tag, part });
      setPending({ kind: 'import', file, part, found });
    } catch (error) {
      const changed = part.prefer === undefined ? changedOnBoth(error) : [];
      if (changed.length === 0) throw error;
      setPending({ kind: 'both', file, part, changed });
    }
  };
  const attempt = (work: () => Promise<void>): void => void run(work);
  return (
    <>
      {children(
        <>
          {formats.map((format) => (
            <Button
              key={format}
              name={format === 'csv' ? '.csv' : `Export .${format}`}
              aria-label={`Export .${format}`}
              onClick={() => (draft.isDirty ? setPending({ kind: 'export', format }) : attempt(() => save(format)))}
            />
          ))}
          <Button name="Import" onClick={() => field.current?.click()} />
        </>,
      )}
      <HiddenFile
        {...{ field }}
        name="Spreadsheet of the table"
        accept=".xlsx,.csv"
        onFile={(file) => {
          if (draft.isDirty) setPending({ kind: 'keep', file });
          else attempt(() => look(file, draft.stored.tag));
        }}
      />
      {busy && (
        <div class="over" role="status">
          The file is being read …
        </div>
      )}
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
            if (pending.kind === 'export') await save(pending.format);
            // After this dialog, which is closed when this is done.
            else setTimeout(() => attempt(() => look(pending.file, tag)));
          }}
        >
          <p>A file is one of the working copy. Your changes are not in it yet.</p>
        </Dialog>
      )}
      {pending?.kind === 'both' && (
        <BothChanged
          changed={pending.changed}
          onChosen={(prefer) => attempt(() => look(pending.file, draft.stored.tag, { ...pending.part, prefer }))}
          onClose={() => setPending(null)}
        />
      )}
      {pending?.kind === 'import' && (
        <ImportDialog
          key={`${pending.file.name} ${JSON.stringify(pending.part)}`}
          name={pending.file.name}
          found={pending.found}
          before={draft.stored.content}
          nodeId={nodeId}
          part={pending.part}
          onPart={(part) => attempt(() => look(pending.file, draft.stored.tag, part))}
          onTake={(content) => draft.edit(() => content)}
          onClose={() => setPending(null)}
        />
      )}
    </>
  );
}
