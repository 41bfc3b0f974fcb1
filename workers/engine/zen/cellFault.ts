import { isWords, readCell, type CellColumn, type CellFault } from '../../cells/index.js';
import { namesIn } from './names.js';
import { treeOf } from './usage.js';

/**
 * What is wrong with a cell in a column, where a person means something else than ZEN reads with the fields that are
 * there.
 * @param knows whether a name that begins a path is one of the data
 */
export function faultIn(source: string, column: CellColumn, knows: (name: string) => boolean): CellFault | undefined {
  const fault = readCell(source, column);
  return fault === undefined || fault.isPlain ? fault : unlessMeant(fault, { source, column, knows });
}

interface Context {
  readonly source: string;
  readonly column: CellColumn;
  readonly knows: (name: string) => boolean;
}

function unlessMeant(fault: CellFault, { source, column, knows }: Context): CellFault | undefined {
  const kind = kindOf(column);
  const isParsed = treeOf(source, kind) !== undefined;
  if (!isWritten(fault, { source, column, isParsed })) return undefined;
  if (!isParsed) return fault;
  const names = namesIn(source, kind).map(({ path: [name = ''] }) => name);
  const unknown = names.find((name) => !knows(name));
  if (unknown === undefined) return names.length > 0 ? undefined : fault;
  return fault.form === 'foreign' ? fault : { ...fault, message: namesNothing(unknown) };
}

/** Whether a cell may be no ZEN at all, so that its words are no names. */
export function mayBeNoZen(source: string, column: CellColumn): boolean {
  const fault = readCell(source, column);
  return fault !== undefined && isWritten(fault, { source, column, isParsed: true });
}

/** Whether a person may have written it; of what ZEN reads, a text has words alone. */
function isWritten(
  { readings, form }: CellFault,
  { source, column, isParsed }: { readonly source: string; readonly column: CellColumn; readonly isParsed: boolean },
): boolean {
  if (isWords(source) || bracketed.test(source) || form === 'formula') return true;
  // In a test no sum of numbers is meant: it would be written as its result.
  if (column.isTest && /^[\d\s./-]+$/.test(source)) return true;
  return readings.length > 0 && !(isParsed && form === 'text');
}

/** `(blank)`: a word in brackets is the field of that name to ZEN. */
const bracketed = /^\s*(?:\([\p{L}_][\p{L}\p{N}_ -]*\)|\[[\p{L}_][\p{L}\p{N}_ -]*\])\s*$/u;

const kindOf = ({ isTest }: CellColumn): 'unary' | 'standard' => (isTest ? 'unary' : 'standard');

const namesNothing = (name: string): string =>
  `Nothing in this model is named \`${name}\`: it is null, unless the request has it.`;
