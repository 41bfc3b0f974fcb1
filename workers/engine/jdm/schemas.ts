import { readTable } from '../nodes/table.js';
import type { Table } from '../nodes/table/content.js';
import { addResult } from '../zen/resultShape.js';
import { Shape, type Step } from '../zen/shape.js';
import { addUses, pathOf, treeOf, type Scope } from '../zen/usage.js';
import { readModel, type Model } from './model.js';
import { planOf, type Plan } from './plan.js';
import { isRecord, Reader } from './reader.js';

/** JSON Schemas of what a model takes and gives. `inferred`: at least one of them is not declared by the model. */
export interface ModelSchemas {
  readonly input: unknown;
  readonly output: unknown;
  readonly inferred: boolean;
  /** What it decides, in its own words; empty where it says nothing. */
  readonly about: string;
}

/** Those of a JDM document, whose words `aboutJdm` has. */
type Shapes = Omit<ModelSchemas, 'about'>;

/**
 * The schemas that a model's request and response nodes declare; where they declare none, what its expressions and tables
 * read and write. Inferred schemas name what is known and forbid nothing. Never throws for what the model holds.
 * @param document the model, parsed
 */
export function schemasOf(document: unknown): Shapes {
  const model = readModel(document, () => undefined);
  const input = declared(model, 'input');
  const output = declared(model, 'output');
  if (input !== undefined && output !== undefined) return { input, output, inferred: false };
  const inferred = infer(document, model);
  return { input: input ?? inferred.input, output: output ?? inferred.output, inferred: true };
}

/** Undefined where not all nodes of that role have a schema. */
function declared({ nodes }: Model, role: 'input' | 'output'): unknown {
  const schemas = nodes.filter(({ parsed }) => parsed.role === role).map(({ parsed }) => parsedSchema(parsed.schema));
  if (schemas.length === 0 || schemas.includes(undefined)) return undefined;
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

function parsedSchema(schema: unknown): unknown {
  if (typeof schema !== 'string') return schema;
  try {
    return JSON.parse(schema) as unknown;
  } catch {
    return undefined;
  }
}

/** What goes from node to node. */
interface Flow {
  /** Its path in the fact; undefined where it does not come from there. */
  readonly path: readonly Step[] | undefined;
  /** What earlier nodes have written. */
  readonly written: Shape;
}

const nothing = (): Flow => ({ path: undefined, written: new Shape() });

function infer(document: unknown, model: Model): { input: object; output: object } {
  const fact = new Shape().is('object');
  const result = new Shape();
  const plan = planOf(model);
  const contents = contentsOf(document);
  const flows: Flow[] = model.nodes.map(nothing);
  for (const index of inOrder(plan)) {
    const node = model.nodes[index];
    if (node === undefined) continue;
    const input: Flow = index === plan.entry ? { path: [], written: new Shape() } : merged(plan, index, flows);
    const isStep = node.parsed.role === 'step';
    flows[index] = isStep ? stepFlow(node.type, contents.get(node.id), { input, fact }) : input;
    if (node.parsed.role === 'switch') readConditions(node.parsed.expressions(), input, fact);
    const isEnd = node.parsed.role === 'output' || (plan.outgoing[index]?.length ?? 0) === 0;
    if (isEnd) result.merge(flows[index].written);
  }
  return { input: fact.schema(), output: result.schema() };
}

/** The contents of nodes by their ids. */
export function contentsOf(document: unknown): Map<string, Readonly<Record<string, unknown>>> {
  const nodes = isRecord(document) && Array.isArray(document['nodes']) ? (document['nodes'] as unknown[]) : [];
  const contents = new Map<string, Readonly<Record<string, unknown>>>();
  for (const node of nodes) {
    if (!isRecord(node) || typeof node['id'] !== 'string' || contents.has(node['id'])) continue;
    contents.set(node['id'], isRecord(node['content']) ? node['content'] : {});
  }
  return contents;
}

/** Node indexes from the input node on, each after its parents; nodes in circles are left out. */
export function inOrder(plan: Plan): number[] {
  const waitsFor = plan.incoming.map((edges) => edges.length);
  const order: number[] = [];
  const ready = waitsFor.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let index = ready.pop(); index !== undefined; index = ready.pop()) {
    order.push(index);
    for (const edge of plan.outgoing[index] ?? []) {
      const target = plan.target[edge] ?? -1;
      const left = (waitsFor[target] ?? 0) - 1;
      waitsFor[target] = left;
      if (left === 0) ready.push(target);
    }
  }
  return order;
}

function merged(plan: Plan, index: number, flows: readonly Flow[]): Flow {
  const written = new Shape();
  let path: Flow['path'];
  for (const edge of plan.incoming[index] ?? []) {
    const flow = flows[plan.source[edge] ?? -1];
    if (flow === undefined) continue;
    path ??= flow.path;
    written.merge(flow.written);
  }
  return { path, written };
}

interface Surroundings {
  readonly input: Flow;
  /** What is read of the fact. */
  readonly fact: Shape;
}

/** A name is one of the fact's where no earlier node has written it. */
function scopeOf({ path, written }: Flow, data: Shape): Scope {
  return {
    pathOf(name) {
      if (path === undefined || (name !== undefined && written.has(name))) return undefined;
      return name === undefined ? path : [...path, name];
    },
    data,
  };
}

function readConditions(written: Iterable<{ readonly source: string }>, input: Flow, fact: Shape): void {
  for (const { source } of written) {
    const tree = treeOf(source, 'standard');
    if (tree !== undefined) addUses(tree, scopeOf(input, fact), 'boolean');
  }
}

function stepFlow(type: string, content: Readonly<Record<string, unknown>> = {}, { input, fact }: Surroundings): Flow {
  const loop = content['executionMode'] === 'loop';
  const inner = innerFlow(content, loop, { input, fact });
  const own = new Shape();
  if (type === 'expressionNode') readExpressions(content, { input: inner, fact }, own);
  if (type === 'decisionTableNode') readRows(content, { input: inner, fact }, own);
  const output = loop ? new Shape().is('array') : own;
  if (loop) output.items().merge(own);
  const { outputPath, passThrough } = content;
  const nested = new Shape();
  if (typeof outputPath === 'string' && outputPath.trim() !== '') {
    nested.at(outputPath.trim().split('.')).merge(output);
  } else nested.merge(output);
  if (passThrough !== true) return { path: undefined, written: nested };
  return { path: input.path, written: new Shape().merge(input.written).merge(nested) };
}

/** What the node's own work sees: the part that `inputField` names, and of a list each item. */
function innerFlow(
  { inputField }: Readonly<Record<string, unknown>>,
  loop: boolean,
  { input, fact }: Surroundings,
): Flow {
  let { path, written } = input;
  if (typeof inputField === 'string' && inputField.trim() !== '') {
    const tree = treeOf(inputField, 'standard');
    const scope = scopeOf(input, fact);
    if (tree !== undefined) addUses(tree, scope, loop ? 'array' : undefined);
    path = tree && pathOf(tree, scope);
    written = new Shape();
  }
  return loop ? { path: path && [...path, null], written: new Shape() } : { path, written };
}

function readExpressions(content: Readonly<Record<string, unknown>>, { input, fact }: Surroundings, own: Shape): void {
  const scope = scopeOf(input, fact);
  const list = Array.isArray(content['expressions']) ? (content['expressions'] as unknown[]) : [];
  own.is('object');
  for (const item of list) {
    if (!isRecord(item) || typeof item['key'] !== 'string' || typeof item['value'] !== 'string') continue;
    const tree = treeOf(item['value'], 'standard');
    if (item['key'] === '' || tree === undefined) continue;
    addUses(tree, scope);
    addResult(tree, own.at(item['key'].split('.')));
  }
}

function readRows(content: Readonly<Record<string, unknown>>, { input, fact }: Surroundings, own: Shape): void {
  const table = readTable(new Reader(content, 'content', () => undefined));
  const scope = scopeOf(input, fact);
  const row = table.collect ? own.items() : own;
  row.is('object');
  for (const { id, field } of table.inputs) readColumn(table, id, field, scope);
  for (const { id, path, collect } of table.outputs) {
    if (path === '') continue;
    const target = row.at(path.split('.'));
    for (const source of cellsOf(table, id)) {
      const tree = treeOf(source, 'standard');
      if (tree === undefined) continue;
      addUses(tree, scope);
      addResult(tree, collect ? target.items() : target);
    }
  }
}

function readColumn(table: Table, id: string, field: string, scope: Scope): void {
  const tree = field === '' ? undefined : treeOf(field, 'standard');
  if (tree !== undefined) addUses(tree, scope);
  const tested = { ...scope, field: tree && pathOf(tree, scope) };
  for (const source of cellsOf(table, id)) {
    const cell = treeOf(source, field === '' ? 'standard' : 'unary');
    if (cell !== undefined) addUses(cell, tested, 'boolean');
  }
}

/** The different cells of a column: a table repeats itself. */
const cellsOf = ({ rules }: Table, id: string): Set<string> =>
  new Set(rules.flatMap((rule) => (rule.get(id) ?? '') || []));
