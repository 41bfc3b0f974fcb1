import { cleanHeaders, OutboundRefused, outboundRequest } from '../../outbound/index.js';
import type { OutboundMethod, OutboundPolicy } from '../../outbound/index.js';
import type { GuestRequest } from './guestMessages.js';

const methods: readonly OutboundMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const nothing: OutboundPolicy = { allow: [] };

interface HttpCall {
  /** What the guest asked for, unchecked. */
  readonly request: GuestRequest;
  readonly policy: OutboundPolicy | undefined;
  readonly redact: (text: string) => string;
  readonly timeoutMs: number;
  /** Of the answer's body. */
  readonly maxBytes: number;
}

/**
 * One call of `http` in a function node. Answers `{value: {data, headers, status}}`, whatever the status, as zen core 2
 * does; `data` is the parsed JSON, or the text where the answer is no JSON. Errors tell a rule author what went wrong
 * without telling what the network behind looks like.
 */
export async function httpCall(
  { request, policy = nothing, redact, timeoutMs, maxBytes }: HttpCall,
  signal: AbortSignal,
): Promise<string> {
  const call = { ...prepare(request), policy, signal, timeoutMs, maxBytes };
  const response = await outboundRequest(call).catch((error: unknown) => {
    throw new Error(`${request.method} ${redact(request.url).slice(0, 200)}: ${reason(error)}`);
  });
  const { status, headers } = response;
  return JSON.stringify({ value: { data: parse(response.body), headers, status } });
}

interface Prepared {
  readonly url: string;
  readonly method: OutboundMethod;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function prepare(request: GuestRequest): Prepared {
  const method = methods.find((known) => known === request.method);
  if (method === undefined) throw new OutboundRefused('unknown method');
  if (request.auth !== undefined && request.auth !== null)
    throw new OutboundRefused('`auth` is not supported: send the header yourself');
  const headers = cleanHeaders(texts(request.headers, 'headers'));
  const url = withParams(request.url, texts(request.params, 'params'));
  headers['accept'] ??= 'application/json';
  if (request.data === undefined) return { url, method, headers };
  headers['content-type'] ??= 'application/json';
  return { url, method, headers, body: JSON.stringify(request.data) };
}

/** Headers and params: strings, numbers and booleans by name. */
function texts(given: unknown, what: string): Record<string, string> {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw new OutboundRefused(`${what} must be an object`);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
        throw new OutboundRefused(`${what}: ${name} is not a string, number or boolean`);
      }
      return [name, String(value)];
    }),
  );
}

function withParams(address: string, params: Record<string, string>): string {
  if (Object.keys(params).length === 0 || !URL.canParse(address)) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.append(name, value);
  return url.href;
}

function parse(body: Buffer): unknown {
  if (body.length === 0) return null;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Refusals and time-outs in words; for the rest the system's error code, which reveals nothing of the network. */
function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof OutboundRefused ? error.cause : error;
  if (cause instanceof OutboundRefused) return cause.message;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return `failed (${cause.code})`;
  return 'failed';
}
