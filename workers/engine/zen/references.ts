import { EngineError } from '../errors.js';
import { walk, type Assignments, type Node } from './ast.js';
import { parseStandard, parseUnary } from './parser/index.js';

/**
 * The paths that an expression reads of its data, such as `['customer', 'age']`, each once, in order of appearance; a
 * computed key ends a path. Variables that it assigns and closures' names are not among them. Empty when it does not parse.
 */
export function references(source: string, kind: 'standard' | 'unary'): string[][] {
  try {
    const tree = kind === 'unary' ? parseUnary(source) : parseStandard(source);
    return collect(tree);
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function collect(tree: Node): string[][] {
  const local = new Set<string>(['$', '$nodes', '$env']);
  walk(tree, (node) => {
    if (node.kind === 'closure' && node.alias !== null) local.add(node.alias);
    if (node.kind === 'assignments') assigned(node).forEach((name) => local.add(name));
  });
  const found = new Map<string, string[]>();
  const inner = new Set<Node>();
  walk(tree, (node) => {
    if (inner.has(node)) return;
    const path = pathOf(node, inner);
    const [first] = path ?? [];
    if (path && first !== undefined && !local.has(first)) found.set(path.join('\0'), path);
  });
  return [...found.values()];
}

function assigned(node: Assignments): string[] {
  return node.list.map(({ path }) => path[0] ?? '');
}

/** The path that a node reads, and its inner nodes marked as seen; undefined when it starts with something else. */
function pathOf(node: Node, inner: Set<Node>): string[] | undefined {
  const keys: string[] = [];
  let current = node;
  while (current.kind === 'member') {
    const key = current.property.kind === 'literal' ? current.property.value : undefined;
    if (typeof key === 'string') keys.push(key);
    else keys.length = 0;
    inner.add(current.object);
    current = current.object;
  }
  if (current.kind === 'identifier') return [current.name, ...keys.reverse()];
  return current.kind === 'root' ? keys.reverse() : undefined;
}
