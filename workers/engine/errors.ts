/** Stable codes of engine errors; they stand in traces, in `verdict decision validate` and in logs. */
export type EngineErrorCode =
  | 'model_invalid' // the document is not JDM, or breaks a rule of graphs
  | 'syntax_error' // an expression does not parse
  | 'unknown_function'
  | 'unknown_node_kind'
  | 'type_error' // an operation met a value of a kind that it does not take
  | 'schema_violation' // input or output breaks the model's JSON Schema
  | 'decision_missing' // a decision node names a decision that is not there
  | 'function_failed' // a function node threw
  | 'function_unavailable'
  | 'http_withheld' // a repeated run would call another host
  | 'limit_program' // the compiled model takes more memory, or more work to compile, than a program may
  | 'limit_depth'
  | 'limit_ast'
  | 'limit_steps'
  | 'limit_iterations'
  | 'limit_sub_decisions'
  | 'limit_output'
  | 'limit_string'
  | 'limit_array'
  | 'limit_memory'
  | 'timeout';

/** Where in a model a diagnostic lies. `span` counts UTF-16 units of the expression in `source`: [start, end). */
export interface Location {
  readonly nodeId?: string;
  readonly nodeName?: string;
  /** Cell, key, condition or attribute, e.g. `rules[2].inputs[0]`, `expressions.total`, `content.inputField`. */
  readonly field?: string;
  /** The same for people: `rule 3, output fee.amount`, `expression total`. */
  readonly label?: string;
  /** JSON Pointer (RFC 6901) into the model; only diagnostics of validation have one. */
  readonly pointer?: string;
  readonly source?: string;
  readonly span?: readonly [start: number, end: number];
  /** In a document that is no JSON; both count from 1. `source` is a part of it then. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** One diagnostic of a model or of a run, as data: what crosses from the worker and what the CLI draws carets from. */
export interface Diagnostic extends Location {
  /**
   * A warning is what the reference engine, which refuses nothing, accepts silently; `unknown` is what a limit of the check
   * left open, which says nothing against the model. Absent: an error.
   */
  readonly severity?: 'warning' | 'unknown';
  readonly code: EngineErrorCode;
  /** One line that a rule author understands. */
  readonly message: string;
  /** What to do about it, e.g. "did you mean `customer.age`?" */
  readonly hint?: string;
  /** What can stand in place of `source`, where that has one reading. */
  readonly repair?: string;
  /** What can stand there, where it has several readings. */
  readonly readings?: readonly string[];
}

/** The only error that the engine throws on purpose. `at` adds the location on the way up; the innermost one wins. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;
  location: Location;
  readonly hint: string | undefined;

  constructor(code: EngineErrorCode, message: string, location: Location = {}, hint?: string) {
    // Without a stack trace, which takes microseconds: a table may catch thousands of such errors as cells that do not
    // match.
    const depth = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = depth;
    this.name = 'EngineError';
    this.code = code;
    this.location = location;
    this.hint = hint;
  }

  /** Adds the parts of the location that the error has not yet, and returns the same error. */
  at(location: Location): this {
    this.location = { ...location, ...this.location };
    return this;
  }

  /** A fresh error of a diagnostic that was found earlier. */
  static from(diagnostic: Diagnostic): EngineError {
    const { code, message, hint, ...location } = diagnostic;
    return new EngineError(code, message, location, hint);
  }

  toDiagnostic(): Diagnostic {
    return {
      code: this.code,
      message: this.message,
      ...this.location,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }
}

/** An engine error unchanged, `limit_depth` for a stack overflow, undefined for everything else. */
export function asEngineError(cause: unknown): EngineError | undefined {
  if (cause instanceof EngineError) return cause;
  if (cause instanceof RangeError && cause.message.includes('call stack')) {
    return new EngineError('limit_depth', 'Values or expressions are nested too deep.');
  }
  return undefined;
}

/** What the engine gives; undefined where it raises an error. */
export function tried<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof EngineError) return undefined;
    throw error;
  }
}

/**
 * Whether an error ends the run wherever it happens. Others count as a result in some places: a cell that fails does
 * not match. Limits, and errors that the engine did not raise on purpose, always end it.
 */
export function endsRun(error: unknown): boolean {
  return !(error instanceof EngineError) || error.code === 'timeout' || error.code.startsWith('limit_');
}

/** Characters of a message, and what is shown of a longer one: its beginning and its end. */
const longestMessage = 600;
const shown = { first: 250, last: 100 };

/**
 * A message that fits the trace, though it may quote a long text of the model or the fact.
 * @param message already redacted: a part of a secret would not be recognised any more
 */
export function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  return `${message.slice(0, shown.first)}…${message.slice(-shown.last)}`.toWellFormed();
}

/** A diagnostic as the one line of `result.error`: `Node "Fees", rule 3, output fee.amount: …`. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  const node = diagnostic.nodeName ?? diagnostic.nodeId;
  const where = [node === undefined ? undefined : `Node "${node}"`, diagnostic.label ?? diagnostic.field].filter(
    (part) => part !== undefined,
  );
  const line = where.length === 0 ? diagnostic.message : `${where.join(', ')}: ${diagnostic.message}`;
  return oneLine(line);
}

/** A text with a blank in place of line breaks. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
