import { parseJson } from './exactJson.js';

interface Refusal {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly requestId?: string | null;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Why the service refused, or could not be asked. */
export class ApiError extends Error {
  readonly status: number;
  /** The stable code of the service's answer; `unreachable` where there was none. */
  readonly code: string;
  readonly requestId: string | null;
  /** The answer's body, for what a code carries beside these (`faults`, `errors`). */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, { status, code, requestId = null, body = {} }: Refusal) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.body = body;
  }
}

/** Why something failed, for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the service says of parts of a request that it refused, by their pointers (`/measure/pointer`). */
export const errorsIn = ({ errors }: ApiError['body']): readonly { pointer: string; message: string }[] =>
  (Array.isArray(errors) ? (errors as readonly unknown[]) : []).flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null || !('message' in entry)) return [];
    return [{ pointer: 'pointer' in entry ? String(entry.pointer) : '', message: String(entry.message) }];
  });

/** What was asked for, or `instead` where the token has not the scope for it; other failures stay. */
export async function permitted<Value>(asked: Promise<Value>, instead: Value): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'insufficient_scope') return instead;
    throw error;
  }
}

export interface Session {
  readonly token: string;
  readonly workspaceId: string | null;
}

export type Query = Readonly<Record<string, string | number | undefined | null>>;

export interface CallOptions {
  readonly query?: Query;
  /** An object, JSON text as a person wrote it, or a file. */
  readonly body?: object | string | Blob | undefined;
  /** The answer is a file: a `Blob`. */
  readonly isFile?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly body: unknown;
  /** The state of the resource that the body shows, for `If-Match`. */
  readonly tag: string | null;
  /** What a file is called. */
  readonly name: string | null;
  /** By which what was recorded of it is found. */
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** One request. Rejects with `ApiError`. */
export type Call = (method: string, path: string, options?: CallOptions) => Promise<Answer>;

/** Where the service is: the document says it, for it may be below a proxy's prefix. */
export const rootUrl = new URL(document.documentElement.dataset['root'] ?? './', document.baseURI);

/** @param expired called when the service does not accept the token any more */
export function createCall(session: Session, expired: () => void): Call {
  /** Set once the token was refused: pages that ask again and again do not send it any more. */
  let ended: ApiError | null = null;
  return async (method, path, { query = {}, body, headers = {}, signal, isFile = false } = {}) => {
    if (ended !== null) throw ended;
    const url = new URL(path.replace(/^\//, ''), rootUrl);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
    }
    const response = await send(url, {
      method,
      headers: {
        Accept: isFile ? '*/*' : 'application/json',
        Authorization: `Bearer ${session.token}`,
        ...(session.workspaceId === null ? {} : { 'X-Workspace-Id': session.workspaceId }),
        ...(body === undefined ? {} : { 'Content-Type': body instanceof Blob ? body.type : 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body) }),
      signal: signal ?? null,
    });
    const answered = {
      tag: response.headers.get('ETag'),
      name: fileName(response),
      requestId: requestIdOf(response),
      headers: response.headers,
    };
    if (response.ok && isFile) return { ...answered, body: await response.blob() };
    const text = await response.text();
    if (response.ok) return { ...answered, body: text === '' ? undefined : parseJson(text) };
    const error = refusal(response, text);
    if (error.status === 401) {
      ended = error;
      expired();
    }
    throw error;
  };
}

const requestIdOf = ({ headers }: Response): string | null => headers.get('X-Request-Id');

/** The whole name, which stands beside that of ASCII. */
const fileName = ({ headers }: Response): string | null => {
  const name = /filename\*=UTF-8''([^;]+)/.exec(headers.get('Content-Disposition') ?? '')?.[1];
  return name === undefined ? null : decodeURIComponent(name);
};

/** fetch, without cookies. Rejects with `ApiError`: `unreachable`, or `refused` where the browser reads the file no more. */
export async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, credentials: 'omit', cache: 'no-store' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    if (init.body instanceof Blob && (await isChanged(init.body)))
      throw new ApiError('The file was changed since it was chosen. Choose it again.', { status: 0, code: 'refused' });
    throw new ApiError('The service cannot be reached. Is it running, and are you online?', {
      status: 0,
      code: 'unreachable',
    });
  }
}

/** The browser reads no file that was changed on disk after it was chosen. */
const isChanged = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => false,
      () => true,
    );

function refusal(response: Response, text: string): ApiError {
  const body = readObject(text);
  const word = (name: string): string | undefined => {
    const value = body[name];
    return typeof value === 'string' ? value : undefined;
  };
  const { status } = response;
  return new ApiError(word('detail') ?? word('title') ?? `The service answered ${status}.`, {
    status,
    code: word('code') ?? String(status),
    requestId: requestIdOf(response),
    body,
  });
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
