import { standardKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting, LanguageSupport, LRLanguage } from '@codemirror/language';
import { Compartment, EditorState, Prec, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { faultField, faultMarks, type TextFault } from './faultMarks.js';
import { loadPart } from '../../parts/loadPart.js';
import { colours, frame, lineFrame } from './look.js';
import type { Word } from './word.js';
import { json } from '@codemirror/lang-json';
import { parser } from '@gorules/lezer-zen';

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
  const words = lateCompletion(options);
  const view = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        slot.of(spoken instanceof Promise ? [] : spoken),
        words.extension,
        extensionsOf(options, words.takesKey),
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
  words.load(view);
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

/** Completion, which comes with the first text that somebody writes in: it is a sixth of the desk. */
function lateCompletion({ text, isLine, isReadOnly, complete }: CodeOptions) {
  const slot = new Compartment();
  let takesKey = (_view: EditorView, _key: string): boolean => false;
  return {
    extension: slot.of([]),
    takesKey: (view: EditorView, key: string): boolean => takesKey(view, key),
    load(view: EditorView): void {
      if (isReadOnly === true) return;
      loadPart(import('./completion.js')).then(
        (part) => {
          takesKey = part.takesKey;
          view.dispatch({ effects: slot.reconfigure(part.completion(complete, isLine === true)) });
          // What was typed before it came is completed, too.
          if (view.hasFocus && view.state.doc.toString() !== text) part.catchUp(view);
        },
        // Without it, it is a text all the same.
        () => undefined,
      );
    },
  };
}

function extensionsOf(
  { label, isLine = false, isReadOnly = false, onKey }: CodeOptions,
  takesKey: (view: EditorView, key: string) => boolean,
): Extension {
  return [
    history(),
    syntaxHighlighting(colours),
    bracketMatching(),
    faultField,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    EditorState.readOnly.of(isReadOnly),
    frame,
    isLine ? [lineFrame, oneLine] : [lineNumbers(), EditorView.lineWrapping],
    Prec.highest(
      EditorView.domEventHandlers({
        keydown: (event, view) => {
          if (takesKey(view, event.key)) return event.key === 'Enter' || event.key === 'Tab';
          const isDone = onKey?.(event) ?? false;
          if (isDone) event.preventDefault();
          return isDone;
        },
      }),
    ),
    // The keys of every text field; those of programmers would be a part of every desk.
    keymap.of([...historyKeymap, ...standardKeymap]),
  ];
}

/** A text of a file may have lines, of which none is added here. */
const oneLine = EditorState.transactionFilter.of((transaction) =>
  transaction.newDoc.lines > Math.max(1, transaction.startState.doc.lines) ? [] : transaction,
);

const zen = LRLanguage.define({
  name: 'zen',
  parser,
  languageData: { closeBrackets: { brackets: ['(', '[', '{', "'", '"'] } },
});

/** What stands in a model's texts. */
const languages = {
  zen: () => new LanguageSupport(zen),
  json: () => json(),
  // Its grammar is a tenth of the desk, for the one kind of node that has functions.
  javascript: async () => (await loadPart(import('@codemirror/lang-javascript'))).javascript(),
  words: () => [],
} as const satisfies Readonly<Record<string, () => Extension | Promise<Extension>>>;

type Language = keyof typeof languages;
