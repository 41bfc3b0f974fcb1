import {
  hintOf,
  isFormula,
  isWords,
  spacedNames,
  withSpacedNames,
  zenOf,
  zenText,
  type SpacedNames,
} from '../../cells/index.js';
import { isRecord, recordsIn } from '../../json/index.js';
import type { Diagnostic } from '../errors.js';
import type { Written } from '../nodes/nodeType.js';
import { conditionFault } from '../zen/conditionFault.js';
import { treeOf } from '../zen/usage.js';
import type { Model, ModelNode } from './model.js';
import { parsedSchema } from './schemas.js';

// What can stand in place of names with blanks in them, as far as the model itself knows its fields.

/** Of a node: more titles of columns nobody has, and each is sought in each faulty source. */
const mostNames = 500;

/** Gives what can stand in place of a source that does not parse because it names such fields; undefined where that is not why. */
export function spacedNamesOf({ nodes }: Model): (at: number, diagnostic: Diagnostic, written: Written) => Offer {
  const known = new Map<ModelNode | undefined, SpacedNames>();
  return (at, { code }, { source, kind, statement, pointer }) => {
    // Words alone are a text, of which the column says more.
    const isText = pointer.startsWith('/content/rules/') && isWords(source);
    if (code !== 'syntax_error' || kind === 'unary' || isText || !/[\p{L}_] +[\p{L}_]/u.test(source)) return undefined;
    const node = nodes[at];
    const names = known.get(node) ?? namesFor(node, nodes);
    known.set(node, names);
    const isCondition = kind === 'condition' || statement !== undefined;
    const readings = zensWith(names, source, isCondition);
    const [repair, ...others] = readings;
    if (repair === undefined) return undefined;
    return { ...(others.length > 0 ? { readings } : { repair }), hint: hintOf('formula', readings, source) };
  };
}

type Offer = Pick<Diagnostic, 'repair' | 'readings' | 'hint'> | undefined;

/** All that it may mean: a number with a point may be a thousand. */
function zensWith(names: SpacedNames, source: string, isCondition: boolean): readonly string[] {
  const readingsOf = (named: string): readonly (string | null)[] =>
    isFormula(named) ? [zenOf(named)] : isCondition ? (conditionFault(named, () => true)?.readings ?? []) : [];
  let count = 1;
  const found: string[] = [];
  for (let at = 0; at < count; at++) {
    const text = withSpacedNames(names, source, (named) => {
      const readings = readingsOf(named);
      count = readings.length;
      return readings[at];
    });
    if (text !== undefined && treeOf(text, 'standard') !== undefined) found.push(text);
  }
  return found;
}

/** What a node can read: what the request and other nodes have, and the columns of all tables by their titles. */
function namesFor(node: ModelNode | undefined, nodes: readonly ModelNode[]): SpacedNames {
  const names = new Map<string, string>();
  const add = (name: unknown, field: string): void => {
    if (typeof name === 'string' && / /.test(name.trim()) && field !== '' && names.size < mostNames)
      names.set(name.trim().toLowerCase(), field);
  };
  for (const each of nodes) {
    const { content, parsed } = each;
    const schema = parsedSchema(content['schema']);
    const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
    const made = each === node ? [] : [...recordsIn(content['outputs']), ...recordsIn(content['expressions'])];
    for (const { name, field, key = field } of made) {
      add(name, pathOf(key));
      add(key, pathOf(key));
    }
    for (const { source } of parsed.expressions())
      for (const [all, , name] of source.matchAll(/\$root\[(["'])([^"'\\]+)\1\]/g)) add(name, all);
    for (const { name, field } of recordsIn(content['inputs']))
      add(name, typeof field === 'string' ? field.trim() : '');
    for (const name of Object.keys(properties)) add(name, pathOf(name));
  }
  return spacedNames(names);
}

const pathOf = (field: unknown): string => {
  const name = typeof field === 'string' ? field.trim().replace(/\s*\[\]$/, '') : '';
  return / /.test(name) ? `$root[${zenText(name)}]` : name;
};
