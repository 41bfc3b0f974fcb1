import { isOrderedCell, isWords, readCell, type CellColumn, type CellFault } from '../../cells/index.js';
import { namesIn } from './names.js';
import { walk, type Node } from './ast.js';
import { functions } from './functions/index.js';
import { typeOf } from './resultShape.js';
import type { JsonType } from './shape.js';
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
  const tree = callsKnown(treeOf(source, kind));
  const isWrittenSo = isWritten(fault, { source, column, isParsed: tree !== undefined });
  if (tree === undefined) return isWrittenSo ? fault : undefined;
  if (hasShareOrPrice(tree)) return fault;
  // `R+V` among texts is the name of a company, unless there are fields of these names.
  if (isWrittenSo || (column.kind === 'text' && fault.form === 'text')) {
    const names = namesIn(source, kind).map(({ path: [name = ''] }) => name);
    const unknown = names.find((name) => !knows(name));
    if (unknown !== undefined) return fault.form === 'foreign' ? fault : { ...fault, message: namesNothing(unknown) };
    if (names.length === 0 && isWrittenSo) return fault;
  }
  return doesNothing(tree, column) ? fault : undefined;
}

/** `Austria (standard)` is no call: there is no such function. */
function callsKnown(tree: Node | undefined): Node | undefined {
  const unknown: Node[] = [];
  if (tree !== undefined) {
    walk(tree, (node) => {
      if (node.kind === 'call' && !functions.has(node.name)) unknown.push(node);
    });
  }
  return unknown.length === 0 ? tree : undefined;
}

/** Whether ZEN reads something that no row can mean in such a column. */
const doesNothing = (tree: Node, column: CellColumn): boolean =>
  column.isTest
    ? comparesTruth(tree) || comparesConstants(tree)
    : tree.kind === 'interval' || !mayGive(column, typeOf(tree));

/** `18 < age < 25`: the second sign compares a truth. */
function comparesTruth(tree: Node): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.kind === 'binary' && ordering.has(node.operator) && isOrdering(node.left);
  });
  return found;
}

/** `2.5% + $10`: to ZEN that is what is left of a division by the field `$10`, which nobody means. */
function hasShareOrPrice(tree: Node): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.kind === 'identifier' && /^\$\d/.test(node.name);
    found ||= node.kind === 'binary' && node.operator === '%' && node.right.kind === 'unary';
  });
  return found;
}

/** `10 > 5`: whatever a request has, it is the same. */
function comparesConstants(tree: Node): boolean {
  let found = false;
  walk(tree, (node) => {
    found ||= node.kind === 'binary' && comparing.has(node.operator) && !reads(node);
  });
  return found;
}

function reads(tree: Node): boolean {
  let found = false;
  walk(tree, ({ kind }) => {
    found ||= kind === 'identifier' || kind === 'root' || kind === 'pointer' || kind === 'call';
  });
  return found;
}

const ordering: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const comparing: ReadonlySet<string> = new Set([...ordering, '==', '!=', 'in', 'not in']);
export const isOrdering = (node: Node): boolean => node.kind === 'binary' && ordering.has(node.operator);

/**
 * Whether a column may have values of that type of JSON; dates and times are texts. A guess of its kind is one of its plain
 * cells: beside texts other expressions may give anything, but numbers and truths are not for one column.
 */
function mayGive({ kind, isStored }: CellColumn, type: JsonType | undefined): boolean {
  if (type === undefined || type === 'null' || kind === 'any') return true;
  if (!isStored && (kind !== 'number' || type !== 'boolean')) return true;
  return type === (kind === 'number' || kind === 'boolean' ? kind : 'string');
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
  if (isWords(source) || bracketed.test(source) || form === 'formula' || source.trim() === '$') return true;
  // An amount that nobody can take its currency or its unit from is one all the same.
  if (form === 'currency' || form === 'unit') return true;
  // In a test no sum of numbers is meant: it would be written as its result; and `>= 2025-01-01` is a day among numbers, too.
  if (column.isTest && (/^[\d\s./-]+$/.test(source) || isOrderedCell(source))) return true;
  return readings.length > 0 && !(isParsed && form === 'text');
}

/** `(blank)`: a word in brackets is the field of that name to ZEN. */
const bracketed = /^\s*(?:\([\p{L}_][\p{L}\p{N}_ -]*\)|\[[\p{L}_][\p{L}\p{N}_ -]*\])\s*$/u;

const kindOf = ({ isTest }: CellColumn): 'unary' | 'standard' => (isTest ? 'unary' : 'standard');

export const namesNothing = (name: string): string =>
  `Nothing in this model is named \`${name}\`: it is null, unless the request has it.`;
