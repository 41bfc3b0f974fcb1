import { compile, createSandbox, defaultLimits, EngineError, diagnosticLine } from '../../workers/engine/index.js';
import type { Outcome, Program, Value } from '../../workers/engine/index.js';
import type { Scope } from '../../workers/engine/values.js';
import { compileExpression, compileUnary, isObject } from '../../workers/engine/zen/index.js';
import { formatJson } from '../../workers/json/index.js';
import { asJson, type Got } from './outcome.js';
import type { ExpressionRow, GraphFile } from './suite.js';

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** One way of computing a vector; all of a vector's ways must agree. */
export interface Way {
  readonly name: string;
  readonly run: (now: Clock) => Got | Promise<Got>;
  /** False stands for an error too. */
  readonly hidesErrors?: true;
}

/** A run that takes longer is stopped, and counts as failed. Milliseconds. */
const longestRun = 60_000;

/** A row by itself, and as the one expression of a model, plain and traced. */
export function standardWays({ expression, input }: ExpressionRow): Way[] {
  const run: Way['run'] = (now) => caught(() => compileExpression(expression)(scopeOf(input, ownOf(input, '$'), now)));
  // A model's fact is an object, an empty one where there is none, and in its expressions `$` are the results so far.
  const isFact = input === null ? !expression.includes('$root') : isObject(input) && !Object.hasOwn(input, '$');
  if (!isFact) return [{ name: 'by itself', run }];
  const content = { expressions: [{ id: 'e', key: 'vector', value: expression }] };
  return [
    { name: 'by itself', run },
    ...programWays(modelProgram({ type: 'expressionNode', content }), input, (result) => ownOf(result, 'vector')),
  ];
}

/** A cell by itself, and as the one cell of a table, plain and traced. */
export function unaryWays({ expression, input }: ExpressionRow): Way[] {
  const reference = ownOf(input, '$');
  const content = {
    hitPolicy: 'first',
    inputs: [{ id: 'i', name: 'i', field: 'fieldOfVector' }],
    outputs: [{ id: 'o', name: 'o', field: 'vector' }],
    rules: [{ _id: 'r', i: expression, o: 'true' }],
  };
  const fact: Value = { ...(isObject(input) ? input : {}), fieldOfVector: reference };
  const matched = (result: unknown): unknown => ownOf(result, 'vector') === true;
  return [
    { name: 'by itself', run: (now) => caught(() => compileUnary(expression)(scopeOf(input, reference, now))) },
    ...programWays(modelProgram({ type: 'decisionTableNode', content }), fact, matched).map((way): Way => ({
      ...way,
      hidesErrors: true,
    })),
  ];
}

/** The program of a graph by its file name, with or without `.json`; throws what its compilation throws. */
export type Resolve = (key: string) => Program | undefined;

/** Decision nodes of a suite's graphs may name its other graphs. */
export function resolverOf(graphs: readonly GraphFile[]): Resolve {
  const sandbox = createSandbox();
  const models = new Map(graphs.map(({ key, model }) => [key, model]));
  const programs = new Map<string, Program>();
  const resolve: Resolve = (name) => {
    const key = name.replace(/\.json$/, '');
    const model = models.get(key);
    if (model === undefined) return undefined;
    const program = programs.get(key) ?? compile(model, { resolve, sandbox });
    programs.set(key, program);
    return program;
  };
  return resolve;
}

/** A graph's test, plain and traced. */
export function graphWays(key: string, input: Value, resolve: Resolve): Way[] {
  return programWays(
    attempt(() => resolve(key)),
    input,
    // The tests of graphs expect doubles.
    (result) => JSON.parse(formatJson(result)) as unknown,
  );
}

type Pick = (result: unknown) => unknown;

function programWays(program: Program | EngineError | undefined, input: Value, pick: Pick): Way[] {
  return [false, true].map((trace) => ({
    name: trace ? 'traced' : 'plain',
    run: async (now) => {
      if (program === undefined || program instanceof EngineError) return { error: program?.message ?? 'no program' };
      const deadline = performance.now() + longestRun;
      const outcome: Outcome = await program.run(input, { trace, now: now(), random: Math.random, deadline });
      return outcome.status === 'COMPLETED' ? { value: pick(asJson(outcome.result)) } : { error: outcome.message };
    },
  }));
}

function scopeOf(data: Value, reference: Value, now: Clock): Scope {
  const deadline = performance.now() + longestRun;
  const run = { limits: defaultLimits, steps: defaultLimits.steps, deadline, now, random: Math.random };
  return { data, reference, nodes: null, env: {}, run };
}

function modelProgram(node: object): Program | EngineError {
  const nodes = [
    { id: 'in', name: 'in', type: 'inputNode' },
    { id: 'node', name: 'node', ...node },
  ];
  const model = { nodes, edges: [{ id: 'edge', sourceId: 'in', targetId: 'node' }] };
  return attempt(() => compile(model, { resolve: () => undefined }));
}

function attempt<T>(make: () => T): T | EngineError {
  try {
    return make();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

function caught(run: () => Value): Got {
  const value = attempt(run);
  return value instanceof EngineError ? { error: diagnosticLine(value.toDiagnostic()) } : { value: asJson(value) };
}

/** The own key of an object, or null. */
function ownOf(value: unknown, key: string): Value {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
  return (value as Record<string, Value>)[key] ?? null;
}
