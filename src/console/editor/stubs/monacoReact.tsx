/** @jsxImportSource react */
import { history, historyKeymap, defaultKeymap } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';

interface EditorProps {
  readonly value?: string;
  readonly onChange?: (value: string) => void;
  readonly options?: { readonly readOnly?: boolean };
}

/**
 * In place of Monaco's: CodeMirror, which the editor has for expressions. The real one would load itself from another host.
 */
export function Editor({ value = '', onChange, options }: EditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  changed.current = onChange;
  const readOnly = options?.readOnly === true;
  useEffect(() => {
    if (place.current === null) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          history(),
          // Tab leads out of it, as out of every field; Ctrl+] indents.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': 'Source' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) changed.current?.(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, [readOnly]);
  useEffect(() => {
    const shown = view.current;
    if (shown === null || shown.state.doc.toString() === value) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
  }, [value]);
  return <div ref={place} className="code-editor" />;
}

interface DiffEditorProps {
  readonly modified?: string;
}

export const DiffEditor = ({ modified }: DiffEditorProps) => (
  <Editor {...(modified === undefined ? {} : { value: modified })} options={{ readOnly: true }} />
);

export const loader = { config: (): void => undefined };

/** There is no Monaco to be had. */
export const useMonaco = (): null => null;
