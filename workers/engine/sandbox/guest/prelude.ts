/**
 * Runs inside QuickJS, before any tenant's code, once per memory image. Nothing here is trusted by the host: a tenant
 * may bend its own run's globals as it likes, and only ever reaches `host` with texts that the host checks.
 */
import { clock, random } from './determinism.js';
import { line, read, write, writePlain, writeRaw } from './json.js';
import { Op } from './ops.js';
import type { GuestError, GuestExpression, GuestRequest } from './ops.js';

export type HostDoor = (op: Op, text?: string) => unknown;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What one call brings along, as JSON text from the host. */
export interface CallHeader {
  readonly version: 1 | 2;
  readonly trace: boolean;
  readonly config: { readonly iteration: number; readonly maxDepth: number; readonly trace: boolean };
  readonly hasNodes: boolean;
  readonly outputLength: number;
  readonly logLength: number;
  /** Absent: as in the call before. */
  readonly env?: Record<string, unknown>;
}

type Handler = (input: unknown, info: unknown) => unknown;
type UserModule = Record<string, unknown>;

const { defineProperty, freeze, keys, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
// Called only through `apply`, with the promise as `this`.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { then } = Promise.prototype;
const isArray = Array.isArray.bind(Array);

/** Sets up globals and gives the host its two handles. */
export function boot(host: HostDoor): unknown {
  const env: Record<string, unknown> = {};
  const waiting = new Map<number, Waiting>();
  const libraries: { dayjs?: unknown; Big?: unknown } = {};
  let header: CallHeader | undefined;
  let logFull = false;

  function ask(op: Op, text: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = host(op, text);
      if (typeof id === 'number') waiting.set(id, { resolve, reject });
      else reject(new Error(String(id)));
    });
  }

  function zen(unary: boolean, expression: unknown, context: unknown): unknown {
    if (typeof expression !== 'string') throw new TypeError('zen takes the expression as a string');
    const request: GuestExpression = { unary, expression, context };
    const reply = read(String(host(Op.zen, write(request)))) as { value?: unknown; error?: string };
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  }

  function http(method: string, url: unknown, data: unknown, config: unknown): Promise<unknown> {
    const { headers, params, auth, ...rest } = (config ?? {}) as Partial<GuestRequest>;
    const request: GuestRequest = { method, url: String(url), headers, params, auth, data: data ?? rest.data };
    return ask(Op.http, writePlain(request));
  }

  installGlobals();

  function installGlobals(): void {
    clock(() => host(Op.now) as number);
    random(() => host(Op.random) as number);
    const log = (...values: unknown[]): void => {
      if (header?.trace !== true || logFull) return;
      const lines: string[] = [];
      for (let i = 0; i < values.length; i++) lines[i] = line(values[i]);
      const text = writeRaw(lines);
      logFull = (text.length > header.logLength ? host(Op.logDropped) : host(Op.log, text)) === 0;
    };
    const sleep = (milliseconds: unknown): Promise<unknown> => ask(Op.sleep, String(Number(milliseconds)));
    fix('console', freeze({ log, sleep }));
  }

  function fix(name: string, value: unknown): void {
    defineProperty(globalThis, name, { value, writable: false, enumerable: false, configurable: true });
  }

  /** `$nodes`: asked of the host on first use, for a graph's outputs may be large and are seldom read. */
  function nodesProxy(): unknown {
    let loaded: Record<string, unknown> | undefined;
    const data = (): Record<string, unknown> => (loaded ??= read(String(host(Op.nodes))) as Record<string, unknown>);
    return new Proxy<Record<string, unknown>>(
      {},
      {
        // JSON.stringify looks for toJSON on every object: that alone must not load anything.
        get: (_target, name) => (typeof name === 'symbol' || name === 'toJSON' ? undefined : data()[name]),
        has: (_target, name) => typeof name === 'string' && name in data(),
        ownKeys: () => keys(data()),
        getOwnPropertyDescriptor: (_target, name) => getOwnPropertyDescriptor(data(), name),
      },
    );
  }

  function decorate(input: unknown, call: CallHeader): void {
    if (typeof input !== 'object' || input === null || isArray(input)) return;
    const own = { writable: true, configurable: true };
    if (call.hasNodes) defineProperty(input, '$nodes', { ...own, enumerable: true, value: nodesProxy() });
    defineProperty(input, '$env', { ...own, enumerable: false, value: env });
  }

  function setEnv(values: Record<string, unknown>): void {
    for (const name of keys(env)) delete env[name];
    for (const name of keys(values)) {
      defineProperty(env, name, { value: values[name], enumerable: true, writable: true, configurable: true });
    }
  }

  async function run(module: unknown, input: unknown, call: CallHeader): Promise<unknown> {
    const exported = (await module) as UserModule;
    const handler = call.version === 1 ? exported['default'] : exported['handler'];
    if (typeof handler !== 'function') {
      throw new TypeError(
        call.version === 1 ? '`handler` is not a function' : 'the module exports no function `handler`',
      );
    }
    const helpers = { moment: libraries.dayjs, dayjs: libraries.dayjs, Big: libraries.Big, env };
    return await (handler as Handler)(input, call.version === 1 ? helpers : { config: call.config });
  }

  function settle(value: unknown): void {
    if (header === undefined) return;
    try {
      const text = header.version === 1 ? writePlain(value) : write(value);
      if (text.length > header.outputLength) host(Op.tooLarge, String(text.length));
      else host(Op.settle, text);
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    host(Op.fail, writeRaw(describe(error)));
  }

  return {
    invoke(module: unknown, inputText: string, headerText: string): void {
      const call = read(headerText) as CallHeader;
      header = call;
      if (call.env !== undefined) setEnv(call.env);
      fix('config', freeze(call.config));
      const input: unknown = read(inputText);
      decorate(input, call);
      void apply(then, run(module, input, call), [settle, fail]);
    },
    deliver(id: number, text: string): void {
      const waiter = waiting.get(id);
      if (waiter === undefined) return;
      waiting.delete(id);
      const reply = read(text) as { value?: unknown; error?: string };
      if (reply.error === undefined) waiter.resolve(reply.value);
      else waiter.reject(new Error(reply.error));
    },
    modules: moduleTable({ zen, http, env }),
    adopt(dayjs: unknown, Big: unknown): void {
      libraries.dayjs = dayjs;
      libraries.Big = Big;
    },
  };
}

interface Services {
  readonly zen: (unary: boolean, expression: unknown, context: unknown) => unknown;
  readonly http: (method: string, url: unknown, data: unknown, config: unknown) => Promise<unknown>;
  readonly env: Record<string, unknown>;
}

/** The exports of the modules `zen`, `http` and `env`; modules.ts of the host names the same keys. */
function moduleTable({ zen, http, env }: Services): unknown {
  const bodiless = (method: string) => (url: unknown, config?: unknown) => http(method, url, undefined, config);
  const withBody = (method: string) => (url: unknown, data?: unknown, config?: unknown) =>
    http(method, url, data ?? null, config);
  return {
    env,
    zen: {
      evaluateExpression: (expression: unknown, context?: unknown) => zen(false, expression, context),
      evaluateUnaryExpression: (expression: unknown, context?: unknown) => zen(true, expression, context),
      evaluate: () => {
        throw new Error('zen.evaluate is not available in function nodes: use a decision node');
      },
    },
    http: {
      get: bodiless('GET'),
      head: bodiless('HEAD'),
      delete: bodiless('DELETE'),
      post: withBody('POST'),
      put: withBody('PUT'),
      patch: withBody('PATCH'),
    },
  };
}

/** An account of anything that can be thrown. Proxies and getters of the tenant may raise in turn. */
function describe(error: unknown): GuestError {
  try {
    if (typeof error === 'object' && error !== null && 'message' in error) {
      const { name, message, stack } = error as { name?: unknown; message: unknown; stack?: unknown };
      return { name: cut(name ?? 'Error', 100), message: cut(message, 2000), stack: cut(stack ?? '', 8000) };
    }
    return { name: '', message: cut(typeof error === 'string' ? error : line(error), 2000), stack: '' };
  } catch {
    return { name: '', message: 'an error that cannot be described', stack: '' };
  }
}

function cut(value: unknown, length: number): string {
  const text = String(value);
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
