import type { Diagnostic } from '../../workers/engine/index.js';

/** A diagnostic and the key of the decision that it is about. Only errors refuse anything. */
export interface ModelDiagnostic {
  readonly key: string;
  readonly diagnostic: Diagnostic;
  /** The position in the file, where the file is no JSON; else the diagnostic's own location counts. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** A diagnostic as the API shows it, which calls it a fault; null where something does not apply. Lines and columns count from 1. */
export interface FaultDocument {
  readonly severity: 'error' | 'warning' | 'unknown';
  readonly key: string;
  readonly nodeId: string | null;
  /** The node's name. */
  readonly node: string | null;
  /** For people: `rule 3, output fee.amount`. */
  readonly field: string | null;
  /** JSON Pointer into the decision's content. */
  readonly pointer: string | null;
  readonly message: string;
  readonly hint: string | null;
  /** What can stand in place of a whole cell, where that has one reading. */
  readonly repair?: string;
  /** What can, where it has several. */
  readonly readings?: string[];
  /** The position within the expression, or within the file or the document where that is no JSON, or no XML. */
  readonly line: number | null;
  readonly column: number | null;
  /** That line; a part of it around the place where it is longer than 1,000 characters. */
  readonly excerpt: string | null;
}

const longestExcerpt = 1000;

export const isError = ({ diagnostic }: Pick<ModelDiagnostic, 'diagnostic'>): boolean =>
  diagnostic.severity === undefined;

/** A limit ended the check: that says nothing of the model, and another check may find all of it. */
export const isUnknown = ({ diagnostic }: Pick<ModelDiagnostic, 'diagnostic'>): boolean =>
  diagnostic.severity === 'unknown';

/** The form of a diagnostic in answers, and in what `--json` prints. */
export function faultDocument({ key, diagnostic, at }: ModelDiagnostic): FaultDocument {
  const position = positionOf(diagnostic);
  return {
    severity: diagnostic.severity ?? 'error',
    key,
    nodeId: diagnostic.nodeId ?? null,
    node: diagnostic.nodeName ?? null,
    field: diagnostic.label ?? diagnostic.field ?? null,
    pointer: diagnostic.pointer ?? null,
    message: diagnostic.message,
    hint: diagnostic.hint ?? null,
    ...(diagnostic.repair === undefined ? {} : { repair: diagnostic.repair }),
    ...(diagnostic.readings === undefined ? {} : { readings: [...diagnostic.readings] }),
    line: (at ?? diagnostic.at)?.line ?? position.line,
    column: (at ?? diagnostic.at)?.column ?? position.column,
    excerpt: position.excerpt,
  };
}

/** Line and column are null where only the whole expression is known to be meant. */
function positionOf({ source, span }: Diagnostic): Pick<FaultDocument, 'line' | 'column' | 'excerpt'> {
  if (source === undefined) return { line: null, column: null, excerpt: null };
  const at = span?.[0] ?? 0;
  const before = source.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const found = source.indexOf('\n', at);
  const end = found === -1 ? source.length : found;
  const from = end - start > longestExcerpt ? Math.max(start, at - longestExcerpt / 2) : start;
  const excerpt = source.slice(from, Math.min(end, from + longestExcerpt));
  if (span === undefined) return { line: null, column: null, excerpt };
  return { line: before.split('\n').length, column: at - start + 1, excerpt };
}
