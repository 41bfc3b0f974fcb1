import type { HostCall, Questions } from './hostCalls.js';
import { line, writeTexts } from './json.js';
import { Op } from './ops.js';

const { defineProperty, freeze } = Object;
// Called only through `apply`, with the promise as `this`.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { then } = Promise.prototype;
const { apply } = Reflect;
const settled = Promise.resolve();
const NativeSyntaxError = SyntaxError;
const tokenMessage = 'unexpected token';

/** A global that scripts cannot assign to. */
export function fix(name: string, value: unknown): void {
  defineProperty(globalThis, name, { value, writable: false, enumerable: false, configurable: true });
}

/** What the present call lets `console.log` do. */
interface Logging {
  readonly enabled: boolean;
  /** UTF-16 units of one entry. */
  readonly maxLength: number;
}

const withoutToken = (message: string): string => (message.startsWith(tokenMessage) ? tokenMessage : message);

/** Has `JSON.parse` name no part of the text in its errors: the text may be a secret. */
export function quietParse(): void {
  const { parse } = JSON;
  const parseQuietly = (text: string, reviver?: Parameters<typeof parse>[1]): unknown => {
    try {
      return parse(text, reviver);
    } catch (error) {
      if (error instanceof NativeSyntaxError) error.message = withoutToken(error.message);
      throw error;
    }
  };
  defineProperty(parseQuietly, 'name', { value: 'parse', configurable: true });
  defineProperty(JSON, 'parse', { value: parseQuietly, writable: true, configurable: true });
}

/** Installs `console` and `queueMicrotask`, which QuickJS leaves to its embedder. */
export function installGlobals(host: HostCall, questions: Questions, logging: () => Logging): void {
  let full = false;
  const log = (...values: unknown[]): void => {
    const { enabled, maxLength } = logging();
    if (!enabled || full) return;
    const lines: string[] = [];
    for (let i = 0; i < values.length; i++) lines[i] = line(values[i]);
    const text = writeTexts(lines);
    // The host answers 0 when there is no room left: from then on it need not be asked.
    full = (text.length > maxLength ? host(Op.logDropped) : host(Op.log, text)) === 0;
  };
  const sleep = (milliseconds: unknown): Promise<unknown> => questions.ask(Op.sleep, String(Number(milliseconds)));
  fix('console', freeze({ log, sleep }));
  const queueMicrotask = (job: unknown): void => {
    if (typeof job !== 'function') throw new TypeError('queueMicrotask takes a function');
    void apply(then, settled, [() => void apply(job as () => unknown, undefined, [])]);
  };
  defineProperty(globalThis, 'queueMicrotask', { value: queueMicrotask, writable: true, configurable: true });
}
