import { request, type Dispatcher } from 'undici';
import { requireDocumented } from './openapi.js';

/** An answer, whole: what tests assert on. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as it came, for files. */
  readonly bytes?: Buffer;
  /** The body when it is JSON, else undefined. */
  readonly body: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
}

/** The connection was refused or lost before the whole answer was there. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * One HTTP request; an object body gets `Content-Type: application/json` unless headers say otherwise. By undici itself, as tests
 * ask tens of thousands of times and Node's own fetch, which is undici too, takes more than three times as much of the processor.
 * Rejects with `NoAnswer`, and where the API's answer is not as its OpenAPI document says.
 */
export async function call(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const options = {
    method,
    headers: { ...defaultType(body), ...headers },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  };
  const { response, bytes } = await whole(url, options).catch((cause: unknown) => {
    throw new NoAnswer(`${method} ${url}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
  const text = bytes.toString();
  const status = response.statusCode;
  const answer = { status, headers: joined(response.headers), text, bytes, body: parsed(text) };
  await requireDocumented(url, method, answer);
  return answer;
}

async function whole(
  url: string,
  options: Parameters<typeof request>[1],
): Promise<{ response: Dispatcher.ResponseData<unknown>; bytes: Buffer }> {
  const response = await request(url, options);
  return { response, bytes: Buffer.from(await response.body.arrayBuffer()) };
}

/** What a client says of a body of which its caller says nothing: fetch does so of texts, and nothing of bytes. */
function defaultType(body: unknown): Readonly<Record<string, string>> {
  if (body === undefined || body instanceof Uint8Array) return {};
  return { 'Content-Type': typeof body === 'string' ? 'text/plain;charset=UTF-8' : 'application/json' };
}

/** Values of a header that came more than once are one list. */
export const joined = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]));

/** What a text is as JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A caller of the logic API with its token and workspace. */
export interface Caller {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export function callerOf(baseUrl: string, token: string, workspaceId: string): Caller {
  const send = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(`${baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId, ...headers },
      body,
    });
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
