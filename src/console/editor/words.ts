import { jsonOr } from '../api/exactJson.js';
import type { Model, ModelNode } from '../api/types.js';
import { isObject, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import type { Word } from './text/word.js';
import { zenFunctions } from '#openapi/language.gen.js';

/** Deeper, or more, nobody reads. */
const [maxDepth, maxWords] = [6, 2000];

/**
 * What can be named in a node: the fields of the request's schema, what nodes before it write, what a run gave to it, and
 * the functions of the language.
 */
export function wordsOf(model: Model, id: string, input: unknown): readonly Word[] {
  const found = new Map<string, string>();
  const add = (name: string, detail: string): void => {
    if (name !== '' && found.size < maxWords && !found.has(name)) found.set(name, detail);
  };
  for (const node of nodesBefore(model, id)) {
    for (const name of namesWritten(node.content)) add(name, node.name);
    // Cells of DMN name what their decision requires.
    if (model.document !== undefined) add(node.name, node.name);
    // What a table reads it has been given.
    for (const { field } of rowsOf(node.content, 'inputs')) add(textOf(field), node.name);
    if (node.type === 'inputNode') addSchema(schemaOf(node), '', add);
  }
  addValue(input, '', 0, add);
  const fields = [...found].map(([label, detail]): Word => ({ label, detail, kind: 'field' }));
  // FEEL has functions of its own.
  return model.document === undefined ? [...fields, ...zenWords] : fields;
}

/** All from which one comes to it along edges. */
function nodesBefore({ nodes, edges }: Model, id: string): readonly ModelNode[] {
  const before = new Set<string>([id]);
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { sourceId, targetId } of edges) {
      if (targetId !== next || before.has(sourceId)) continue;
      before.add(sourceId);
      open.push(sourceId);
    }
  }
  return nodes.filter((node) => before.has(node.id) && node.id !== id);
}

/** What a node writes: the outputs of a table, the names of expressions. */
export const namesWritten = (content: unknown): readonly string[] => [
  ...rowsOf(content, 'outputs').map((column) => textOf(column['field'])),
  ...rowsOf(content, 'expressions').map((row) => textOf(row['key'])),
];

function schemaOf({ content }: ModelNode): Fields {
  const schema = jsonOr(isObject(content) ? textOf(content['schema']) : '', null);
  return membersOf(schema);
}

function addSchema(schema: Fields, path: string, add: (name: string, detail: string) => void): void {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    add(path + name, textOf(property['type']) || 'field');
    if (path.split('.').length <= maxDepth) addSchema(property, `${path}${name}.`, add);
  }
}

function addValue(value: unknown, path: string, depth: number, add: (name: string, detail: string) => void): void {
  if (!isObject(value) || depth > maxDepth) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) continue;
    add(path + name, Array.isArray(inner) ? 'list' : typeof inner);
    addValue(inner, `${path}${name}.`, depth + 1, add);
  }
}

const keywords = ['and', 'or', 'not', 'in', 'true', 'false', 'null'];

const zenWords: readonly Word[] = [
  ...Object.entries(zenFunctions).map(([label, detail]): Word => ({ label, detail, kind: 'function' })),
  ...keywords.map((label): Word => ({ label, detail: '', kind: 'keyword' })),
];
