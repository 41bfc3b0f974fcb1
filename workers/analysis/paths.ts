import type { Node } from '../engine/zen/ast.js';
import { parseStandard } from '../engine/zen/parser/index.js';
import { parsed } from './evaluate.js';

/** The keys of `a.b['c']` and `$root['a'].b`; undefined for anything else. */
export function pathOf(node: Node): readonly string[] | undefined {
  const keys: string[] = [];
  let at = node;
  for (; at.kind === 'member'; at = at.object) {
    if (at.property.kind !== 'literal' || typeof at.property.value !== 'string') return undefined;
    keys.unshift(at.property.value);
  }
  if (at.kind === 'root') return keys.length === 0 ? undefined : keys;
  if (at.kind !== 'identifier' || at.name.startsWith('$')) return undefined;
  return [at.name, ...keys];
}

/** A path as one name that ZEN can read, different for different paths: `a.b`, `a["b c"]`, `$root["b c"]`. */
export const pathName = ([first = '', ...rest]: readonly string[]): string =>
  (/^[A-Za-z_]\w*$/.test(first) ? first : `$root[${JSON.stringify(first)}]`) +
  rest.map((key) => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');

/** The path that an expression is; undefined where it is no path, or does not parse. */
export function fieldPath(source: string): readonly string[] | undefined {
  const tree = parsed(() => parseStandard(source));
  return tree && pathOf(tree);
}

/** Whether one path is the other, or leads into it. */
export const overlaps = (one: readonly string[], other: readonly string[]): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((key, index) => key === long[index]);
};

/** No path is computed, and none is part of another. */
export const areApart = (paths: readonly (readonly string[] | null)[]): paths is readonly (readonly string[])[] =>
  paths.every(
    (path, at) =>
      path !== null && paths.every((other, index) => index === at || other === null || !overlaps(path, other)),
  );

export const isSamePath = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  one !== null && other !== null && pathName(one) === pathName(other);

/** A part of an expression as it is written. */
export const sourceOf = ({ span: [from, to] }: Node, source: string): string => source.slice(from, to);
