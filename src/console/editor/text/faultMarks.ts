import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import type { EditorState, TransactionSpec } from '@codemirror/state';

/** A fault of a text, where the service found it. */
export interface TextFault {
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** From 1; null where all of it is meant. */
  readonly line: number | null;
  readonly column: number | null;
}

/** Marks the faults under the text. */
export function faultMarks(state: EditorState, faults: readonly TextFault[]): TransactionSpec {
  return setDiagnostics(
    state,
    faults.map((fault) => diagnosticOf(state, fault)),
  );
}

function diagnosticOf({ doc }: EditorState, { message, severity, line, column }: TextFault): Diagnostic {
  if (column === null) return { from: 0, to: doc.length, severity, message };
  const marked = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
  // At the end of a text there is nothing after the place: what is before it is marked.
  const from = Math.min(marked.from + column - 1, Math.max(marked.from, marked.to - 1));
  const word = /^[\p{L}\p{N}_$]+/u.exec(doc.sliceString(from, marked.to))?.[0].length ?? 1;
  return { from, to: Math.min(from + word, doc.length), severity, message };
}
