import { isError, isUnknown, type FaultDocument, type ModelDiagnostic } from '../decisions/diagnostics.js';
import { printable } from './printable.js';

/** A diagnostic with the path of its file, or the key of its decision. */
export interface LocatedDiagnostic extends ModelDiagnostic {
  readonly place: string;
}

/** A longer line's excerpt is cut, so that a column may lie beyond it. */
const surelyWhole = 500;

/** A fault that the service found, to be drawn like a diagnostic that was found here. */
export function locatedDiagnostic(place: string, document: FaultDocument): LocatedDiagnostic {
  const { severity, key, nodeId, node, field, message, hint, column, excerpt } = document;
  const at = column === null || column > surelyWhole ? undefined : column - 1;
  // A fault has where it begins; a word is meant as a whole.
  const length = /^\w+/.exec(excerpt?.slice(at) ?? '')?.[0].length ?? 1;
  return {
    place,
    key,
    diagnostic: {
      code: 'model_invalid',
      message,
      ...(severity === 'error' ? {} : { severity }),
      ...(nodeId === null ? {} : { nodeId }),
      ...(node === null ? {} : { nodeName: node }),
      ...(field === null ? {} : { field }),
      ...(hint === null ? {} : { hint }),
      ...(excerpt === null ? {} : { source: excerpt }),
      ...(at === undefined ? {} : { span: [at, at + length] as const }),
    },
  };
}

/** Faults that the service found in one model. */
export const drawFaults = (place: string, faults: readonly FaultDocument[]): string =>
  drawDiagnostics(faults.map((fault) => locatedDiagnostic(place, fault)));

const maxWidth = 100;

/**
 * Diagnostics for people: file, node and field, message, the expression with carets under the span, and what to do.
 */
export function drawDiagnostics(diagnostics: readonly Pick<LocatedDiagnostic, 'place' | 'diagnostic'>[]): string {
  return diagnostics.map(draw).join('\n\n');
}

function draw({ place, diagnostic }: Pick<LocatedDiagnostic, 'place' | 'diagnostic'>): string {
  const node = diagnostic.nodeName ?? diagnostic.nodeId;
  const shown = isError({ diagnostic }) ? place : `${diagnostic.severity ?? ''}: ${place}`;
  const where = [shown, node === undefined ? undefined : `node "${node}"`, diagnostic.label ?? diagnostic.field];
  return [
    where
      .filter((part) => part !== undefined)
      .map(printable)
      .join(', '),
    `  ${printable(diagnostic.message)}`,
    ...(diagnostic.source === undefined ? [] : excerpt(diagnostic.source, diagnostic.span)),
    ...(diagnostic.hint === undefined ? [] : [`  hint: ${printable(diagnostic.hint)}`]),
  ].join('\n');
}

/** The line of the source that the span starts in, with carets below it; a long line is cut around the carets. */
function excerpt(source: string, span: readonly [start: number, end: number] | undefined): string[] {
  if (source.trim() === '') return [];
  const [start, end] = span ?? [0, 0];
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const found = source.indexOf('\n', start);
  const lineEnd = found === -1 ? source.length : found;
  const from = Math.max(lineStart, Math.min(start - maxWidth / 2, lineEnd - maxWidth));
  const to = Math.min(lineEnd, from + maxWidth);
  const lead = from > lineStart ? '…' : '';
  const line = `    ${lead}${printable(source.slice(from, to))}${to < lineEnd ? '…' : ''}`;
  if (span === undefined) return [line];
  const carets = '^'.repeat(Math.max(1, Math.min(end, to) - start));
  return [line, `    ${' '.repeat(lead.length + start - from)}${carets}`];
}

/** `2 faults`, `1 fault, 2 warnings`, `1 warning`, `1 model not known`, `no faults`. */
export function countedDiagnostics(diagnostics: readonly Pick<LocatedDiagnostic, 'diagnostic'>[]): string {
  const errors = diagnostics.filter(isError).length;
  const unknown = diagnostics.filter(isUnknown).length;
  const warnings = diagnostics.length - errors - unknown;
  const parts = [
    errors > 0 ? counted(errors, 'fault') : '',
    warnings > 0 ? counted(warnings, 'warning') : '',
    unknown > 0 ? `${counted(unknown, 'model')} not known` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'no faults';
}

/** `1 model`, `2 models`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
