import { EngineError } from '../errors.js';
import type { Diagnostic } from '../errors.js';
import { onDemand } from '../onDemand.js';
import { diagnostics } from './diagnostics.js';
import { Op } from './guest/ops.js';
import type { Tenant, Thrown } from './machine.js';
import { readError, readExpression, readRequest, readTexts } from './guestMessages.js';
import type { GuestExpression, GuestRequest } from './guestMessages.js';
import type { FunctionCall, FunctionLog, RunOptions, SandboxLimits } from './types.js';
import { PendingCalls } from './pendingCalls.js';

/** How a handler ended, as the guest reports it. */
export type Outcome =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'error'; readonly error: Thrown }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic };

/** The host's side of the calls out of QuickJS: answers what the functions of one run ask, and counts. */
export class HostCalls implements Tenant {
  readonly pendingCalls: PendingCalls;
  readonly #options: RunOptions;
  readonly #limits: SandboxLimits;
  #call: FunctionCall | undefined;
  #startedAt = 0;
  #log: FunctionLog[] = [];
  #outcome: Outcome | undefined;
  /** Set once; it ends the run for all of its functions. */
  #fatal: Diagnostic | undefined;
  #logEntries = 0;
  #logLength = 0;
  #logFull = false;
  #hostCalls = 0;
  #httpCalls = 0;

  constructor(options: RunOptions, limits: SandboxLimits) {
    this.#options = options;
    this.#limits = limits;
    this.pendingCalls = new PendingCalls(options.clock);
  }

  /** Takes the secrets that the run has read out of a message. */
  readonly redact = (message: string): string => this.#options.secrets?.message(message) ?? message;

  get log(): FunctionLog[] {
    return this.#log;
  }

  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  get fatal(): Diagnostic | undefined {
    return this.#fatal ?? (performance.now() >= this.#options.deadline ? diagnostics.timeout() : undefined);
  }

  readonly isOver = (): boolean => this.#fatal !== undefined || performance.now() >= this.#options.deadline;

  /** Ends the run for all of its functions. The first reason stays. */
  end(diagnostic: Diagnostic): void {
    this.#fatal ??= diagnostic;
  }

  begin(call: FunctionCall): void {
    this.#call = call;
    this.#startedAt = performance.now();
    this.#log = [];
    this.#outcome = undefined;
  }

  readonly ask = (op: number, text: string): number | string | undefined => {
    try {
      return this.#answer(op, text);
    } catch (error) {
      // The prelude never writes such a text: the tenant's code has got hold of the host function, so the run ends.
      this.end(error instanceof EngineError ? error.toDiagnostic() : diagnostics.broken());
      return undefined;
    }
  };

  #answer(op: number, text: string): number | string | undefined {
    switch (op) {
      case Op.now:
        return this.#options.clock.read();
      case Op.random:
        return this.#options.random();
      case Op.log:
        return this.#addLog(text);
      case Op.logDropped:
        return this.#dropLog();
      case Op.nodes:
        return JSON.stringify(this.#call?.nodes?.() ?? {});
      case Op.variable:
        return this.#variable(text);
      case Op.zen:
        return this.#zen(readExpression(text));
      case Op.sleep:
        return this.#sleep(Number(text));
      case Op.http:
        return this.#http(readRequest(text));
      case Op.settle:
        this.#settle({ kind: 'value', text });
        return undefined;
      case Op.tooLarge:
        this.#settle({ kind: 'failed', diagnostic: diagnostics.output(Number(text), this.#limits.outputLength) });
        return undefined;
      case Op.tooDeep:
        this.#settle({ kind: 'failed', diagnostic: diagnostics.depth(this.#limits.outputDepth) });
        return undefined;
      case Op.fail:
        this.#settle({ kind: 'error', error: readError(text) });
        return undefined;
      default:
        return undefined;
    }
  }

  /** The first outcome of a call counts. */
  #settle(outcome: Outcome): void {
    this.#outcome ??= outcome;
  }

  /** Answers 1 while there is room for more, so that the guest stops sending lines that would be dropped. */
  #addLog(text: string): number {
    this.#logEntries += 1;
    this.#logLength += text.length;
    if (this.#logEntries > this.#limits.logEntries || this.#logLength > this.#limits.logLength) return this.#dropLog();
    this.#pushLog(readTexts(text).map(this.redact));
    return 1;
  }

  /** Says once that lines were dropped. */
  #dropLog(): number {
    if (!this.#logFull) this.#pushLog(['"the log is full: further lines are dropped"']);
    this.#logFull = true;
    return 0;
  }

  #pushLog(lines: string[]): void {
    this.#log.push({ lines, msSinceRun: Math.floor(performance.now() - this.#startedAt) });
  }

  /** Variables are handed over one by one, so that it is known which of them a function has. */
  #variable(name: string): string {
    const { env = {} } = this.#call ?? {};
    if (!Object.hasOwn(env, name)) return 'null';
    this.#options.secrets?.noteRead(name);
    return JSON.stringify(env[name] ?? null);
  }

  #zen({ unary, expression, context }: GuestExpression): string | undefined {
    if (!this.#count()) return undefined;
    const { zen } = this.#options;
    try {
      const value = unary
        ? zen.evaluateUnaryExpression(expression, context)
        : zen.evaluateExpression(expression, context);
      return JSON.stringify({ value });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      // Limits end the run: the function must not be able to catch them.
      if (error.code === 'timeout' || error.code.startsWith('limit_')) throw error;
      return JSON.stringify({ error: this.redact(error.message) });
    }
  }

  #sleep(milliseconds: number): number | undefined {
    if (!this.#count()) return undefined;
    return this.pendingCalls.sleep(Math.max(0, milliseconds) || 0);
  }

  #http(request: GuestRequest): number | undefined {
    if (!this.#count()) return undefined;
    this.#httpCalls += 1;
    if (this.#httpCalls > this.#limits.httpCalls) {
      this.end(diagnostics.hostCalls('http', this.#limits.httpCalls));
      return undefined;
    }
    const { http: policy } = this.#options;
    if (policy === 'withheld') {
      this.end(diagnostics.withheld());
      return undefined;
    }
    const timeoutMs = Math.max(1, Math.ceil(this.#options.deadline - performance.now()));
    const { httpBytes: maxBytes } = this.#limits;
    return this.pendingCalls.start(async (signal) => {
      // undici takes a third of the time in which a thread starts, and most threads call nobody.
      const { httpCall } = await onDemand(import('./http.js'));
      return httpCall({ request, policy, redact: this.redact, timeoutMs, maxBytes }, signal);
    });
  }

  #count(): boolean {
    this.#hostCalls += 1;
    if (this.#hostCalls <= this.#limits.hostCalls) return true;
    this.end(diagnostics.hostCalls('zen, http and console.sleep', this.#limits.hostCalls));
    return false;
  }
}
