import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { keymap, type EditorView } from '@codemirror/view';
import { lengthBegun, type Word } from './word.js';

/** What helps who types: words that may stand at the caret, and brackets in pairs. @param isLine whether it is a cell */
export const completion = (complete: ((before: string) => readonly Word[]) | undefined, isLine: boolean): Extension => [
  closeBrackets(),
  autocompletion({
    icons: false,
    override: complete === undefined ? null : [wordsOf(complete)],
    defaultKeymap: true,
    // Enter ends a cell, of which the word is often another one; it takes what an arrow has chosen.
    selectOnOpen: !isLine,
  }),
  keymap.of([...closeBracketsKeymap, ...completionKeymap]),
];

/** Keys that go through words that are offered, or close them: the editor's own. */
const ofWords = new Set(['Escape', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown']);

/** Whether a key is for words that are offered just now: Enter and Tab take the chosen one, and else end the cell. */
export const takesKey = (view: EditorView, key: string): boolean =>
  completionStatus(view.state) === 'active' &&
  (ofWords.has(key) || ((key === 'Enter' || key === 'Tab') && acceptCompletion(view)));

/** Offers the words for what was typed before this part was there, as typing does: what nobody asked for ends with its word. */
export const catchUp = (view: EditorView): void => view.dispatch({ userEvent: 'input.type' });

const path = /[\p{L}_$][\p{L}\p{N}_$.]*$/u;

const kinds = { field: 'property', function: 'function', text: 'text', keyword: 'keyword' } as const;

const wordsOf =
  (complete: (before: string) => readonly Word[]) =>
  ({ state, pos, explicit }: { readonly state: EditorState; readonly pos: number; readonly explicit: boolean }) => {
    const line = state.doc.lineAt(pos);
    const typed = line.text.slice(0, pos - line.from);
    const optionOf = ({ label, written = label, detail, kind }: Word) => ({
      ...{ label, detail, apply: written },
      type: kinds[kind],
    });
    const begun = complete('').map((word) => ({ word, length: lengthBegun(word.label, typed) }));
    const most = Math.max(0, ...begun.map(({ length }) => length));
    if (most > 0) {
      const options = begun.filter(({ length }) => length === most).map(({ word }) => optionOf(word));
      // The list stays while more of a name is typed.
      const isBegun = (text: string): boolean =>
        options.some(({ label }) => label.toLowerCase().startsWith(text.toLowerCase()));
      return { from: pos - most, options, validFor: isBegun };
    }
    const before = path.exec(typed)?.[0] ?? '';
    if (before === '' && !explicit) return null;
    return {
      from: pos - before.length,
      options: complete(before)
        .filter(({ label }) => label !== before)
        .map(optionOf),
      validFor: /^[\p{L}\p{N}_$.]*$/u,
    };
  };
