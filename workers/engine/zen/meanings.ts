import type { Diagnostic } from '../errors.js';
import type { Limits } from '../limits.js';
import { walk, type Call, type Node } from './ast.js';
import { parseDate } from './dates/parse.js';
import { treeOf } from './usage.js';

/** Only sources with one of these can mean something else than before. */
const mayDiffer = /\bd\s*\(|\b(?:matches|extract)\s*\(/;
const equalities: ReadonlySet<string> = new Set(['==', '!=', 'in', 'not in', '<', '<=', '>', '>=']);
/** A class within brackets whose negation knew ASCII alone. */
const negatedWithin = /\[[^\]]*\\[DSW]/;

/**
 * Warnings for parts of a source that answered otherwise before version 1.0 (`deploy/changes.md`), as far as they can be
 * seen without a fact. Empty for a source that does not parse.
 */
export function changedMeanings(source: string, kind: 'standard' | 'unary', limits?: Limits): Diagnostic[] {
  const tree = mayDiffer.test(source) ? treeOf(source, kind, limits) : undefined;
  const diagnostics: Diagnostic[] = [];
  if (tree === undefined) return diagnostics;
  walk(tree, (node) => {
    const message = messageOf(node);
    const [start, end] = node.span;
    if (message !== undefined)
      diagnostics.push({ code: 'type_error', severity: 'warning', message, span: [start, end] });
  });
  return diagnostics;
}

function messageOf(node: Node): string | undefined {
  if (node.kind === 'binary' && equalities.has(node.operator)) {
    const [left, right] = [node.left, node.right];
    return (isDate(left) && isText(right)) || (isText(left) && isDate(right)) ? comparesText : undefined;
  }
  if (node.kind !== 'call') return undefined;
  const [first, second] = node.args;
  if (node.name === 'd') return ofDate(node);
  if (node.name === 'contains' && second !== undefined && isDate(second)) return findsDates;
  const pattern = second?.kind === 'literal' ? second.value : undefined;
  const isSearch = node.name === 'matches' || node.name === 'extract';
  return isSearch && first && typeof pattern === 'string' && negatedWithin.test(pattern) ? knowsUnicode : undefined;
}

function ofDate({ args: [first, zone] }: Call): string | undefined {
  const text = first?.kind === 'literal' ? first.value : undefined;
  if (typeof text !== 'string')
    return zone !== undefined && first !== undefined && isDate(first) ? convertsZone : undefined;
  const offset = parseDate(text)?.offset ?? null;
  return offset !== null && (offset !== 0 || zone !== undefined) ? honoursOffset : undefined;
}

const comparesText = 'A date is compared with the date that the text names; before version 1.0 they were never equal.';
const findsDates = 'Dates are found in lists; before version 1.0 they were not.';
const convertsZone = 'The date is converted to the time zone; before version 1.0 it kept its own.';
const honoursOffset = 'The offset of the text is honoured; before version 1.0 its local time was taken.';
const knowsUnicode = 'The negated class knows all of Unicode; before version 1.0 it knew ASCII alone within brackets.';

const isText = (node: Node): boolean => node.kind === 'literal' && typeof node.value === 'string';

/** Whether a node is `d(…)` itself; what methods make of one is not looked into. */
const isDate = (node: Node): boolean =>
  (node.kind === 'call' && node.name === 'd') || (node.kind === 'group' && isDate(node.inner));
