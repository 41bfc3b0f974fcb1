import { useEffect, useRef, useState } from 'preact/hooks';
import type { Evaluation, Model } from '../api/types.js';
import type { ModelEditor } from '../editor/editor.js';
import { Failure } from '../parts/failure.js';
import { loadPart } from '../parts/loadPart.js';
import { GraphForm } from './graphForm.js';

interface EditorFrameProps {
  /** What the editor begins with. */
  readonly model: Model;
  /** What it has by now. */
  readonly draft: Model;
  /** The last run of the draft, to be marked. */
  readonly run: { readonly evaluation: Evaluation; readonly model: Model } | null;
  readonly onChange: (changed: Pick<Model, 'nodes' | 'edges'>) => void;
}

/** The place of the editor, which is loaded with this component and not before. */
export function EditorFrame({ model, draft, run, onChange }: EditorFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<ModelEditor | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let isShown = true;
    loadPart(import('../editor/editor.js')).then(({ openEditor }) => {
      if (isShown && place.current !== null) editor.current = openEditor(place.current, { model, onChange });
    }, setFailure);
    return () => {
      isShown = false;
      editor.current?.close();
      editor.current = null;
    };
  }, [model]);
  useEffect(() => editor.current?.show(run), [run]);
  return (
    <>
      {failure !== null && <Failure error={failure} />}
      <GraphForm
        model={draft}
        onAdd={(type) => editor.current?.addNode(type)}
        onConnect={(edge) => editor.current?.connect(edge)}
      />
      <div ref={place} class="editor" />
    </>
  );
}
