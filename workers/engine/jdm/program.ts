import type { Fault } from '../errors.js';
import type { Limits } from '../limits.js';
import type { CompiledNode, Eventually, TraceSlot } from '../nodes/nodeType.js';
import type { OutboundPolicy } from '../../outbound/index.js';
import type { RunSecrets } from '../redact.js';
import type { Sandbox } from '../sandbox/types.js';
import type { Value, ValueObject } from '../values.js';
import type { Frame } from './frame.js';
import { GraphRun } from './graph-run.js';
import { completed, failed } from './outcome.js';
import { followRoute, routeOf, type Path, type Plan } from './plan.js';
import { RunSession } from './session.js';
import { SwitchPaths } from './switchPaths.js';
import type { Trace } from './trace.js';

/** What a run is given beside its fact. */
export interface RunOptions {
  /** The environment's variables, `$env`; absent in evaluations. */
  readonly env?: ValueObject;
  readonly trace: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** `performance.now()` milliseconds after which the run is stopped; Infinity for never. */
  readonly deadline: number;
  /** In place of the limits that the program was compiled with. */
  readonly limits?: Limits;
  /** What `http` in function nodes may reach; absent: nothing. */
  readonly http?: OutboundPolicy;
  /** Hears which variables are read, and takes secrets out of texts before they are cut; absent: there are none. */
  readonly secrets?: RunSecrets;
}

/**
 * How a run ended. `engineMs` is the time in the engine alone. Values may share parts with the fact. `plain`: there is no
 * decimal, date or interval in result and trace.
 */
export type Outcome =
  | {
      readonly status: 'COMPLETED';
      readonly result: Value;
      readonly engineMs: number;
      readonly plain: boolean;
      readonly trace?: Trace;
    }
  | {
      readonly status: 'FAILED';
      readonly error: Fault;
      /** The error as one line, with node and field. */
      readonly message: string;
      readonly engineMs: number;
      readonly plain: boolean;
      readonly trace?: Trace;
    };

/** A node, ready to run. */
export interface ProgramNode {
  readonly id: string;
  readonly name: string;
  readonly compiled: CompiledNode;
  /** It reads `$nodes`. */
  readonly readsNodes: boolean;
}

/** What `compile` makes a program of. */
export interface ProgramParts {
  readonly nodes: readonly ProgramNode[];
  readonly plan: Plan;
  readonly limits: Limits;
  readonly sandbox: Sandbox | undefined;
  /** Some node is JavaScript. */
  readonly scripted: boolean;
  /** The programs of its decision nodes, as far as they are there. */
  readonly subPrograms: () => Program[];
}

/** A compiled model. Immutable; any number of runs may use it, one after the other or interleaved. */
export class Program {
  readonly parts: ProgramParts;
  /** Makes the way of one run through the graph; without a switch it is the same in each run. */
  readonly #newPath: () => Path;
  #async: boolean | undefined;

  constructor(parts: ProgramParts) {
    this.parts = parts;
    this.#newPath = pathsOf(parts.plan);
  }

  /** Whether a run may give a promise: the program, or one that it can reach, has function nodes. */
  get async(): boolean {
    this.#async ??= reachable(this).some((program) => program.parts.scripted);
    return this.#async;
  }

  /**
   * Runs the program on a fact (parsed JSON; not changed). Never throws for what a model or a fact does: that is an
   * outcome with status FAILED. A promise only when `async`.
   */
  run(fact: Value, options: RunOptions): Eventually<Outcome> {
    const session = new RunSession(options, this.parts);
    const graph = new GraphRun({ parts: this.parts, path: this.#newPath(), session, input: fact });
    try {
      const value = graph.drive();
      return value instanceof Promise ? settle(value, graph, session) : completed(value, graph, session);
    } catch (error) {
      return failed(error, graph, session);
    }
  }

  /** Runs the program as a sub-decision of a graph that is running. */
  enter(input: Value, parent: Frame, slot: TraceSlot): Eventually<Value> {
    const graph = new GraphRun({ parts: this.parts, path: this.#newPath(), session: parent.session, input, parent });
    slot.data = graph.trace;
    return graph.drive();
  }
}

function pathsOf(plan: Plan): () => Path {
  if (plan.roles.includes('switch')) {
    const paths = new SwitchPaths(plan);
    return () => paths.path();
  }
  const route = routeOf(plan);
  return () => followRoute(route);
}

/** Nothing of a run may float when its outcome is there. */
async function settle(value: Promise<Value>, graph: GraphRun, session: RunSession): Promise<Outcome> {
  try {
    return completed(await value, graph, session);
  } catch (error) {
    return failed(error, graph, session);
  } finally {
    await session.close();
  }
}

/** The program and all that its decision nodes lead to. */
function reachable(start: Program): Program[] {
  const found = new Set([start]);
  for (const program of found) for (const sub of program.parts.subPrograms()) found.add(sub);
  return [...found];
}
