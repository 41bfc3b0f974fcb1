import { asEngineError, EngineError, diagnosticLine } from '../errors.js';
import type { Limits } from '../limits.js';
import type { Value } from '../values.js';
import type { GraphRun } from './graph-run.js';
import type { Outcome } from './parts.js';
import type { RunSession } from './session.js';
import { finishTrace } from './trace.js';
import { jsonSize, withoutReserved } from './jsonSize.js';

/** The outcome of a run that reached its end: FAILED where the result is too large. */
export function completed(value: Value, graph: GraphRun, session: RunSession): Outcome {
  const size = jsonSize(value, session.run.limits.outputBytes);
  if (size === undefined) return failed(tooLargeResult(session.run.limits), graph, session);
  const result = size.reserved ? withoutReserved(value) : value;
  const engineMs = performance.now() - session.started;
  const { plain, ...traced } = traceOf(graph, session);
  return { status: 'COMPLETED', result, engineMs, plain: plain && size.plain, ...traced };
}

/** The outcome of a run that could not begin, because of its program or its fact. */
export function failedOutcome(error: EngineError): Outcome {
  const diagnostic = error.toDiagnostic();
  return { status: 'FAILED', error: diagnostic, message: diagnosticLine(diagnostic), engineMs: 0, plain: true };
}

export const tooLargeResult = ({ outputBytes }: Limits): EngineError =>
  new EngineError('limit_output', `The result is larger than ${outputBytes} bytes, or nested too deep.`);

/**
 * The outcome of a run that an error ended.
 * @throws the cause itself where it is no `EngineError`: a fault of the engine, not of the model
 */
export function failed(cause: unknown, graph: GraphRun, session: RunSession): Outcome {
  const error = asEngineError(cause);
  if (error === undefined) throw cause;
  const diagnostic = session.diagnosticOf(error);
  const engineMs = performance.now() - session.started;
  return {
    status: 'FAILED',
    error: diagnostic,
    message: diagnosticLine(diagnostic),
    engineMs,
    ...traceOf(graph, session),
  };
}

function traceOf({ trace }: GraphRun, { run, warnings }: RunSession): Pick<Outcome, 'plain' | 'trace' | 'warnings'> {
  const told = warnings.length === 0 ? {} : { warnings };
  return trace === undefined ? { plain: true, ...told } : { ...finishTrace(trace, run.limits.traceBytes), ...told };
}
