import type { Value } from '../engine/index.js';
import type { Node } from '../engine/zen/ast.js';
import { treeOf } from '../engine/zen/usage.js';
import { absent, anything, either, oneOf, type Known, type KnownObject } from './knownValues.js';
import { constantOf, isScalar } from './constants.js';
import { expressionOn } from './evaluate.js';
import { pathName, pathOf, sourceOf } from './paths.js';

/** What is known of an expression's value: a constant, a field, one of several of them, or what follows from one field. */
export function knownOf(source: string, input: KnownObject): Known {
  const tree = treeOf(source, 'standard');
  return tree === undefined ? anything : ofNode(tree, source, input);
}

function ofNode(node: Node, source: string, input: KnownObject): Known {
  const text = sourceOf(node, source);
  const constant = constantOf(text);
  if (constant !== undefined) return isScalar(constant) ? oneOf([constant]) : anything;
  const path = pathOf(node);
  if (path !== undefined) return input.at(path);
  switch (node.kind) {
    case 'group':
      return ofNode(node.inner, source, input);
    case 'conditional':
      return either(ofNode(node.whenTrue, source, input), ofNode(node.whenFalse, source, input));
    case 'binary':
      if (node.operator === '??')
        return either(present(ofNode(node.left, source, input)), ofNode(node.right, source, input));
      return computed(node, text, input);
    case 'unary':
      return computed(node, text, input);
    default:
      return anything;
  }
}

const present = ({ values, tests }: Known): Known => ({
  values: values?.filter((value) => value !== null) ?? null,
  tests,
});

/** An expression of one field with few values: what it gives for each of them. One that fails leaves none. */
function computed(node: Node, text: string, input: KnownObject): Known {
  const paths = pathsIn(node);
  const [path] = paths ?? [];
  const values = path === undefined || paths?.length !== 1 ? null : input.at(path).values;
  if (path === undefined || values === null) return anything;
  const valueOf = expressionOn(text, path);
  const results = values.map(valueOf).filter((value): value is Value => value !== undefined);
  return results.reduce<Known>((known, result) => either(known, oneOf([result])), { values: [], tests: [] });
}

/** The fields that operators are applied to, each once; undefined where there is anything else. */
function pathsIn(node: Node): (readonly string[])[] | undefined {
  const path = pathOf(node);
  if (path !== undefined) return [path];
  const parts =
    node.kind === 'binary'
      ? [node.left, node.right]
      : node.kind === 'unary'
        ? [node.operand]
        : node.kind === 'group'
          ? [node.inner]
          : node.kind === 'literal'
            ? []
            : undefined;
  const all = new Map<string, readonly string[]>();
  for (const part of parts ?? []) {
    const paths = pathsIn(part);
    if (paths === undefined) return undefined;
    for (const each of paths) all.set(pathName(each), each);
  }
  return parts && [...all.values()];
}

/** A field that a node may leave as it was. */
export const kept = (input: KnownObject, path: readonly string[], passThrough: boolean): Known =>
  passThrough ? input.at(path) : absent;
