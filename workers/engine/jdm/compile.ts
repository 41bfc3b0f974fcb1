import { EngineError } from '../errors.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Site } from '../nodes/kind.js';
import type { Sandbox } from '../sandbox/types.js';
import type { Scope } from '../values.js';
import { compileExpression, compileUnary } from '../zen/index.js';
import { checkGraph } from './graph.js';
import { parseModel, type ModelNode } from './model.js';
import { planOf } from './plan.js';
import { Program } from './program.js';

export interface CompileOptions {
  /** The program of a decision by key or id, undefined where there is none. Called when a run first needs it. */
  readonly resolve: (key: string) => Program | undefined;
  readonly limits?: Limits;
  /** Runs function nodes; without it they fail with `function_unavailable`. */
  readonly sandbox?: Sandbox;
}

/**
 * Compiles a model (parsed JSON). Cheap. Expressions and JSON Schemas that do not compile fail when they are reached,
 * like any other error there, so that a working copy runs as far as it is right; `validate` finds them beforehand.
 * @throws EngineError with the first fault of the document or its graph
 */
export function compile(model: unknown, { resolve, limits = defaultLimits, sandbox }: CompileOptions): Program {
  const parsed = parseModel(model);
  const plan = planOf(parsed);
  checkGraph(parsed, plan, (fault) => {
    throw EngineError.from(fault);
  });
  const site: Site = {
    limits,
    expression: memoised((source) => compileExpression(source, { limits })),
    unary: memoised((source) => compileUnary(source, { limits })),
    resolve,
  };
  const keys = new Set(parsed.nodes.flatMap(({ parsed: { decision } }) => decision ?? []));
  return new Program({
    nodes: parsed.nodes.map((node) => ({
      id: node.id,
      name: node.name,
      compiled: node.parsed.compile(site),
      readsNodes: readsNodes(node),
    })),
    plan,
    limits,
    sandbox,
    scripted: parsed.nodes.some((node) => node.parsed.script === true),
    subPrograms: () => [...keys].flatMap((key) => resolve(key) ?? []),
  });
}

function readsNodes({ parsed }: ModelNode): boolean {
  for (const { source } of parsed.expressions()) if (source.includes('$nodes')) return true;
  return false;
}

/** Each source is compiled once; one with a fault becomes an expression that raises it. */
function memoised<T>(make: (source: string) => (scope: Scope) => T): (source: string) => (scope: Scope) => T {
  const made = new Map<string, (scope: Scope) => T>();
  return (source) => {
    let compiled = made.get(source);
    if (compiled === undefined) {
      compiled = attempt(make, source);
      made.set(source, compiled);
    }
    return compiled;
  };
}

function attempt<T>(make: (source: string) => (scope: Scope) => T, source: string): (scope: Scope) => T {
  try {
    return make(source);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const fault = error.toFault();
    return () => {
      throw EngineError.from(fault);
    };
  }
}
