import type { HostCall, Questions, Reply } from './hostCalls.js';
import { read, write, writePlain } from './json.js';
import { Op } from './ops.js';

/** The exports of the modules `zen`, `http` and `env`; guests.ts of the host names the same keys. */
export function serviceModules(host: HostCall, questions: Questions, env: object): object {
  return { env, zen: zenModule(host), http: httpModule(questions) };
}

function zenModule(host: HostCall): object {
  const evaluate = (unary: boolean, expression: unknown, context: unknown): unknown => {
    if (typeof expression !== 'string') throw new TypeError('zen takes the expression as a string');
    const reply = read(String(host(Op.zen, write({ unary, expression, context })))) as Reply;
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  };
  return {
    evaluateExpression: (expression: unknown, context?: unknown) => evaluate(false, expression, context),
    evaluateUnaryExpression: (expression: unknown, context?: unknown) => evaluate(true, expression, context),
    evaluate: () => {
      throw new Error('zen.evaluate is not available in function nodes: use a decision node');
    },
  };
}

interface HttpConfig {
  readonly headers?: unknown;
  readonly params?: unknown;
  readonly data?: unknown;
  readonly auth?: unknown;
}

/** Methods with a body take it as their second argument, the others take it in the configuration if at all. */
function httpModule(questions: Questions): object {
  const send = (method: string, url: unknown, data: unknown, config: HttpConfig | null | undefined) => {
    const { headers, params, auth } = config ?? {};
    return questions.ask(Op.http, writePlain({ method, url: String(url), headers, params, auth, data }));
  };
  const bodiless = (method: string) => (url: unknown, config?: HttpConfig | null) =>
    send(method, url, config?.data, config);
  const withBody = (method: string) => (url: unknown, data?: unknown, config?: HttpConfig | null) =>
    send(method, url, data ?? config?.data ?? null, config);
  return {
    get: bodiless('GET'),
    head: bodiless('HEAD'),
    delete: bodiless('DELETE'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
  };
}
