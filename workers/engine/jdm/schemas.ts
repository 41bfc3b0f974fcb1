import { Shape } from '../zen/shape.js';
import { addUses, pathOf, treeOf } from '../zen/usage.js';
import { readModel, type Model, type ModelNode } from './model.js';
import { planOf, type Plan } from './plan.js';
import {
  readConditions,
  readDecision,
  readExpressions,
  readRows,
  scopeOf,
  type Flow,
  type SubSchemas,
  type Surroundings,
} from './reads.js';

/** JSON Schemas of what a model takes and gives. `inferred`: at least one of them is not declared by the model. */
export interface ModelSchemas {
  readonly input: unknown;
  readonly output: unknown;
  readonly inferred: boolean;
  /** What it decides, in its own words; empty where it says nothing. */
  readonly about: string;
}

/** The schemas of the decision that a node names; undefined where there is none. */
export type ReadSubSchemas = (name: string) => SubSchemas | undefined;

/** Those of a JDM document, whose words `aboutJdm` has. */
type Shapes = Omit<ModelSchemas, 'about'> & SubSchemas;

/**
 * The schemas that a model's request and response nodes declare; where they declare none, what its expressions, its tables
 * and the decisions that it runs read and write. Inferred schemas name what is known and forbid nothing. Never throws for what
 * the model holds.
 * @param document the model, parsed
 */
export function schemasOf(document: unknown, subSchemas: ReadSubSchemas): Shapes {
  const model = readModel(document, () => undefined);
  const input = declared(model, 'input');
  const output = declared(model, 'output');
  if (input !== undefined && output !== undefined) return { input, output, handsOn: false, inferred: false };
  const found = infer(model, subSchemas);
  return { ...found, input: input ?? found.input, output: output ?? found.output, inferred: true };
}

/** Undefined where not all nodes of that role have a schema. */
function declared({ nodes }: Model, role: 'input' | 'output'): unknown {
  const schemas = nodes.filter(({ parsed }) => parsed.role === role).map(({ parsed }) => parsedSchema(parsed.schema));
  if (schemas.length === 0 || schemas.includes(undefined)) return undefined;
  return schemas.length === 1 ? schemas[0] : { anyOf: schemas };
}

/** A schema as JSON, of which nodes have a text; undefined for what is no JSON. */
export function parsedSchema(schema: unknown): unknown {
  if (typeof schema !== 'string') return schema;
  try {
    return JSON.parse(schema) as unknown;
  } catch {
    return undefined;
  }
}

const nothing = (): Flow => ({ path: undefined, written: new Shape() });

function infer(model: Model, subSchemas: ReadSubSchemas): SubSchemas {
  const fact = new Shape().is('object');
  const result = new Shape();
  let handsOn = false;
  const plan = planOf(model);
  const flows: Flow[] = model.nodes.map(nothing);
  for (const index of inOrder(plan)) {
    const node = model.nodes[index];
    if (node === undefined) continue;
    const input: Flow = index === plan.entry ? { path: [], written: new Shape() } : merged(plan, index, flows);
    const isStep = node.parsed.role === 'step';
    flows[index] = isStep ? stepFlow(node, { input, fact, subSchemas }) : input;
    if (node.parsed.role === 'switch') readConditions(node.parsed.expressions(), input, fact);
    const isEnd = node.parsed.role === 'output' || (plan.outgoing[index]?.length ?? 0) === 0;
    if (!isEnd) continue;
    result.merge(flows[index].written);
    handsOn ||= flows[index].path?.length === 0;
  }
  return { input: fact.schema(), output: result.schema(), handsOn };
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

interface StepSurroundings extends Surroundings {
  readonly subSchemas: ReadSubSchemas;
}

function stepFlow({ type, content }: ModelNode, { input, fact, subSchemas }: StepSurroundings): Flow {
  const loop = content['executionMode'] === 'loop';
  const inner = innerFlow(content, loop, { input, fact });
  const own = new Shape();
  if (type === 'expressionNode') readExpressions(content, { input: inner, fact }, own);
  if (type === 'decisionTableNode') readRows(content, { input: inner, fact }, own);
  const run = type === 'decisionNode' ? subSchemas(String(content['key'])) : undefined;
  if (run !== undefined) readDecision(run, { input: inner, fact }, own);
  const output = loop ? new Shape().is('array') : own;
  if (loop) output.items().merge(own);
  const { outputPath, passThrough } = content;
  const isNested = typeof outputPath === 'string' && outputPath.trim() !== '';
  const written = new Shape();
  (isNested ? written.at(outputPath.trim().split('.')) : written).merge(output);
  if (passThrough === true) return { path: input.path, written: new Shape().merge(input.written).merge(written) };
  if (run?.handsOn !== true || loop || isNested) return { path: undefined, written };
  return { path: inner.path, written: new Shape().merge(inner.written).merge(written) };
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
