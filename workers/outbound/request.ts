import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { guardedAgent } from './connector.js';
import { newResolver } from './names.js';
import { OutboundRefused, checkTarget } from './policy.js';
import type { OutboundPolicy, Target } from './policy.js';

export type OutboundMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface OutboundRequest {
  readonly url: string;
  readonly method: OutboundMethod;
  /** As `cleanHeaders` left them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly policy: OutboundPolicy;
  /** Ends the call, whatever it is doing. */
  readonly signal: AbortSignal;
  /** For the whole call, redirects included. */
  readonly timeoutMs: number;
  readonly maxBytes?: number;
  /** True: only status and headers count; the body comes back empty, even where reading it fails. */
  readonly headOnly?: boolean;
  /** 0: a redirect is the answer. */
  readonly maxRedirects?: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** What must not follow a redirect to another origin. */
const credentials: readonly string[] = ['authorization', 'cookie', 'proxy-authorization'];

/** How much of an unwanted body is read before its connection is cut. */
const discarded = { maxBytes: 64 * 1024, maxMs: 1000 } as const;

/**
 * One HTTP call to a host of the policy's, guarded against private addresses, with redirects followed by hand so that
 * each is checked as the first address was. Throws OutboundRefused for what is not allowed, the signal's reason when
 * aborted, and undici's errors for what went wrong on the way. Nothing of it is open when the promise settles.
 */
export async function outboundRequest(call: OutboundRequest): Promise<OutboundResponse> {
  const maxRedirects = call.maxRedirects ?? 3;
  let step: Step = { url: call.url, method: call.method, headers: call.headers, body: call.body };
  for (let redirects = 0; ; redirects++) {
    call.signal.throwIfAborted();
    const target = redirects === 0 ? checkTarget(step.url, call.policy) : checkRedirect(step.url, call.policy);
    const response = await send(step, target, call);
    const location = response.headers['location'];
    if (!redirectStatuses.has(response.status) || location === undefined || maxRedirects === 0) return response;
    if (redirects === maxRedirects) throw new OutboundRefused(`more than ${maxRedirects} redirects`);
    step = redirected(step, target.url, response.status, location);
  }
}

/** The author has not written this address: the message says where it came from. */
function checkRedirect(url: string, policy: OutboundPolicy): Target {
  try {
    return checkTarget(url, policy);
  } catch (error) {
    throw error instanceof OutboundRefused ? new OutboundRefused(`redirected, and ${error.message}`) : error;
  }
}

interface Step {
  readonly url: string;
  readonly method: OutboundMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

async function send(step: Step, target: Target, call: OutboundRequest): Promise<OutboundResponse> {
  // An agent of its own for each hop: a kept connection would skip the checks that opening it makes.
  const resolver = newResolver();
  const agent = guardedAgent({
    mayBePrivate: target.mayBePrivate,
    timeoutMs: call.timeoutMs,
    signal: call.signal,
    resolver,
  });
  try {
    const answer = await request(target.url, {
      dispatcher: agent,
      method: step.method,
      headers: step.headers,
      body: step.body ?? null,
      signal: call.signal,
      headersTimeout: call.timeoutMs,
      bodyTimeout: call.timeoutMs,
      onInfo: countedInfos(),
    });
    const body = call.headOnly === true ? await discard(answer) : await collect(answer, call.maxBytes ?? 1024 * 1024);
    return { status: answer.statusCode, headers: flatten(answer.headers), body };
  } catch (error) {
    call.signal.throwIfAborted();
    throw error;
  } finally {
    resolver.cancel();
    await agent.destroy();
  }
}

/** Answers before the one that counts (RFC 9110 15.2): nobody sends more than a few. */
const mostInfos = 20;

/** Refuses a host that sends them without end, each of which is work: undici gives what this throws to its caller. */
function countedInfos(): () => void {
  let infos = 0;
  return () => {
    if (++infos > mostInfos) throw new OutboundRefused(`more than ${mostInfos} answers of status 1xx`);
  };
}

async function collect(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer.body) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (size > maxBytes) throw new OutboundRefused(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * A sender whose body is not read sees a reset, and may take the call for failed: so a body of usual size is read and
 * dropped.
 */
async function discard(answer: Dispatcher.ResponseData): Promise<Buffer> {
  const { maxBytes, maxMs } = discarded;
  await answer.body.dump({ limit: maxBytes, signal: AbortSignal.timeout(maxMs) }).catch(() => undefined);
  return Buffer.alloc(0);
}

/** RFC 9110 15.4: 303 always becomes GET; 301 and 302 turn POST into GET, as every client does; 307 and 308 repeat. */
function redirected(step: Step, from: URL, status: number, location: string): Step {
  if (!URL.canParse(location, from.href)) throw new OutboundRefused('redirected to something that is not a URL');
  const url = new URL(location, from.href);
  const becomesGet = status === 303 ? step.method !== 'HEAD' : status < 303 && step.method === 'POST';
  const dropped = new Set(url.origin === from.origin ? [] : credentials);
  if (becomesGet) dropped.add('content-type');
  const headers = Object.fromEntries(Object.entries(step.headers).filter(([name]) => !dropped.has(name)));
  const method = becomesGet ? 'GET' : step.method;
  return { url: url.href, method, headers, body: becomesGet ? undefined : step.body };
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
