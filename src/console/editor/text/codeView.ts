import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { faultMarks, type TextFault } from './faultMarks.js';
import { languages, type Language } from './languages.js';
import { colours, frame, lineFrame } from './look.js';
import type { Word } from './word.js';

export interface CodeOptions {
  readonly text: string;
  /** By which it is announced. */
  readonly label: string;
  readonly language: Language;
  /** One line, of a cell. */
  readonly isLine?: boolean;
  readonly isFocused?: boolean;
  readonly isReadOnly?: boolean;
  readonly onChange: (text: string) => void;
  /** @returns whether the key is done with */
  readonly onKey?: (event: KeyboardEvent) => boolean;
  /** @param before the words before the caret that are one path: `customer.ad` */
  readonly complete?: (before: string) => readonly Word[];
}

export interface Code {
  setText(text: string): void;
  setFaults(faults: readonly TextFault[]): void;
  close(): void;
}

/**
 * CodeMirror within a shadow root: only there it adopts its sheets, and adds no `style` elements, which the policy of the
 * console's pages refuses.
 */
export function codeView(parent: HTMLElement, options: CodeOptions): Code {
  const host = parent.appendChild(document.createElement('div'));
  host.className = 'code-host';
  const root = host.attachShadow({ mode: 'open' });
  let isOwnChange = false;
  const spoken = languages[options.language]();
  const slot = new Compartment();
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        slot.of(spoken instanceof Promise ? [] : spoken),
        extensionsOf(options),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !isOwnChange) options.onChange(state.doc.toString());
        }),
      ],
    }),
  });
  // Without its colours it is a text all the same.
  if (spoken instanceof Promise)
    spoken.then(
      (language) => view.dispatch({ effects: slot.reconfigure(language) }),
      () => undefined,
    );
  if (options.isFocused === true) {
    view.dispatch({ selection: { anchor: view.state.doc.length } });
    view.focus();
  }
  return {
    setText(text) {
      if (view.state.doc.toString() === text) return;
      isOwnChange = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isOwnChange = false;
    },
    setFaults: (faults) => view.dispatch(faultMarks(view.state, faults)),
    close() {
      view.destroy();
      host.remove();
    },
  };
}

function extensionsOf({ label, isLine = false, isReadOnly = false, onKey, complete }: CodeOptions): Extension {
  return [
    history(),
    syntaxHighlighting(colours),
    bracketMatching(),
    closeBrackets(),
    autocompletion({
      icons: false,
      override: complete === undefined ? null : [completionOf(complete)],
      // Enter ends a cell; in a text it takes the word.
      defaultKeymap: true,
    }),
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorState.readOnly.of(isReadOnly),
    frame,
    isLine ? [lineFrame, oneLine] : [lineNumbers(), EditorView.lineWrapping],
    Prec.highest(
      EditorView.domEventHandlers({
        keydown: (event, view) => {
          if (completionStatus(view.state) === 'active' && ['Enter', 'Tab', 'Escape'].includes(event.key)) return false;
          const isDone = onKey?.(event) ?? false;
          if (isDone) event.preventDefault();
          return isDone;
        },
      }),
    ),
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

const oneLine = EditorState.transactionFilter.of((transaction) => (transaction.newDoc.lines > 1 ? [] : transaction));

const path = /[\p{L}_$][\p{L}\p{N}_$.]*$/u;

const kinds = { field: 'property', function: 'function', text: 'text', keyword: 'keyword' } as const;

const completionOf =
  (complete: (before: string) => readonly Word[]) =>
  ({ state, pos, explicit }: { readonly state: EditorState; readonly pos: number; readonly explicit: boolean }) => {
    const line = state.doc.lineAt(pos);
    const before = path.exec(line.text.slice(0, pos - line.from))?.[0] ?? '';
    if (before === '' && !explicit) return null;
    const options = complete(before).map(({ label, detail, kind }) => ({ label, detail, type: kinds[kind] }));
    return { from: pos - before.length, options, validFor: /^[\p{L}\p{N}_$.]*$/u };
  };
