import type { Value } from '../../values.js';
import type { Binary, Identifier, Node } from '../ast.js';
import { equalScalars } from '../values/equals.js';
import { dynamic, type Compiled } from './context.js';

/** Fewer comparisons than these are as fast one by one. */
const worthASet = 4;

interface Comparison {
  readonly name: Identifier;
  readonly value: null | boolean | number | string;
}

/** `$ == 'a' or $ == 'b' or …`, which is what a cell with a list of values is, as one lookup in a set. */
export function compileAlternatives(root: Binary, compile: (node: Node) => Compiled): Compiled | undefined {
  const values: Comparison['value'][] = [];
  let node: Node = root;
  let name: Identifier | undefined;
  while (node.kind === 'binary' && node.operator === 'or') {
    const found = comparison(node.right, name);
    if (!found) return undefined;
    name = found.name;
    values.push(found.value);
    node = node.left;
  }
  const first = comparison(node, name);
  if (!first || values.length < worthASet) return undefined;
  values.push(first.value);
  const field = compile(first.name).evaluate;
  const set: ReadonlySet<Value> = new Set(values);
  return dynamic((scope) => {
    const value = field(scope);
    if (typeof value !== 'object' || value === null) return set.has(value);
    return values.some((known) => equalScalars(value, known));
  });
}

/** A comparison of a name, the same as before, with a literal. */
function comparison(node: Node, name: Identifier | undefined): Comparison | undefined {
  if (node.kind !== 'binary' || node.operator !== '==' || node.left.kind !== 'identifier') return undefined;
  if (node.right.kind !== 'literal' || (name && name.name !== node.left.name)) return undefined;
  const { value } = node.right;
  return typeof value === 'object' && value !== null ? undefined : { name: node.left, value };
}
