import { walk, type Node } from './ast.js';
import { treeOf } from './usage.js';

/** A path of the data that a source reads, such as `customer.age`. */
export interface Name {
  readonly path: readonly string[];
  readonly span: readonly [start: number, end: number];
}

/** Whether there is a letter beside texts: most cells of tables are literals, which need no parser. */
const mayName = (source: string): boolean => /[\p{L}_]/u.test(source.replaceAll(/'[^']*'|"[^"]*"/g, ''));

/**
 * The paths of data that a source reads, without its own variables and what begins with `$`; empty where it does not
 * parse.
 */
export function namesIn(source: string, kind: 'standard' | 'unary'): readonly Name[] {
  const tree = mayName(source) ? treeOf(source, kind) : undefined;
  if (tree === undefined) return [];
  const own = new Set<string>();
  const names: Name[] = [];
  /** Parts of what was seen already. */
  const seen = new Set<Node>();
  walk(tree, (node) => {
    if (node.kind === 'assignments') for (const { path } of node.list) own.add(path[0] ?? '');
    if (node.kind === 'closure' && node.alias !== null) own.add(node.alias);
    // A key of an object is a name of its own.
    if (node.kind === 'object') for (const { key } of node.entries) seen.add(key);
    const path = seen.has(node) ? undefined : pathOf(node);
    if (node.kind === 'member' && (path !== undefined || seen.has(node))) seen.add(node.object);
    if (path !== undefined) names.push({ path, span: [node.span[0], node.span[1]] });
  });
  return names.filter(({ path: [first = ''] }) => !first.startsWith('$') && !own.has(first));
}

/** The fields that a source reads of `$root`, with where each name stands: `$root["net price"]`. */
export function rootNamesIn(source: string): readonly Name[] {
  const tree = source.includes('$root') ? treeOf(source, 'standard') : undefined;
  const names: Name[] = [];
  if (tree === undefined) return names;
  walk(tree, (node) => {
    if (node.kind !== 'member' || node.object.kind !== 'root') return;
    const { property } = node;
    if (property.kind === 'literal' && typeof property.value === 'string')
      names.push({ path: [property.value], span: [property.span[0], property.span[1]] });
  });
  return names;
}

function pathOf(node: Node): readonly string[] | undefined {
  if (node.kind === 'identifier') return [node.name];
  if (node.kind !== 'member' || node.property.kind !== 'literal') return undefined;
  const before = pathOf(node.object);
  return before === undefined || typeof node.property.value !== 'string' ? undefined : [...before, node.property.value];
}

/** A source with another path in place of one, wherever its names stand with points between them, and all that goes on behind it. */
export const withPath = (
  source: string,
  names: readonly Name[],
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): string =>
  names
    .filter(
      ({ path, span: [start] }) =>
        source.startsWith(from.join('.'), start) && from.every((part, at) => path[at] === part),
    )
    .sort((one, other) => other.span[0] - one.span[0])
    .reduce(
      (text, { span: [start] }) => text.slice(0, start) + to.join('.') + text.slice(start + from.join('.').length),
      source,
    );
