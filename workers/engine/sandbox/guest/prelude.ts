/**
 * Runs inside QuickJS, before any tenant's code, once per memory image. Nothing here is trusted by the host: a tenant
 * may bend its own run's globals as it likes, and only ever reaches `host` with texts that the host checks.
 */
import { clock, random } from './determinism.js';
import { questions } from './hostCalls.js';
import type { HostCall } from './hostCalls.js';
import { fix, installGlobals, quietParse } from './globals.js';
import { decorate, readData, refill } from './input.js';
import { line, read, TooDeep, write, writePlain, writeTexts } from './json.js';
import { Op } from './ops.js';
import { serviceModules } from './services.js';

/** What one call brings along, as JSON text from the host. */
export interface CallHeader {
  readonly version: 1 | 2;
  readonly config: { readonly iteration: number; readonly maxDepth: number; readonly trace: boolean };
  readonly hasNodes: boolean;
  /** Before numbers that no double holds. */
  readonly numberMark?: string | undefined;
  readonly outputLength: number;
  readonly outputDepth: number;
  readonly logLength: number;
  /** Names of the environment's variables; absent: as in the call before. */
  readonly env?: readonly string[];
}

type Handler = (input: unknown, info: unknown) => unknown;

const { apply } = Reflect;
// Called only through `apply`, with the promise as `this`.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { then } = Promise.prototype;

/** Sets up the globals. Returns what the host uses: functions to call, and the exports of the service modules. */
export function boot(host: HostCall): object {
  const env: Record<string, unknown> = {};
  const asked = questions(host);
  let libraries: { dayjs?: unknown; Big?: unknown } = {};
  let header: CallHeader | undefined;

  clock(() => host(Op.now) as number);
  random(() => host(Op.random) as number);
  quietParse();
  installGlobals(host, asked, () => ({ enabled: header?.config.trace === true, maxLength: header?.logLength ?? 0 }));

  async function run(module: unknown, input: unknown, { version, config }: CallHeader): Promise<unknown> {
    const handler = handlerOf((await module) as Record<string, unknown>, version);
    const { dayjs, Big } = libraries;
    return handler(input, version === 1 ? { moment: dayjs, dayjs, Big, env } : { config });
  }

  function invoke(module: unknown, inputText: string, headerText: string): void {
    const call = read(headerText) as CallHeader;
    header = call;
    if (call.env !== undefined) refill(env, call.env, host);
    fix('config', Object.freeze(call.config));
    const input = readData(inputText, call.numberMark);
    decorate(input, host, { ...call, env });
    void apply(then, run(module, input, call), [(value: unknown) => settle(host, call, value), fail]);
  }

  function fail(error: unknown): void {
    host(Op.fail, describe(error));
  }

  function settle(host: HostCall, call: CallHeader, value: unknown): void {
    try {
      const text = call.version === 1 ? writePlain(value, call.outputDepth) : write(value, call.outputDepth);
      if (text.length > call.outputLength) host(Op.tooLarge, String(text.length));
      else host(Op.settle, text);
    } catch (error) {
      if (error instanceof TooDeep) host(Op.tooDeep);
      else fail(error);
    }
  }

  return {
    invoke,
    deliver: asked.deliver,
    modules: serviceModules(host, asked, env),
    adopt: (dayjs: unknown, Big: unknown) => void (libraries = { dayjs, Big }),
  };
}

function handlerOf(exported: Record<string, unknown>, version: 1 | 2): Handler {
  const handler = exported[version === 1 ? 'default' : 'handler'];
  if (typeof handler === 'function') return handler as Handler;
  throw new TypeError(version === 1 ? '`handler` is not a function' : 'the module exports no function `handler`');
}

/** Characters of an error's name and message. */
const longestError = 1024 * 1024;

/**
 * Name, message and stack of anything that can be thrown. Proxies and getters of the tenant may raise in turn. Of name
 * and message nothing is cut off here, since the host looks for whole secrets in them; the location is in the stack.
 */
function describe(error: unknown): string {
  try {
    const [name, message, stack] = partsOf(error);
    const start = stack.slice(0, 8000);
    if (name.length + message.length > longestError)
      return writeTexts(['', 'an error too long to be described', start]);
    return writeTexts([name, message, start]);
  } catch {
    return writeTexts(['', 'an error that cannot be described', '']);
  }
}

function partsOf(error: unknown): [name: string, message: string, stack: string] {
  if (typeof error === 'string') return ['', error, ''];
  if (typeof error !== 'object' || error === null || !('message' in error)) return ['', line(error), ''];
  const { name, message, stack } = error as { name?: unknown; message: unknown; stack?: unknown };
  return [textOf(name ?? 'Error'), textOf(message), textOf(stack ?? '')];
}

const textOf = (value: unknown): string => String(value);
