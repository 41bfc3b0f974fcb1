import { isRecord } from '../../json/index.js';
import { nearest } from '../../nearest/index.js';
import { walk } from '../zen/ast.js';
import { treeOf } from '../zen/usage.js';
import { locationOf, type Model } from './model.js';
import type { Report } from './reader.js';

/** Warns where an expression reads a result, `$.total` or `$["net price"]`, that no row above it makes: the reference engine reads null in silence. */
export function checkResultsRead({ nodes }: Model, report: Report, isLate: () => boolean): void {
  for (const node of nodes) {
    if (node.type !== 'expressionNode' || isLate()) continue;
    const { pointer: above = '', ...location } = locationOf(node);
    const rows = Array.isArray(node.content['expressions']) ? (node.content['expressions'] as unknown[]) : [];
    const made = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const { key, value } = isRecord(row) ? row : {};
      if (typeof key !== 'string' || typeof value !== 'string' || key.trim() === '' || value.trim() === '') continue;
      const missing = /\$[.[]/.test(value) ? readsIn(value).find((name) => !made.has(name)) : undefined;
      const [first = ''] = key.split('.');
      if (missing !== undefined) {
        const near = nearest(missing, [...made]);
        report({
          code: 'type_error',
          severity: 'warning',
          message: `No row above makes a result \`${missing}\`: \`${ofResult(missing)}\` is null.`,
          ...(near === undefined ? {} : { hint: `Did you mean \`${ofResult(near)}\`?` }),
          ...location,
          field: `content.expressions[${index}].value`,
          label: `expression ${key}`,
          pointer: `${above}/content/expressions/${index}/value`,
        });
      }
      made.add(first);
    }
  }
}

const ofResult = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? `$.${name}` : `$[${JSON.stringify(name)}]`;

/** The names that are read of `$`. */
function readsIn(source: string): readonly string[] {
  const tree = treeOf(source, 'standard');
  const names: string[] = [];
  if (tree !== undefined)
    walk(tree, (node) => {
      if (node.kind !== 'member' || node.object.kind !== 'identifier' || node.object.name !== '$') return;
      if (node.property.kind === 'literal' && typeof node.property.value === 'string') names.push(node.property.value);
    });
  return names;
}
