import { isRecord, recordsIn } from '../json/index.js';
import { schemasOf, type Value } from '../engine/index.js';
import { parseModel, type Content } from '../engine/jdm/model.js';
import { walk, type Node } from '../engine/zen/ast.js';
import { add, isNumeric, subtract, type Numeric } from '../engine/zen/values/numbers.js';
import { treeOf } from '../engine/zen/usage.js';
import { isObject } from '../engine/zen/values/kinds.js';
import { isWhole } from './atoms.js';
import { momentsFor, saidKinds, type Moments } from './momentKinds.js';
import { pathName, pathOf } from './paths.js';
import type { CheckedProperty } from './properties.js';
import { wholeFields } from './schemaTypes.js';

/** A field of the fact, and values that may make a difference there. */
export interface Field {
  readonly path: readonly string[];
  readonly values: readonly Value[];
  /** Whether a value is of the type that the model expects there, where it expects one. */
  readonly isOfType: (value: Value) => boolean;
  /** Where it is known to hold days or times. */
  readonly moments?: Moments | undefined;
}

/** Values tried for one field; models have few constants that matter to one. */
const mostValues = 60;

/**
 * The fields that a model reads of its fact, with what its expressions compare with fields of that name, and values beside
 * that; where it is compared with one thing at most, with all constants of the model that have the field's type.
 * @param others expressions about the fact beside the model's, and the fields that they read
 */
export function fieldsOf(document: unknown, others: readonly Pick<CheckedProperty, 'tree' | 'paths'>[] = []): Field[] {
  const constants = new Constants();
  const { nodes } = parseModel(document);
  for (const { parsed } of nodes) {
    for (const { source, kind } of parsed.expressions()) {
      const tree = treeOf(source, kind === 'unary' ? 'unary' : 'standard');
      if (tree !== undefined) constants.add(tree);
    }
  }
  for (const { content } of nodes) constants.addColumns(content);
  const idle = idleFields(nodes);
  const read = leaves(schemasOf(document).input).map((leaf) => [pathName(leaf.path), leaf] as const);
  const fields = new Map(read.filter(([name]) => !idle.has(name)));
  for (const { tree, paths } of others) {
    constants.add(tree);
    for (const path of paths) if (!fields.has(pathName(path))) fields.set(pathName(path), { path, schema: {} });
  }
  const columns = nodes.filter(readsFact).flatMap(({ content }) => recordsIn(content['inputs']));
  const [whole, said] = [wholeFields(columns), saidKinds(columns)];
  return [...fields.values()].map(({ path, schema: own }) => {
    const name = pathName(path);
    const schema = own['type'] === 'number' && whole.has(name) ? { ...own, type: 'integer' } : own;
    const moments = momentsFor(schema, said.get(name), constants.namedAt(path));
    return {
      path,
      values: constants.valuesFor(path, schema, moments),
      isOfType: (value) => isOfType(value, schema['type']),
      moments,
    };
  });
}

/** Whether the fields of a table's columns are those of the fact, or of what other nodes give beside them. */
const readsFact = ({ type, content }: ReturnType<typeof parseModel>['nodes'][number]): boolean =>
  type === 'decisionTableNode' && !content['inputField'] && content['executionMode'] !== 'loop';

/** Nodes that read what their content does not say. */
const opaque: readonly string[] = ['functionNode', 'decisionNode', 'customNode'];

/** The fields of columns in which no row says anything, where nothing else reads them either: no value makes a difference there. */
function idleFields(nodes: ReturnType<typeof parseModel>['nodes']): ReadonlySet<string> {
  const idle = new Set<string>();
  const read = new Set<string>();
  for (const { type, content, parsed } of nodes) {
    if (opaque.includes(type)) return new Set();
    const rules = recordsIn(content['rules']);
    const inputs = type === 'decisionTableNode' ? recordsIn(content['inputs']) : [];
    const isEmpty = (id: unknown): boolean => rules.every((rule) => isBlank(rule[String(id)]));
    const empty = new Set(inputs.flatMap(({ id }, at) => (isEmpty(id) ? [`/content/inputs/${at}/field`] : [])));
    for (const { source, kind, pointer } of parsed.expressions()) {
      const tree = treeOf(source, kind === 'unary' ? 'unary' : 'standard');
      if (tree === undefined) return new Set();
      if (empty.has(pointer)) {
        const path = pathOf(tree);
        if (path !== undefined) idle.add(pathName(path));
      } else
        walk(tree, (node) => {
          const path = pathOf(node);
          if (path !== undefined) for (const at of path.keys()) read.add(pathName(path.slice(0, at + 1)));
        });
    }
  }
  return new Set([...idle].filter((name) => !read.has(name)));
}

const isBlank = (cell: unknown): boolean => typeof cell !== 'string' || cell.trim() === '';

function isOfType(value: Value, type: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'number') return isNumeric(value);
  if (type === 'integer') return isNumeric(value) && isWhole(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'null' ? value === null : typeof value === type;
}

/** The constants of a model, by the last name of what they are compared with. */
class Constants {
  readonly #byName = new Map<string, Set<Value>>();
  readonly #all = new Set<Value>();

  add(tree: Node): void {
    for (const value of literalsIn(tree)) if (value !== null) this.#all.add(value);
    walk(tree, (node) => {
      if (node.kind !== 'binary') return;
      const name = nameOf(node.left) ?? nameOf(node.right);
      if (name === undefined) return;
      for (const value of [...literalsIn(node.left), ...literalsIn(node.right)]) this.#note(name, value);
    });
  }

  /** Cells of tables belong to the field of their column. */
  addColumns(content: Content): void {
    for (const { id, field } of recordsIn(content['inputs'])) {
      const name = typeof field === 'string' ? nameOf(treeOf(field, 'standard')) : undefined;
      if (name === undefined) continue;
      for (const rule of recordsIn(content['rules'])) {
        const cell = rule[String(id)];
        const tree = typeof cell === 'string' ? treeOf(cell, 'unary') : undefined;
        if (tree !== undefined) for (const value of literalsIn(tree)) this.#note(name, value);
      }
    }
  }

  /** What is compared with a field of that name. */
  namedAt(path: readonly string[]): ReadonlySet<Value> {
    return this.#byName.get(path.at(-1) ?? '') ?? new Set();
  }

  valuesFor(path: readonly string[], schema: Readonly<Record<string, unknown>>, moments?: Moments): Value[] {
    const { type, enum: choices } = schema;
    const isNumber = type === 'number' || type === 'integer';
    const fits = (value: Value): boolean =>
      (moments?.isOne(value) ?? true) && (type === undefined || (isNumber ? isNumeric(value) : typeof value === type));
    const values = new Set<Value>([...(Array.isArray(choices) ? (choices as Value[]) : []), ...this.namedAt(path)]);
    const kinds = new Set([...values].map(kindOf));
    // One alone, such as that of `field > 0` or of `field ?? 'none'`, tells little of where the field's value goes from there.
    if (values.size < 2)
      for (const value of this.#all)
        if (fits(value) && (kinds.size === 0 || kinds.has(kindOf(value)))) values.add(value);
    const all = [...[...values].slice(0, mostValues), ...(moments?.examples ?? [])];
    if (isNumber || all.some(isNumeric))
      all.push(...all.filter(isNumeric).flatMap(type === 'integer' ? besideWhole : beside), 0, 1);
    if (type === 'boolean' || all.some((value) => typeof value === 'boolean')) all.push(true, false);
    if (type === 'string' || all.some((value) => typeof value === 'string')) all.push('other');
    if (type === 'array') all.push([], [{}], ['other'], [1]);
    return all.length === 0 ? [true, 'other', 1] : all;
  }

  #note(name: string, value: Value): void {
    const known = this.#byName.get(name) ?? new Set();
    known.add(value);
    this.#byName.set(name, known);
  }
}

const kindOf = (value: Value): string => (isNumeric(value) ? 'number' : typeof value);

/** The literals of an expression. The names in `a.b.c` are none, though they are parsed as such. */
function literalsIn(tree: Node): Value[] {
  const names = new Set<Node>();
  const values: Value[] = [];
  walk(tree, (node) => {
    if (node.kind === 'member' && node.property.kind === 'literal' && typeof node.property.value === 'string')
      names.add(node.property);
    if (node.kind === 'literal' && !names.has(node)) values.push(node.value);
  });
  return values;
}

const besideWhole = (value: Numeric): Numeric[] =>
  [add(value, 1), subtract(value, 1)].filter((each) => each !== undefined);

const beside = (value: Numeric): Numeric[] => [...besideWhole(value), add(value, 0.01) ?? value];

/** The last name of a path. */
function nameOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  return pathOf(node)?.at(-1);
}

interface Leaf {
  readonly path: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a schema says of single values. Lists are single values here. */
function leaves(schema: unknown, path: readonly string[] = []): Leaf[] {
  if (!isRecord(schema)) return [];
  const { properties } = schema;
  if (!isRecord(properties) || Object.keys(properties).length === 0) return path.length === 0 ? [] : [{ path, schema }];
  return Object.entries(properties).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}
