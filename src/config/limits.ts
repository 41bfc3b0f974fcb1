import { defaultRunLimits, type RunLimits } from '../../workers/protocol.js';
import { integer, setting } from './parsers.js';

const { engine, functions } = defaultRunLimits;
const megabyte = 1024 * 1024;

/**
 * The limits of a run that operators can set; the others are constants of the engine (`defaultRunLimits`). A limit that
 * is hit is an error of the run with a code of its own.
 */
export const limitSettings = {
  runMaxSteps: setting(
    'RUN_MAX_STEPS',
    integer(100, 1e15),
    engine.steps,
    'Rounds, calls and table cells of one run, all together (`limit_steps`)',
  ),
  runMaxIterations: setting(
    'RUN_MAX_ITERATIONS',
    integer(1, 1e9),
    engine.iterations,
    'Rounds of one `map`, `filter`, … or of one node in loop mode (`limit_iterations`)',
  ),
  runMaxOutputBytes: setting(
    'RUN_MAX_OUTPUT_BYTES',
    integer(100, 256 * megabyte),
    engine.outputBytes,
    'Size of a result, and of what a function node returns, as JSON (`limit_output`)',
  ),
  runMaxTraceBytes: setting(
    'RUN_MAX_TRACE_BYTES',
    integer(1000, 256 * megabyte),
    engine.traceBytes,
    'Size of a trace as JSON; a larger one is cut and says so',
  ),
  functionMaxHeapMb: setting(
    'FUNCTION_MAX_HEAP_MB',
    integer(20, 1024),
    functions.memoryBytes / megabyte,
    "Memory of one run's function nodes, then 500 (`limit_memory`)",
  ),
  functionMaxHttpCalls: setting(
    'FUNCTION_MAX_HTTP_CALLS',
    integer(0, 1e6),
    functions.httpCalls,
    "Calls of `http` by one run's function nodes (`limit_steps`)",
  ),
  functionMaxHttpBytes: setting(
    'FUNCTION_MAX_HTTP_BYTES',
    integer(0, 64 * megabyte),
    functions.httpBytes,
    'Size of an answer that `http` reads; a larger one is an error for the function to catch',
  ),
} as const;

/** The limits of a run, as worker threads are started with them: those that are settings, and the engine's own. */
export function runLimitsOf(config: { readonly [K in keyof typeof limitSettings]: number }): RunLimits {
  return {
    engine: {
      ...engine,
      steps: config.runMaxSteps,
      iterations: config.runMaxIterations,
      outputBytes: config.runMaxOutputBytes,
      traceBytes: config.runMaxTraceBytes,
    },
    functions: {
      ...functions,
      memoryBytes: config.functionMaxHeapMb * megabyte,
      outputLength: config.runMaxOutputBytes,
      httpCalls: config.functionMaxHttpCalls,
      httpBytes: config.functionMaxHttpBytes,
    },
  };
}
