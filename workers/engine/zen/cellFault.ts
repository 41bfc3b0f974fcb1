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
  const kind = column.isTest ? 'unary' : 'standard';
  // In a test no sum of numbers is meant: it would be written as its result.
  const isFound = fault.readings.length > 0 || isWords(source) || (column.isTest && /^[\d\s./-]+$/.test(source));
  if (!isFound || treeOf(source, kind) === undefined) return isFound ? fault : undefined;
  const names = namesIn(source, kind).map(({ path: [name = ''] }) => name);
  const unknown = names.find((name) => !knows(name));
  if (unknown === undefined) return names.length > 0 ? undefined : fault;
  return fault.form === 'foreign' ? fault : { ...fault, message: namesNothing(unknown) };
}

const namesNothing = (name: string): string =>
  `Nothing in this model is named \`${name}\`: it is null, unless the request has it.`;
