import { EngineError, diagnosticLine } from '../errors.js';
import type { Frame } from '../jdm/frame.js';
import { Reader } from '../jdm/reader.js';
import type { Value } from '../values.js';
import type { CompiledNode, Eventually, NodeType, NodeContext, SubProgram, TraceSlot } from './nodeType.js';
import { readTransform } from './transform.js';

const keyLocation = { field: 'content.key' };

/** Runs another decision on its input. */
export const decisionNode: NodeType = {
  type: 'decisionNode',
  read(content, report) {
    const reader = new Reader(content, 'content', report);
    const key = reader.required('key');
    const transform = readTransform(reader);
    return {
      role: 'step',
      decision: key,
      expressions: () => transform.expressions(),
      compile: (context) => transform.apply(compile(key, context), context),
    };
  },
};

function compile(key: string, context: NodeContext): CompiledNode {
  // Resolved by the first run, because decisions may contain each other.
  let program: SubProgram | undefined;
  const enter = (input: Value, frame: Frame, slot: TraceSlot): Eventually<Value> => {
    program ??= context.resolve(key);
    if (program === undefined) throw new EngineError('decision_missing', `There is no decision "${key}".`, keyLocation);
    const most = frame.session.run.limits.subDecisionDepth;
    if (frame.depth + 1 > most) {
      throw new EngineError('limit_sub_decisions', `Decisions are nested more than ${most} deep.`, keyLocation);
    }
    const inner = program.enter(input, frame, slot);
    return inner instanceof Promise ? inner.catch(rethrow) : inner;
  };
  const attempt: CompiledNode['trace'] = (input, frame, slot) => {
    try {
      return enter(input, frame, slot);
    } catch (error) {
      return rethrow(error);
    }
  };
  return { run: (input, frame) => attempt(input, frame, { data: undefined, passedOver: [] }), trace: attempt };

  /** The fault lies in the other decision: its location there goes into the message. */
  function rethrow(error: unknown): never {
    if (!(error instanceof EngineError) || error.location.nodeId === undefined) throw error;
    // A decision that contains itself would name itself over and over.
    if (error.code === 'limit_sub_decisions') throw new EngineError(error.code, error.message, keyLocation);
    throw new EngineError(error.code, `In decision "${key}": ${diagnosticLine(error.toDiagnostic())}`, {}, error.hint);
  }
}
