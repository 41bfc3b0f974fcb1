import type { Diagnostic } from '../errors.js';
import { Exhausted } from './wasmGuard.js';
import { nestsDeeper } from '../../json/index.js';
import { HostCalls } from './hostCalls.js';
import type { Outcome } from './hostCalls.js';
import { diagnostics, userDiagnostic } from './diagnostics.js';
import type { CallHeader } from './guest/prelude.js';
import type { Ending, Machine } from './machine.js';
import type { FunctionCall, FunctionReply, RunOptions, SandboxLimits, SandboxRun } from './types.js';
import type { Typescript } from './typescript.js';
import { moduleOf, type UserModule } from './userModule.js';

/** Where a run gets its machine from, and gives it back to. */
export interface Machines {
  acquire(): Promise<Machine>;
  release(machine: Machine): void;
  readonly typescript: Typescript;
}

const keyOf = ({ version, nodeId, source }: FunctionCall): string => `${version} ${nodeId} ${source}`;

type Result = { readonly output: unknown } | { readonly diagnostic: Diagnostic };

const noConfig = Object.freeze({ iteration: 0, maxDepth: 0, trace: true });

/** The function nodes of one engine run. */
export class Run implements SandboxRun {
  readonly #machines: Machines;
  readonly #limits: SandboxLimits;
  readonly #deadline: number;
  readonly #hostCalls: HostCalls;
  /** Modules by source, so that a node that runs many times is evaluated once. */
  readonly #modules = new Map<string, UserModule>();
  #machine: Machine | undefined;
  #env: unknown;
  #current: Promise<FunctionReply> | undefined;
  #closed = false;

  constructor(machines: Machines, options: RunOptions, limits: SandboxLimits) {
    this.#machines = machines;
    this.#limits = limits;
    this.#deadline = options.deadline;
    this.#hostCalls = new HostCalls(options, limits);
  }

  async call(call: FunctionCall): Promise<FunctionReply> {
    if (this.#current !== undefined) throw new Error('a sandbox run takes one call at a time');
    this.#current = this.#perform(call);
    try {
      return await this.#current;
    } finally {
      this.#current = undefined;
    }
  }

  async dispose(): Promise<void> {
    this.#closed = true;
    this.#hostCalls.end(diagnostics.over());
    await this.#hostCalls.pendingCalls.cancel();
    // The call in flight has been woken and ends by itself; its failure, if any, goes to its caller.
    await this.#current?.catch(() => undefined);
    const machine = this.#machine;
    this.#machine = undefined;
    if (machine !== undefined) this.#machines.release(machine);
  }

  async #perform(call: FunctionCall): Promise<FunctionReply> {
    this.#hostCalls.begin(call);
    const result =
      this.#hostCalls.fatal === undefined ? await this.#evaluate(call) : { diagnostic: this.#hostCalls.fatal };
    // What the handler left behind without awaiting it ends with the call.
    await this.#hostCalls.pendingCalls.cancel();
    const { log } = this.#hostCalls;
    if ('output' in result) return { ok: true, output: result.output, log };
    const { diagnostic } = result;
    if (diagnostic.code !== 'function_failed') this.#hostCalls.end(diagnostic);
    return { ok: false, diagnostic: { ...diagnostic, nodeId: call.nodeId }, log };
  }

  async #evaluate(call: FunctionCall): Promise<Result> {
    const input = JSON.stringify(call.input ?? null);
    if (input.length > this.#limits.inputLength) return { diagnostic: diagnostics.input() };
    const machine = await this.#ready();
    if (this.#hostCalls.fatal !== undefined) return { diagnostic: this.#hostCalls.fatal };
    const module = this.#moduleOf(call);
    const header = JSON.stringify(this.#header(call));
    const started = machine.invoke(module, input, header);
    const stripped = await this.#stripped(call, module, started);
    if (stripped === undefined) return this.#finish(module, await this.#follow(machine, started));
    return this.#finish(stripped, await this.#follow(machine, machine.invoke(stripped, input, header)));
  }

  /** A module that did not parse, without its TypeScript types; undefined where stripping changes nothing. */
  async #stripped(call: FunctionCall, module: UserModule, ending: Ending): Promise<UserModule | undefined> {
    const { version, source } = call;
    if (version === 1 || ending.kind !== 'threw' || ending.error.name !== 'SyntaxError') return undefined;
    const javascript = await this.#machines.typescript.strip(source, this.#hostCalls.isOver);
    if (javascript === undefined || javascript === module.source) return undefined;
    const stripped: UserModule = { ...module, source: javascript, keepsColumns: false };
    this.#modules.set(keyOf(call), stripped);
    return stripped;
  }

  async #ready(): Promise<Machine> {
    if (this.#machine === undefined) {
      const machine = await this.#machines.acquire();
      machine.reset(this.#hostCalls);
      this.#machine = machine;
      if (this.#closed) this.#hostCalls.end(diagnostics.over());
    }
    return this.#machine;
  }

  /** Runs jobs and waits for the host until there is an outcome, or there can be none. */
  async #follow(machine: Machine, started: Ending): Promise<Outcome | Ending> {
    const hostCalls = this.#hostCalls;
    let ending = started;
    for (;;) {
      if (ending.kind === 'done') ending = machine.runJobs(() => hostCalls.outcome !== undefined || hostCalls.isOver());
      if (ending.kind === 'closed') return ending;
      if (hostCalls.outcome !== undefined || ending.kind === 'threw' || hostCalls.isOver())
        return hostCalls.outcome ?? ending;
      if (hostCalls.pendingCalls.isEmpty) return { kind: 'failed', diagnostic: diagnostics.neverSettles() };
      const delivery = await hostCalls.pendingCalls.next(this.#deadline);
      if (delivery !== undefined) ending = machine.deliver(delivery.id, delivery.text);
    }
  }

  #finish(module: UserModule, end: Outcome | Ending): Result {
    // Once a limit of the run is hit the run is over, even if the function caught the error and went on.
    const { fatal } = this.#hostCalls;
    if (fatal !== undefined) return { diagnostic: fatal };
    if (end.kind === 'value') return this.#output(end.text);
    if (end.kind === 'failed') return { diagnostic: end.diagnostic };
    if (end.kind === 'closed') return this.#closedBy(end.reason);
    if (end.kind === 'done') return { diagnostic: diagnostics.broken() };
    return { diagnostic: userDiagnostic(end.error, module, this.#hostCalls.redact) };
  }

  #output(text: string): Result {
    const { outputLength, outputDepth } = this.#limits;
    if (text.length > outputLength) return { diagnostic: diagnostics.output(text.length, outputLength) };
    if (nestsDeeper(text, outputDepth)) return { diagnostic: diagnostics.depth(outputDepth) };
    return { output: JSON.parse(text) as unknown };
  }

  /** The machine cannot be used any more: its memory or native stack is exhausted, or QuickJS trapped. */
  #closedBy(reason: Error): Result {
    const isDeep = reason instanceof RangeError;
    const diagnostic =
      reason instanceof Exhausted ? diagnostics.memory() : isDeep ? diagnostics.recursion() : diagnostics.broken();
    this.#hostCalls.end(diagnostic);
    return { diagnostic };
  }

  #moduleOf(call: FunctionCall): UserModule {
    const { source, nodeId } = call;
    const key = keyOf(call);
    const compiled = this.#modules.get(key);
    if (compiled !== undefined) return compiled;
    // Node ids come from the model, and repeat across its sub-decisions.
    const suffix = this.#modules.size === 0 ? '' : `.${this.#modules.size}`;
    const name = `node:${nodeId.slice(0, 64).replace(/[^\w.-]/g, '_')}${suffix}`;
    const module = moduleOf(call, name, this.#machines.typescript.known(source));
    this.#modules.set(key, module);
    return module;
  }

  #header(call: FunctionCall): CallHeader {
    const config = call.config ?? noConfig;
    const header = {
      version: call.version,
      config,
      hasNodes: call.nodes !== undefined,
      numberMark: call.numberMark,
      outputLength: this.#limits.outputLength,
      outputDepth: this.#limits.outputDepth,
      logLength: this.#limits.logLength,
    };
    if (call.env === this.#env) return header;
    this.#env = call.env;
    return { ...header, env: Object.keys(call.env) };
  }
}
