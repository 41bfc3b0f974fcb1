import { zenText } from '../../../workers/cells/index.js';
import { jsonOr } from '../api/exactJson.js';
import type { Model, ModelNode } from '../api/types.js';
import { isObject, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import type { Word } from './text/word.js';
import { zenFunctions } from '#openapi/language.gen.js';

/** Deeper, or more, nobody reads. */
const [maxDepth, maxWords] = [6, 2000];

/** What is known of a draft beyond what it says. */
export interface KnownOfDraft {
  /** The schema of what it takes. */
  readonly schema?: unknown;
  /** The names that a node gives by the decision that it runs. */
  readonly given?: (node: ModelNode) => readonly string[];
}

/**
 * What can be named in a node: the fields of the request, what nodes before it write and the decisions that they run give, what a
 * run gave to it, and the functions of the language.
 */
export function wordsOf(
  model: Model,
  id: string,
  input: unknown,
  { schema, given = () => [] }: KnownOfDraft = {},
): readonly Word[] {
  const found = new Map<string, string>();
  const add = (name: string, detail: string): void => {
    if (name !== '' && found.size < maxWords && !found.has(name)) found.set(name, detail);
  };
  for (const node of nodesBefore(model, id)) {
    for (const name of [...namesWritten(node.content), ...given(node)]) add(name, node.name);
    // Cells of DMN name what their decision requires.
    if (model.document !== undefined) add(node.name, node.name);
    // What a table reads it has been given.
    for (const { field } of rowsOf(node.content, 'inputs')) add(textOf(field), node.name);
    if (node.type === 'inputNode') addSchema(schemaOf(node), '', add);
  }
  addSchema(membersOf(schema), '', add);
  addValue(input, '', 0, add);
  const isZen = model.document === undefined;
  const fields = [...found].map(([label, detail]): Word => {
    const written = isZen ? zenPath(label) : label;
    return { label, detail, kind: 'field', ...(written === label ? {} : { written }) };
  });
  // FEEL has functions of its own.
  return isZen ? [...fields, ...zenWords] : fields;
}

const isName = (part: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part);

/** A path as ZEN reads it, where the names on it may have blanks: `$root["Base price"]`, `customer["last name"]`. */
function zenPath(path: string): string {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.map((part) => (isName(part) ? `.${part}` : `[${zenText(part)}]`)).join('');
  if (isName(first)) return first + inner;
  // An input of a table may be an expression already.
  return /^[\p{L}_][^"'[\]<>=]*$/u.test(first) ? `$root[${zenText(first)}]${inner}` : path;
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
