import { StateEffect, StateField, type EditorState, type Range, type TransactionSpec } from '@codemirror/state';
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view';

/** A fault of a text, where the service found it. */
export interface TextFault {
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** From 1; null where all of it is meant. */
  readonly line: number | null;
  readonly column: number | null;
}

const marked = StateEffect.define<DecorationSet>();

/** The marks under a text, which move with it until there are others. */
export const faultField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, { changes, effects }) =>
    effects.reduce((before, effect) => (effect.is(marked) ? effect.value : before), marks.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the faults under the text. */
export const faultMarks = (state: EditorState, faults: readonly TextFault[]): TransactionSpec => ({
  effects: marked.of(
    Decoration.set(
      faults.flatMap((fault) => markOf(state, fault)),
      true,
    ),
  ),
});

function markOf({ doc }: EditorState, { message, severity, line, column }: TextFault): Range<Decoration>[] {
  const mark = Decoration.mark({ class: `fault-${severity}`, attributes: { title: message } });
  // There is nothing to mark in an empty text.
  const over = (from: number, to: number): Range<Decoration>[] => (from < to ? [mark.range(from, to)] : []);
  if (column === null) return over(0, doc.length);
  const marked = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  // At the end of a text there is nothing after the place: what is before it is marked.
  const from = Math.min(marked.from + column - 1, Math.max(marked.from, marked.to - 1));
  const word = /^[\p{L}\p{N}_$]+/u.exec(doc.sliceString(from, marked.to))?.[0].length ?? 1;
  return over(from, Math.min(from + word, doc.length));
}
