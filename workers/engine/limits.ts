/**
 * Everything the engine refuses to exceed. A limit that is hit raises an `EngineError`, never a silent stop.
 * Times are milliseconds, sizes are bytes unless named otherwise.
 */
export interface Limits {
  /** Nesting of one expression's syntax tree. */
  readonly expressionDepth: number;
  /** Syntax-tree nodes of one expression. */
  readonly astNodes: number;
  /** Closure calls, function calls, table cells and loop rounds of one run, all together. */
  readonly steps: number;
  /** Rounds of one closure (`map`, `filter`, …) or one loop-mode node. */
  readonly iterations: number;
  /** Decisions inside decisions. */
  readonly subDecisionDepth: number;
  /** Bytes of the result as JSON text. */
  readonly outputBytes: number;
  /** Bytes of the trace as JSON text; a larger trace is cut and says so. */
  readonly traceBytes: number;
  /** Length of a string made by one operation (UTF-16 units). */
  readonly stringLength: number;
  /** Items of an array made by one operation. */
  readonly arrayLength: number;
  /** Items of lists and objects that one run makes, all together, garbage included; eight characters count as one. */
  readonly madeItems: number;
}

export const defaultLimits: Limits = Object.freeze({
  expressionDepth: 200,
  astNodes: 20_000,
  steps: 1_000_000_000,
  iterations: 10_000_000,
  subDecisionDepth: 10,
  outputBytes: 4 * 1024 * 1024,
  traceBytes: 1024 * 1024,
  stringLength: 1_000_000,
  arrayLength: 1_000_000,
  madeItems: 1_000_000_000,
});
