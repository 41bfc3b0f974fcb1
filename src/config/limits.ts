import { defaultRunLimits, type RunLimits } from '../../workers/protocol.js';
import { integer, setting } from './parsers.js';

const { engine, functions } = defaultRunLimits;
const megabyte = 1024 * 1024;

/** What one run may not exceed. A limit that is hit is an error of the run with a code of its own. */
export const limitSettings = {
  runMaxExpressionDepth: setting(
    'RUN_MAX_EXPRESSION_DEPTH',
    integer(10, 1000),
    engine.expressionDepth,
    'Nesting of one expression (`limit_depth`)',
  ),
  runMaxExpressionNodes: setting(
    'RUN_MAX_EXPRESSION_NODES',
    integer(10, 10_000_000),
    engine.astNodes,
    'Parts of one expression: operators, names, values (`limit_ast`)',
  ),
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
  runMaxDecisionDepth: setting(
    'RUN_MAX_DECISION_DEPTH',
    integer(0, 100),
    engine.subDecisionDepth,
    'Decisions inside decisions (`limit_sub_decisions`)',
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
  runMaxStringLength: setting(
    'RUN_MAX_STRING_LENGTH',
    integer(100, 100_000_000),
    engine.stringLength,
    'Characters of a text that one operation makes (`limit_string`)',
  ),
  runMaxArrayLength: setting(
    'RUN_MAX_ARRAY_LENGTH',
    integer(10, 10_000_000),
    engine.arrayLength,
    'Items of a list that one operation makes (`limit_array`)',
  ),
  runMaxItems: setting(
    'RUN_MAX_ITEMS',
    integer(100, 1e15),
    engine.madeItems,
    'Items of lists and objects that one run makes, all together, then 500 (`limit_memory`)',
  ),
  functionMaxHeapMb: setting(
    'FUNCTION_MAX_HEAP_MB',
    integer(20, 1024),
    functions.memoryBytes / megabyte,
    "Memory of one run's function nodes, then 500 (`limit_memory`)",
  ),
  functionMaxStackKb: setting(
    'FUNCTION_MAX_STACK_KB',
    integer(64, 1024),
    functions.stackBytes / 1024,
    'Stack of function nodes (`function_failed`)',
  ),
  functionMaxInputLength: setting(
    'FUNCTION_MAX_INPUT_LENGTH',
    integer(100, 64 * megabyte),
    functions.inputLength,
    "Characters of a function node's input as JSON, then 500 (`limit_memory`)",
  ),
  functionMaxOutputDepth: setting(
    'FUNCTION_MAX_OUTPUT_DEPTH',
    integer(5, 900),
    functions.outputDepth,
    'Nesting of what a function node returns (`limit_depth`)',
  ),
  functionMaxCalls: setting(
    'FUNCTION_MAX_CALLS',
    integer(0, 1e9),
    functions.hostCalls,
    "Calls of `zen`, `http` and `console.sleep` by one run's function nodes (`limit_steps`)",
  ),
  functionMaxHttpCalls: setting(
    'FUNCTION_MAX_HTTP_CALLS',
    integer(0, 1e6),
    functions.httpCalls,
    'Those of `http` among them (`limit_steps`)',
  ),
  functionMaxHttpBytes: setting(
    'FUNCTION_MAX_HTTP_BYTES',
    integer(0, 64 * megabyte),
    functions.httpBytes,
    'Size of an answer that `http` reads; a larger one is an error for the function to catch',
  ),
  functionMaxLogLines: setting(
    'FUNCTION_MAX_LOG_LINES',
    integer(0, 1e6),
    functions.logEntries,
    'Calls of `console.log` that one run keeps; one line says that there were more',
  ),
  functionMaxLogLength: setting(
    'FUNCTION_MAX_LOG_LENGTH',
    integer(0, 64 * megabyte),
    functions.logLength,
    'Characters of all those lines; one line says that there were more',
  ),
} as const;

/** The limits among the settings, as worker threads are started with them. */
export function runLimitsOf(config: { readonly [K in keyof typeof limitSettings]: number }): RunLimits {
  return {
    engine: {
      expressionDepth: config.runMaxExpressionDepth,
      astNodes: config.runMaxExpressionNodes,
      steps: config.runMaxSteps,
      iterations: config.runMaxIterations,
      subDecisionDepth: config.runMaxDecisionDepth,
      outputBytes: config.runMaxOutputBytes,
      traceBytes: config.runMaxTraceBytes,
      stringLength: config.runMaxStringLength,
      arrayLength: config.runMaxArrayLength,
      madeItems: config.runMaxItems,
    },
    functions: {
      memoryBytes: config.functionMaxHeapMb * megabyte,
      stackBytes: config.functionMaxStackKb * 1024,
      inputLength: config.functionMaxInputLength,
      outputLength: config.runMaxOutputBytes,
      outputDepth: config.functionMaxOutputDepth,
      hostCalls: config.functionMaxCalls,
      httpCalls: config.functionMaxHttpCalls,
      httpBytes: config.functionMaxHttpBytes,
      logEntries: config.functionMaxLogLines,
      logLength: config.functionMaxLogLength,
      runsPerInstance: functions.runsPerInstance,
    },
  };
}
