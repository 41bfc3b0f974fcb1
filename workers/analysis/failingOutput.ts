import type { Table } from '../engine/nodes/table/content.js';
import { tried } from '../engine/errors.js';
import type { Node } from '../engine/zen/ast.js';
import { analyseUnary } from '../engine/zen/index.js';
import { parseStandard } from '../engine/zen/parser/index.js';
import { isNumeric } from '../engine/zen/values/numbers.js';
import { pathOf } from './paths.js';

/** Why the row's results may fail, so that the row is passed over; undefined where they cannot. */
export function failingOutput({ outputs, rules }: Table, row: number, mayBeNoObject: boolean): string | undefined {
  for (const { id, path } of outputs) {
    const cell = rules[row]?.get(id) ?? '';
    if (cell === '' || path === '' || cannotFail(cell, mayBeNoObject)) continue;
    return (
      `row ${row + 1} is skipped for inputs of which its result \`${cell}\` cannot be computed, and this check does not know for which. ` +
      'A result that can always be computed, such as a number or a text, settles it'
    );
  }
  return undefined;
}

const cannotFail = (source: string, mayBeNoObject: boolean): boolean =>
  analyseUnary(source).kind === 'literals' || tried(() => isSafe(parseStandard(source), mayBeNoObject)) === true;

function isSafe(node: Node, mayBeNoObject: boolean): boolean {
  const isPart = (part: Node): boolean => isSafe(part, mayBeNoObject);
  const path = pathOf(node);
  // Reading a property of a value that is no object fails. A path with several names does not: the value of its first name is
  // null there, and a property of null is null.
  if (path !== undefined) return !mayBeNoObject || path.length > 1;
  if (node.kind === 'literal') return true;
  if (node.kind === 'group') return isPart(node.inner);
  if (node.kind === 'array') return node.items.every(isPart);
  if (node.kind === 'object') return node.entries.every(({ key, value }) => key.kind === 'literal' && isPart(value));
  return (
    node.kind === 'unary' && node.operator === '-' && node.operand.kind === 'literal' && isNumeric(node.operand.value)
  );
}
