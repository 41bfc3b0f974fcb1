import { Frame, type Scope, type Run } from '../feel/index.js';
import type { Value } from '../values.js';
import type { CompiledTable } from './boxed/decisionTable.js';
import { Evaluation, type Node } from './graph.js';
import { jsonFrom, readAs } from './values.js';

/** What a table did. */
interface Decided {
  readonly result: Value;
  /** Indexes of the rules that made it. */
  readonly rules: readonly number[];
}

/**
 * Runs a table by itself: the names that its inputs read are given, and nothing else of its document is worked out but the
 * functions that its element requires. Undefined where a value is not of the type that its name has.
 * @throws EngineError for a limit
 */
export function decideAlone(
  { decide, context: { scope } }: CompiledTable,
  node: Node,
  given: ReadonlyMap<string, Value>,
  run: Run,
): Decided | undefined {
  const evaluation = new Evaluation(run);
  evaluation.provideFunctions(node);
  const frame = frameOf(scope, evaluation.frame);
  for (const [name, value] of given) {
    const { slot } = scope.resolve(name);
    const read = slot && readAs(value, slot.type, run);
    if (slot === undefined || read === undefined) return undefined;
    frame.up(slot.levels).values[slot.index] = read;
  }
  const { value, hits } = decide(frame);
  return { result: jsonFrom(value, run), rules: hits };
}

/** A frame of each scope between a table's and the outermost one. */
const frameOf = ({ parent }: Scope, outermost: Frame): Frame =>
  parent === null ? outermost : new Frame(outermost.run, frameOf(parent, outermost), []);
