import {
  compile,
  JdmProgram,
  type Program,
  type CompileOptions,
  type Outcome,
  type RunOptions,
  type Value,
} from '../../workers/engine/index.js';

/** A run with a frozen clock, fixed dice and no deadline. */
export const frozen: RunOptions = {
  trace: false,
  now: Date.parse('2025-08-19T16:55:02.078Z'),
  random: () => 0.5,
  deadline: Infinity,
};

/** Nodes of a model, `type` and `content` given; the name is the id where none is. */
export interface NodeDraft {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
  readonly content?: unknown;
}

export const input: NodeDraft = { id: 'in', type: 'inputNode', name: 'Request' };
export const output: NodeDraft = { id: 'out', type: 'outputNode', name: 'Response' };

/** Edges as `from>to` or, out of a switch, `from:statement>to`. */
export function graph(nodes: readonly NodeDraft[], edges: readonly string[]): unknown {
  return {
    nodes: nodes.map((node) => ({ name: node.id, ...node })),
    edges: edges.map((edge, index) => {
      const [from = '', targetId = ''] = edge.split('>');
      const [sourceId = '', sourceHandle] = from.split(':');
      return { id: `e${index}`, sourceId, targetId, ...(sourceHandle === undefined ? {} : { sourceHandle }) };
    }),
  };
}

/** An expression node of `key: expression` pairs. */
export function expressions(id: string, pairs: Readonly<Record<string, string>>, more: object = {}): NodeDraft {
  const list = Object.entries(pairs).map(([key, value], index) => ({ id: `${id}${index}`, key, value }));
  return { id, type: 'expressionNode', content: { expressions: list, ...more } };
}

/** A table; rows are cells by column id: inputs `i0`, `i1`, …, outputs `o0`, `o1`, … */
export function table(
  id: string,
  columns: { readonly inputs: readonly string[]; readonly outputs: readonly string[] },
  rules: readonly Readonly<Record<string, string>>[],
  more: object = {},
): NodeDraft {
  const inputs = columns.inputs.map((field, index) => ({ id: `i${index}`, name: field, field }));
  const outputs = columns.outputs.map((field, index) => ({ id: `o${index}`, name: field, field }));
  const withIds = rules.map((rule, index) => ({ _id: `r${index}`, ...rule }));
  return { id, type: 'decisionTableNode', content: { hitPolicy: 'first', inputs, outputs, rules: withIds, ...more } };
}

/** `in > node > out`. */
export function single(node: NodeDraft): unknown {
  return graph([input, node, output], [`in>${node.id}`, `${node.id}>out`]);
}

/** Compiles a model that needs no other decisions. */
export function program(model: unknown, options: Partial<CompileOptions> = {}): Program {
  return compile(model, { resolve: () => undefined, ...options });
}

/** Runs a program without function nodes. */
export function runSync(target: Program, fact: Value, options: Partial<RunOptions> = {}): Outcome {
  const outcome = target.run(fact, { ...frozen, ...options });
  if (outcome instanceof Promise) throw new Error('a run without function nodes gave a promise');
  return outcome;
}

/** The result of a run that must complete, the same plain and traced. */
export function resultOf(model: unknown, fact: Value, options: Partial<RunOptions> = {}): Value {
  const target = model instanceof JdmProgram ? model : program(model);
  const [plain, traced] = [false, true].map((trace) => runSync(target, fact, { ...options, trace }));
  if (plain?.status !== 'COMPLETED') throw new Error(plain?.message);
  if (traced?.status !== 'COMPLETED') throw new Error(traced?.message);
  if (JSON.stringify(plain.result) !== JSON.stringify(traced.result))
    throw new Error('plain and traced results differ');
  return plain.result;
}

/** The outcome of a run that must fail, the same plain and traced; with its trace. */
export function failureOf(
  model: unknown,
  fact: Value,
  options: Partial<RunOptions> = {},
): Extract<Outcome, { status: 'FAILED' }> {
  const target = model instanceof JdmProgram ? model : program(model);
  const [plain, traced] = [false, true].map((trace) => runSync(target, fact, { ...options, trace }));
  if (plain?.status !== 'FAILED' || traced?.status !== 'FAILED') throw new Error('the run completed');
  if (plain.message !== traced.message)
    throw new Error(`plain and traced failures differ: ${plain.message} / ${traced.message}`);
  return traced;
}
