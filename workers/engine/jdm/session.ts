import { RunClock } from '../clock.js';
import { EngineError, shortened, type Diagnostic } from '../errors.js';
import { mostWarnings, type Warning } from '../feel/feelRun.js';
import type { Sandbox, SandboxRun, ZenCalls } from '../sandbox/types.js';
import type { RunState, ValueObject } from '../values.js';
import { compileExpression, compileUnary } from '../zen/index.js';
import { fromJson } from '../zen/values/json.js';
import { own } from '../zen/values/objects.js';
import type { Session } from './frame.js';
import type { ProgramParts, RunOptions } from './parts.js';
import { javascriptValue } from './jsonSize.js';

/** Few tables have so many cells, and a person who waits for a trace notices no such time. */
const searchOfRun = { steps: 50_000, ms: 50 };

/** What one run has in common, from its beginning to its outcome. */
export class RunSession implements Session {
  readonly run: RunState;
  readonly env: ValueObject;
  readonly traced: boolean;
  readonly plainFact: boolean;
  /** `performance.now()` at the beginning. */
  readonly started: number;
  /** Warnings of DMN documents that the run called: expressions that gave null, in the order in which they did, up to a number. */
  readonly warnings: Warning[] = [];
  readonly #options: RunOptions;
  readonly #clock: RunClock;
  readonly #sandbox: Sandbox | undefined;
  #opened: SandboxRun | undefined;
  #search: { steps: number; ms: number } | undefined;

  constructor(options: RunOptions, parts: ProgramParts) {
    const limits = options.limits ?? parts.limits;
    const { deadline, now, random, secrets } = options;
    this.started = performance.now();
    this.#clock = new RunClock(now, this.started);
    this.run = { limits, steps: limits.steps, deadline, now: this.#clock.now, random, variableReads: secrets };
    this.env = options.env ?? {};
    this.traced = options.trace;
    this.plainFact = options.plainFact === true;
    this.#options = options;
    this.#sandbox = parts.sandbox;
  }

  get search(): { steps: number; ms: number } {
    return (this.#search ??= { ...searchOfRun });
  }

  warn(warnings: readonly Warning[]): void {
    this.warnings.push(...warnings.slice(0, mostWarnings - this.warnings.length));
  }

  sandbox(): SandboxRun {
    if (this.#opened !== undefined) return this.#opened;
    if (this.#sandbox === undefined) {
      throw new EngineError('function_unavailable', 'Function nodes are switched off here.');
    }
    const { random, deadline, http, secrets } = this.#options;
    this.#opened = this.#sandbox.open({
      deadline,
      clock: this.#clock,
      random,
      zen: this.#zenCalls(),
      ...(http === undefined ? {} : { http }),
      ...(secrets === undefined ? {} : { secrets }),
    });
    return this.#opened;
  }

  diagnosticOf(error: EngineError): Diagnostic {
    const diagnostic = error.toDiagnostic();
    const message = this.#options.secrets?.text(diagnostic.message) ?? diagnostic.message;
    return { ...diagnostic, message: shortened(message) };
  }

  /** Ends the sandbox, if one was opened. */
  async close(): Promise<void> {
    await this.#opened?.dispose();
  }

  /** ZEN for the module `zen` of function nodes, on this run's steps and clock. */
  #zenCalls(): ZenCalls {
    const { run, env } = this;
    const scopeOf = (context: unknown) => {
      const data = fromJson(context);
      return { data, reference: null, nodes: null, env, run };
    };
    return {
      evaluateExpression: (expression, context) => {
        return javascriptValue(compileExpression(expression, { limits: run.limits })(scopeOf(context)), run);
      },
      evaluateUnaryExpression: (expression, context) => {
        const scope = scopeOf(context);
        return compileUnary(expression, { limits: run.limits })({ ...scope, reference: own(scope.data, '$') });
      },
    };
  }
}
