import { createDecision } from '#openapi/forms.gen.js';
import { useEffect, useState } from 'preact/hooks';
import { parseJson } from '../api/exactJson.js';
import { documentIn } from '../api/contents.js';
import type { Model } from '../api/types.js';
import { Field, FormDialog, useField } from '../parts/form.js';
import { Failure } from '../parts/failure.js';
import { useRouter } from '../shell/address.js';
import { useSession } from '../shell/session.js';
import { SheetPreview, sheetOf, type Sheet } from './sheetPreview.js';
import { isObject } from '../graph/fields.js';

/** What a new decision begins with: it runs, and gives back what it gets. */
const beginning: Model = {
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [{ id: 'first', sourceId: 'request', targetId: 'response' }],
};

interface NewDecisionProps {
  /** That was dropped on the page. */
  readonly file: File | null;
  readonly onClose: () => void;
}

/** Makes a decision with a working copy, of nothing, a model's file or a spreadsheet, and opens it for editing. */
export function NewDecision({ file, onClose }: NewDecisionProps) {
  const { api } = useSession();
  const { go } = useRouter();
  const [content, setContent] = useState(beginning);
  const [sheet, setSheet] = useState<Sheet | null>(null);
  /** The file that could not be read, and why: nothing is made in its place. */
  const [refused, setRefused] = useState<{ readonly file: File; readonly error: unknown } | null>(null);
  const take = async (file: File): Promise<void> => {
    const ending = /\.(json|dmn|xml)$/i.exec(file.name)?.[1]?.toLowerCase();
    if (ending !== undefined) {
      setSheet(null);
      setContent(await readModel(file, ending));
    } else setSheet(sheetOf(file, await api.convertTable(file, null, null)));
  };
  const attempt = (chosen: File): void => {
    setRefused(null);
    take(chosen).catch((error: unknown) => setRefused({ file: chosen, error }));
  };
  return (
    <FormDialog
      operation={createDecision}
      title="New decision"
      {...(refused === null ? { action: 'Create' } : {})}
      isWide={sheet !== null}
      send={async ({ key }) => {
        // Enter asks for it as well.
        if (refused !== null) throw refused.error;
        const made = sheet === null ? content : await convert(sheet);
        const { id } = await api.createDecision(/\.(json|dmn)$/i.test(key) ? key : `${key}.json`, made);
        go(`/decisions/${id}/edit`);
      }}
      onClose={onClose}
    >
      <Field at="key" label="Name (key)" placeholder="shop/discount" hint="" />
      <FileField dropped={file} onFile={attempt} />
      {refused !== null && <Failure error={refused.error} onRetry={() => attempt(refused.file)} />}
      {sheet !== null && <SheetPreview sheet={sheet} onChange={(inputs) => setSheet({ ...sheet, inputs })} />}
    </FormDialog>
  );

  async function convert({ file, columns, inputs }: Sheet): Promise<Model> {
    const outputs = columns.filter((name) => !inputs.has(name));
    const asked = columns.filter((name) => inputs.has(name));
    return (await api.convertTable(file, asked, outputs)).content;
  }
}

interface FileFieldProps {
  readonly dropped: File | null;
  readonly onFile: (file: File) => void;
}

/** A file, after which the decision is called where nobody has named it yet. */
function FileField({ dropped, onFile }: FileFieldProps) {
  const { value: key = '', put } = useField('key');
  const take = (file: File): void => {
    if (key === '') put(file.name.replace(/\.(json|csv|xlsx)$/i, '').replace(/\.xml$/i, '.dmn'));
    onFile(file);
  };
  useEffect(() => {
    if (dropped !== null) take(dropped);
  }, [dropped]);
  return (
    <label>
      File: a model (JDM or DMN), or a spreadsheet whose first row names its columns
      <input
        type="file"
        accept=".json,.dmn,.xml,.xlsx,.csv"
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0];
          if (chosen !== undefined) take(chosen);
        }}
      />
    </label>
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
