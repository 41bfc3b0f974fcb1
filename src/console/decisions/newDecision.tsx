import { FileField } from '../parts/fileField.js';
import { createDecision } from '#openapi/forms.gen.js';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../api/exactJson.js';
import { documentIn } from '../api/contents.js';
import type { FilePart, Model } from '../api/types.js';
import { isUnread } from '../parts/faultWords.js';
import { Field, FormDialog, useField } from '../parts/form.js';
import { Failure, lazy } from '../parts/failure.js';
import { useWork } from '../parts/useWork.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import type { PutRight } from './keptRepairs.js';
import type { Sheet } from '../editor/fileModel.js';
import type { Sides } from './sheetPreview.js';
import { isObject } from '../graph/fields.js';

/** What a new decision begins with: it runs, and gives back what it gets. */
const beginning: Model = {
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [{ id: 'first', sourceId: 'request', targetId: 'response' }],
};

interface Kept {
  readonly read: Sheet;
  readonly now: Sheet;
  /** What was put right in it as it was read before. */
  readonly done: PutRight | null;
}

interface NewDecisionProps {
  /** That was dropped on the page. */
  readonly file: File | null;
  readonly onClose: () => void;
}

const loadParts = async () => import('../desk/dialogParts.js');
const SheetPreview = lazy(async () => (await loadParts()).SheetPreview);

/** Makes a decision with a working copy, of nothing, a model's file or a spreadsheet, and opens it for editing. */
export function NewDecision({ file, onClose }: NewDecisionProps) {
  const { api } = useSession();
  const { go } = useRouter();
  const [content, setContent] = useState(beginning);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const { failure, run } = useWork();
  /** How many answers are to come: nothing is made of the file before the last of them is there. */
  const [awaited, setAwaited] = useState(0);
  const busy = awaited > 0;
  /** What is read now; an answer that comes after a later one says nothing. */
  const latest = useRef<{ readonly file: File } | null>(null);
  const part = useRef<FilePart>({});
  /** As what is shown was read. */
  const [readAs, setReadAs] = useState<FilePart>({});
  /** The sheet as it was read last, and as it is shown: what lies between was put right, and stays where other columns are ticked. */
  const kept = useRef<Kept | null>(null);
  const show = (found: Sheet | null): void => {
    if (kept.current !== null && found !== null) kept.current = { ...kept.current, now: found };
    setSheet(found);
    if (found !== null) setContent(found.content);
  };
  const attempt = (file: File, sides: Sides | null = null, chosen: FilePart = {}): void => {
    part.current = chosen;
    if (sides === null) kept.current = null;
    const own = { file };
    latest.current = own;
    setAwaited((count) => count + 1);
    void run(async () => {
      const ending = /\.(json|dmn|xml)$/i.exec(file.name)?.[1]?.toLowerCase();
      const found = ending === undefined ? await api.convertTable(file, sides, part.current) : null;
      const model = found === null ? await readModel(file, ending ?? '') : null;
      const parts = found === null ? null : await loadParts();
      if (latest.current !== own) return;
      if (model !== null) setContent(model);
      const { current } = kept;
      const done = current && parts && parts.putRight(current.done, current.read, current.now);
      const now = found && parts && done ? parts.withPutRight(found, done) : found;
      kept.current = found && now && { read: found, now, done };
      setReadAs(chosen);
      show(now);
    }).finally(() => setAwaited((count) => count - 1));
  };
  return (
    <FormDialog
      operation={createDecision}
      title="New decision"
      // Nothing is made in place of a file that could not be read, or is being read.
      {...(failure === null ? { action: 'Create', isOff: busy || sheet?.faults.some(isUnread) === true } : {})}
      isWide={sheet !== null}
      send={async ({ key }) => {
        // Enter asks for it as well.
        if (failure !== null) throw failure instanceof Error ? failure : new Error('The file could not be read.');
        const ending = content.document === undefined ? '.json' : '.dmn';
        const { id } = await api.createDecision(/\.(json|dmn)$/i.test(key) ? key : `${key}${ending}`, content);
        go(`/decisions/${id}/edit`);
      }}
      onClose={onClose}
    >
      <Field at="key" label="Name (key)" placeholder="shop/discount" hint="" />
      <ModelFile
        dropped={file}
        onFile={(next) => {
          // What is shown and ticked of another file says nothing of this one.
          setSheet(null);
          attempt(next);
        }}
      />
      {busy && <p role="status">{latest.current?.file.name} is being read …</p>}
      {failure !== null && (
        <Failure error={failure} onRetry={() => latest.current !== null && attempt(latest.current.file)} />
      )}
      {sheet !== null && latest.current !== null && (
        <SheetPreview
          key={JSON.stringify(readAs)}
          sheet={sheet}
          isBusy={busy}
          onSides={(sides) => latest.current !== null && attempt(latest.current.file, sides, part.current)}
          part={readAs}
          onPart={(next, sides) => latest.current !== null && attempt(latest.current.file, sides, next)}
          onChange={(found) => show({ ...sheet, ...found })}
        />
      )}
    </FormDialog>
  );
}

/** A file, after which the decision is called where nobody has named it. */
function ModelFile({ dropped, onFile }: { readonly dropped: File | null; readonly onFile: (file: File) => void }) {
  const { value: key = '', put } = useField('key');
  const given = useRef('');
  const take = (file: File): void => {
    if (key === '' || key === given.current) {
      given.current = file.name.replace(/\.(json|csv|xlsx)$/i, '').replace(/\.xml$/i, '.dmn');
      put(given.current);
    }
    onFile(file);
  };
  useEffect(() => {
    if (dropped !== null) take(dropped);
  }, [dropped]);
  return (
    <FileField
      name="File: a model (JDM or DMN), or a spreadsheet whose first row names its columns"
      accept=".json,.dmn,.xml,.xlsx,.csv"
      onFile={take}
    />
  );
}

/** Throws what is wrong with a file that is no model. */
async function readModel(file: File, ending: string): Promise<Model> {
  if (ending !== 'json') return documentIn(file);
  const value = parseJson(await file.text());
  if (!isModel(value)) throw new Error('This file is no model: it has no nodes.');
  return value;
}

const isModel = (value: unknown): value is Model => isObject(value) && Array.isArray(value['nodes']);
