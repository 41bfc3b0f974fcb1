import type { Footprint } from '../footprint.js';
import type { Eventually, SubProgram, TraceSlot } from '../nodes/nodeType.js';
import type { Value } from '../values.js';
import type { Frame } from './frame.js';
import { GraphRun } from './graph-run.js';
import { completed, failed } from './outcome.js';
import type { HasParts, Outcome, ProgramParts, RunOptions } from './parts.js';
import { followRoute, routeOf, type Path, type Plan } from './plan.js';
import { RunSession } from './session.js';
import { SwitchPaths } from './switchPaths.js';

/** A compiled model. Immutable; any number of runs may use it, one after the other or interleaved. */
export class Program implements HasParts, SubProgram {
  readonly parts: ProgramParts;
  /** Makes the path of one run through the graph; without a switch it is the same in each run. */
  readonly #newPath: () => Path;
  #async: boolean | undefined;

  constructor(parts: ProgramParts) {
    this.parts = parts;
    this.#newPath = pathsOf(parts.plan, parts.footprint);
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

function pathsOf(plan: Plan, footprint: Footprint): () => Path {
  if (plan.roles.includes('switch')) {
    const paths = new SwitchPaths(plan, footprint);
    return () => paths.path();
  }
  const route = routeOf(plan);
  return () => followRoute(route);
}

/** Ends the sandbox before giving the outcome, so that nothing of the run goes on afterwards. */
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
function reachable(start: HasParts): HasParts[] {
  const found = new Set([start]);
  for (const program of found) for (const sub of program.parts.subPrograms()) found.add(sub);
  return [...found];
}
