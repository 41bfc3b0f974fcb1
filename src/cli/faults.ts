import { isError, type FaultDocument, type ModelFault } from '../decisions/faults.js';
import { printable } from './printable.js';

/** A fault and where people find it: a file's path, or a decision's key. */
export interface PlacedFault extends ModelFault {
  readonly place: string;
}

/** A longer line's excerpt is cut, so that a column may lie beyond it. */
const surelyWhole = 500;

/** A fault as the service tells it, to be drawn as those that are found here. */
export function placedFault(place: string, document: FaultDocument): PlacedFault {
  const { severity, key, nodeId, node, field, message, hint, column, excerpt } = document;
  const at = column === null || column > surelyWhole ? undefined : column - 1;
  return {
    place,
    key,
    fault: {
      code: 'model_invalid',
      message,
      ...(severity === 'warning' ? { severity } : {}),
      ...(nodeId === null ? {} : { nodeId }),
      ...(node === null ? {} : { nodeName: node }),
      ...(field === null ? {} : { field }),
      ...(hint === null ? {} : { hint }),
      ...(excerpt === null ? {} : { source: excerpt }),
      ...(at === undefined ? {} : { span: [at, at + 1] as const }),
    },
  };
}

const maxWidth = 100;

/**
 * All faults for people: place, node and field, message, the expression with carets under the place, and what to do.
 */
export function drawFaults(faults: readonly Pick<PlacedFault, 'place' | 'fault'>[]): string {
  return faults.map(draw).join('\n\n');
}

function draw({ place, fault }: Pick<PlacedFault, 'place' | 'fault'>): string {
  const node = fault.nodeName ?? fault.nodeId;
  const shown = isError({ fault }) ? place : `warning: ${place}`;
  const where = [shown, node === undefined ? undefined : `node "${node}"`, fault.label ?? fault.field];
  return [
    where
      .filter((part) => part !== undefined)
      .map(printable)
      .join(', '),
    `  ${printable(fault.message)}`,
    ...(fault.source === undefined ? [] : excerpt(fault.source, fault.span)),
    ...(fault.hint === undefined ? [] : [`  hint: ${printable(fault.hint)}`]),
  ].join('\n');
}

/** The line of the source that the span starts in, with carets below it; a long line is cut around the place. */
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

/** `2 faults`, `1 fault, 2 warnings`, `1 warning`, `no faults`. */
export function countedFaults(faults: readonly Pick<PlacedFault, 'fault'>[]): string {
  const errors = faults.filter(isError).length;
  const warnings = faults.length - errors;
  const parts = [errors > 0 ? counted(errors, 'fault') : '', warnings > 0 ? counted(warnings, 'warning') : ''];
  return parts.filter((part) => part !== '').join(', ') || 'no faults';
}

/** `1 model`, `2 models`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
