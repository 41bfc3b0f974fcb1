import { RunClock } from '../../workers/engine/clock.js';
import { defaultSandboxLimits } from '../../workers/engine/sandbox/limits.js';
import { createSandbox } from '../../workers/engine/sandbox/sandbox.js';
import type {
  FunctionCall,
  FunctionReply,
  RunOptions,
  Sandbox,
  SandboxLimits,
  ZenCalls,
} from '../../workers/engine/sandbox/types.js';
import type { Diagnostic } from '../../workers/engine/errors.js';

/** A frozen moment: 2023-11-14T22:13:20Z. */
export const frozenNow = 1_700_000_000_000;

/** Stands in for the engine's ZEN where only the host calls matter. */
export const echoZen: ZenCalls = {
  evaluateExpression: (expression, context) => ({ expression, context }),
  evaluateUnaryExpression: (expression) => expression === 'true',
};

export interface CallOptions extends Partial<Omit<FunctionCall, 'source'>> {
  readonly timeoutMs?: number;
  readonly run?: Partial<RunOptions>;
}

/** Of a run whose time limit is not what is tested: no busy machine takes so long. */
export const longTimeoutMs = 100_000;

/** One sandbox for a test file: machines are reused over its tests, as they are over a worker's runs. */
export function sandboxFixture(limits: Partial<SandboxLimits> = {}) {
  const sandbox: Sandbox = createSandbox({ ...defaultSandboxLimits, ...limits });
  const open = (options: CallOptions = {}) =>
    sandbox.open({
      deadline: performance.now() + (options.timeoutMs ?? longTimeoutMs),
      clock: new RunClock(frozenNow, performance.now()),
      random: () => 0.25,
      zen: echoZen,
      ...options.run,
    });
  /** A run of its own around one call. */
  const call = async (source: string, options: CallOptions = {}): Promise<FunctionReply> => {
    const run = open(options);
    try {
      return await run.call(functionCall(source, options));
    } finally {
      await run.dispose();
    }
  };
  const output = async (source: string, options: CallOptions = {}): Promise<unknown> => {
    const reply = await call(source, options);
    if (!reply.ok) throw new Error(`${reply.diagnostic.code}: ${reply.diagnostic.message}`);
    return reply.output;
  };
  const diagnostic = async (source: string, options: CallOptions = {}): Promise<Diagnostic> => {
    const reply = await call(source, options);
    if (reply.ok) throw new Error(`expected a fault, got ${JSON.stringify(reply.output)}`);
    return reply.diagnostic;
  };
  return { open, call, output, fault: diagnostic };
}

export function functionCall(source: string, options: CallOptions = {}): FunctionCall {
  const { timeoutMs: _timeout, run: _run, ...rest } = options;
  return { source, version: 2, input: { a: 1 }, env: {}, nodeId: 'fn', ...rest };
}

/** A version 2 module whose handler has this body. */
export function handler(body: string, imports = ''): string {
  return `${imports}\nexport const handler = async (input, info) => { ${body} };`;
}
