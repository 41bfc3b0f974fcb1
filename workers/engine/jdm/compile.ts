import { asEngineError, EngineError } from '../errors.js';
import { Footprint } from '../footprint.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { CompiledNode, NodeContext, SubProgram } from '../nodes/nodeType.js';
import type { HasParts } from './parts.js';
import type { Sandbox } from '../sandbox/types.js';
import type { Scope } from '../values.js';
import { compileExpression, compileUnary, type Expression, type UnaryTest } from '../zen/index.js';
import { checkGraph } from './graph.js';
import { parseModel, type ModelNode } from './model.js';
import { planOf } from './plan.js';
import { Program } from './program.js';
import { throwErrors } from './reader.js';
import { reservedKey } from './jsonSize.js';

export interface CompileOptions {
  /** The program of a decision by key or id, undefined where there is none. Called when a run first needs it. */
  readonly resolve: (key: string) => (SubProgram & HasParts) | undefined;
  readonly limits?: Limits;
  /** Runs function nodes; without it they fail with `function_unavailable`. */
  readonly sandbox?: Sandbox;
  /** Counts the memory that the program keeps; a new one by default. */
  readonly footprint?: Footprint;
}

/** Estimated bytes of a node and of an edge, without their texts, expressions and tables. */
const bytesPerNode = 1500;
const bytesPerEdge = 150;

/**
 * Compiles a model (parsed JSON). Cheap: cells of tables are compiled by the first run that meets them. Expressions and
 * JSON Schemas that do not compile raise their fault when a run reaches them, so that an unfinished model runs up to
 * them; `validate` finds them beforehand.
 * @throws EngineError with the first diagnostic of the document or its graph, `limit_program` when it is too large
 */
export function compile(
  model: unknown,
  { resolve, limits = defaultLimits, sandbox, footprint = new Footprint() }: CompileOptions,
): Program {
  const parsed = parseModel(model);
  const plan = planOf(parsed);
  checkGraph(parsed, plan, throwErrors);
  footprint.add(parsed.nodes.length * bytesPerNode + parsed.edges.length * bytesPerEdge);
  const sources = new Sources({ limits, footprint, resolve });
  const keys = new Set(parsed.nodes.flatMap(({ parsed: { decision } }) => decision ?? []));
  return new Program({
    nodes: parsed.nodes.map((node) => ({
      id: node.id,
      name: node.name,
      ...sources.compileNode(node),
    })),
    plan,
    limits,
    footprint,
    sandbox,
    scripted: parsed.nodes.some((node) => node.parsed.script === true),
    subPrograms: () => [...keys].flatMap((key) => resolve(key) ?? []),
  });
}

/** Compiles the sources of one program, each of them once. */
class Sources implements NodeContext {
  readonly limits: Limits;
  readonly resolve: CompileOptions['resolve'];
  readonly footprint: Footprint;
  readonly #standard = new Map<string, Expression>();
  readonly #unary = new Map<string, UnaryTest>();
  #nodesMentioned = false;

  constructor({ limits, footprint, resolve }: Required<Omit<CompileOptions, 'sandbox'>>) {
    this.limits = limits;
    this.footprint = footprint;
    this.resolve = resolve;
  }

  /** A node, and whether one of its sources reads `$nodes`. */
  compileNode(node: ModelNode): { compiled: CompiledNode; readsNodes: boolean } {
    this.#nodesMentioned = false;
    const compiled = node.parsed.compile(this);
    return { compiled, readsNodes: this.#nodesMentioned };
  }

  expression(source: string): Expression {
    this.#note(source);
    return this.#once(this.#standard, source, () => this.#compileStandard(source));
  }

  cell(source: string): Expression {
    this.#note(source);
    return this.#once(this.#standard, source, () => later(() => this.#compileStandard(source)));
  }

  unary(source: string): UnaryTest {
    this.#note(source);
    const { limits, footprint } = this;
    return this.#once(this.#unary, source, () =>
      later(() => orThrower(() => compileUnary(source, { limits, footprint, tolerant: true }))),
    );
  }

  #compileStandard(source: string): Expression {
    const { limits, footprint } = this;
    return orThrower(() => compileExpression(source, { limits, footprint }));
  }

  #once<T>(known: Map<string, T>, source: string, make: () => T): T {
    let made = known.get(source);
    if (made === undefined) {
      made = make();
      known.set(source, made);
    }
    return made;
  }

  #note(source: string): void {
    if (source.includes(reservedKey)) this.#nodesMentioned = true;
  }
}

/** Compiles when it first runs. */
function later<T>(make: () => (scope: Scope) => T): (scope: Scope) => T {
  let compiled: ((scope: Scope) => T) | undefined;
  return (scope) => (compiled ??= make())(scope);
}

/** A source with a fault becomes an expression that raises it. */
function orThrower<T>(make: () => (scope: Scope) => T): (scope: Scope) => T {
  try {
    return make();
  } catch (error) {
    const diagnostic = asEngineError(error)?.toDiagnostic();
    if (diagnostic === undefined) throw error;
    return () => {
      throw EngineError.from(diagnostic);
    };
  }
}
