import type { OutboundPolicy } from '../../outbound/index.js';
import type { RunClock } from '../clock.js';
import type { Diagnostic } from '../errors.js';
import type { RunSecrets } from '../redact.js';

/** What a function node says. */
export interface FunctionScript {
  /** The author's JavaScript, as stored: `content.source` (version 2) or `content` itself (version 1). */
  readonly source: string;
  /** 1: a script that defines `handler(input, helpers)`. 2: an ES module that exports `handler(input, info)`. */
  readonly version: 1 | 2;
}

/** One call of a function node. */
export interface FunctionCall extends FunctionScript {
  /** Stands before texts that are numbers which no double holds: they fail where they are read. */
  readonly numberMark?: string;
  /** The node's input as a plain JSON value. */
  readonly input: unknown;
  /** Outputs of earlier nodes by name, plain JSON; asked for only when the function reads `input.$nodes`. */
  readonly nodes?: () => unknown;
  /** Variables of the environment: `env` import and `input.$env` (version 2), `helpers.env` (version 1). */
  readonly env: Readonly<Record<string, unknown>>;
  readonly nodeId: string;
  readonly config?: FunctionConfig;
}

/** What a function sees as the global `config`. */
interface FunctionConfig {
  /** How deep in sub-decisions the node stands, 0 at the top. */
  readonly iteration: number;
  readonly maxDepth: number;
  /** Without a trace `console.log` keeps nothing. Absent config: lines are kept. */
  readonly trace: boolean;
}

/** One `console.log`: a JSON text per argument, and milliseconds since the call began. */
export interface FunctionLog {
  readonly lines: string[];
  readonly msSinceRun: number;
}

/** `source` and `span` of the diagnostic are of the author's source; its `hint` names line and column where known. */
export type FunctionReply =
  | { readonly ok: true; readonly output: unknown; readonly log: FunctionLog[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic; readonly log: FunctionLog[] };

/** ZEN for the module `zen`. Contexts and results are plain JSON values. Both may throw `EngineError`. */
export interface ZenCalls {
  evaluateExpression(expression: string, context: unknown): unknown;
  evaluateUnaryExpression(expression: string, context: unknown): boolean;
}

/** What `http` in function nodes may reach; `withheld` ends a run that calls it, allowed or not. */
export type HttpPolicy = OutboundPolicy | 'withheld';

/** Bounds of one run's function nodes. Sizes are bytes unless named otherwise. */
export interface SandboxLimits {
  /** Memory of one run, all that QuickJS takes; WebAssembly counts in pages of 64 KB. */
  readonly memoryBytes: number;
  /** Native stack of one run. */
  readonly stackBytes: number;
  /** One call's input as JSON text (UTF-16 units); parsed it takes a multiple of that. */
  readonly inputLength: number;
  /** One call's output as JSON text (UTF-16 units). */
  readonly outputLength: number;
  /** Nesting of one call's output. */
  readonly outputDepth: number;
  /** All log lines of one run (UTF-16 units); what is over is dropped and one line says so. */
  readonly logLength: number;
  /** `console.log` calls kept in one run. */
  readonly logEntries: number;
  /** Calls of zen, http and sleep in one run. */
  readonly hostCalls: number;
  /** Calls of http in one run. */
  readonly httpCalls: number;
  /** Body of one answer to http. */
  readonly httpBytes: number;
  /** Runs served by one WebAssembly instance before it is replaced. */
  readonly runsPerInstance: number;
}

export interface RunOptions {
  /**
   * `performance.now()` milliseconds after which the run is over; Infinity is allowed, as it is capped at ten minutes.
   */
  readonly deadline: number;
  readonly clock: RunClock;
  /** Source of `Math.random` in [0, 1). */
  readonly random: () => number;
  readonly zen: ZenCalls;
  /** Absent: every `http` call is refused. */
  readonly http?: HttpPolicy;
  /**
   * Is told which variables are read, and redacts secrets from texts before they are shortened; absent: there are none.
   */
  readonly secrets?: RunSecrets;
}

/** One fresh QuickJS state per engine run, shared only by that run's function nodes. */
export interface SandboxRun {
  /** Never rejects for what the function does; one call at a time. Diagnostics are data. */
  call(call: FunctionCall): Promise<FunctionReply>;
  /**
   * Ends the run: timers cleared, fetches aborted, the state gone. Nothing of the run goes on once the promise is
   * settled; callers await it before they answer. Idempotent.
   */
  dispose(): Promise<void>;
}

export interface Sandbox {
  /** Cheap: the state is made by the first call. */
  open(options: RunOptions): SandboxRun;
  /** Why a function does not parse; undefined where it does, or where that is not known when `isOver`. Runs nothing of it. */
  faultOf(script: FunctionScript, isOver: () => boolean): Promise<Diagnostic | undefined>;
}
