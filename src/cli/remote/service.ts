import { parseExactly } from '../../../workers/json/index.js';
import type { FaultDocument } from '../../decisions/diagnostics.js';
import { NotSignedIn, Refusal, UsageError, violationLines } from '../failures.js';
import { drawDiagnostics, locatedDiagnostic } from '../diagnostics.js';
import type { Connection } from './connection.js';
import { exchange, type RawAnswer } from './exchange.js';
import type { Operation } from '#openapi/operations.gen.js';
import { createTokens, type Token } from './token.js';

export interface Request {
  /** Of the path, as they are. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Parameters that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON text, so that models are sent with all their digits; of several pieces where it is long. */
  readonly body?: string | readonly string[] | Uint8Array;
  /** Called for each piece of the body that is on its way. */
  readonly onSent?: (() => void) | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply<Body> {
  readonly body: Body;
  readonly headers: Headers;
  /** Whose it is, told to operators: they see all tenants. */
  readonly tenantId?: string;
}

export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly after: string | null };
}

/** Operations of the API, of a service or, for operators, in this process. */
export interface Operations {
  /** @throws ServiceRefusal for answers of 400 and above; NotSignedIn for a token that is not accepted */
  readonly send: Send;
  /** The items of all pages of a list. */
  readonly all: <Item extends object>(operation: Operation<PageOf<Item>>, request?: Request) => Promise<Listed<Item>[]>;
  /** An answer that is a file of any length. @throws Refusal also midway, where it is not whole */
  readonly file: (operation: Operation<unknown>, request: Request) => Promise<FilePieces>;
  /** The newest items of a list. */
  readonly newest: <Item extends object>(
    operation: Operation<PageOf<Item>>,
    query: NewestQuery,
  ) => Promise<Listed<Item>[]>;
}

/** A file, whose pieces come while they are read. */
export type FilePieces = AsyncIterable<string | Uint8Array>;

type Send = <Body>(operation: Operation<Body>, request?: Request) => Promise<Reply<Body>>;

/** An item of a list; an operator's list may be of all tenants. */
export type Listed<Item> = Item & { readonly tenantId?: string };

interface NewestQuery {
  readonly size: number;
  readonly after: string | undefined;
}

/** The API of a service, as one client sees it in one workspace. */
export interface Service extends Operations {
  readonly connection: Connection;
  token(): Promise<Token>;
  /** The workspace that requests name. @throws UsageError where nothing says which */
  workspaceId(): string;
  /** As `send`, for an answer that is a file. */
  receive(operation: Operation<unknown>, request?: Request): Promise<Buffer>;
}

/** The service refused a request. */
export class ServiceRefusal extends Refusal {
  override readonly name = 'ServiceRefusal';
  readonly status: number;
  /** Of the problem; empty where something else than the service answered. */
  readonly code: string;
  readonly faults: readonly FaultDocument[];

  constructor(message: string, { status, code = '', faults = [] }: { status: number } & Partial<Problem>) {
    super(message);
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

/** What a read gives, or something else where the client may not read it. */
export async function allowed<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceRefusal && error.code === 'insufficient_scope') return otherwise;
    throw error;
  }
}

/** The service answered with a text that is no JSON. */
export class UnreadableAnswer extends Refusal {
  override readonly name = 'UnreadableAnswer';
}

const largestPage = 5000;

const inWorkspace = ({ path }: Operation<unknown>): boolean =>
  path.startsWith('/logic/') && path !== '/logic/workspaces';

export function createService(connection: Connection): Service {
  const tokens = createTokens(connection);
  const workspaceId = (): string => {
    if (connection.workspaceId !== undefined) return connection.workspaceId;
    throw new UsageError('name a workspace: --workspace, VERDICT_WORKSPACE, or `verdict login --workspace`.');
  };

  const ask = async (operation: Operation<unknown>, request: Request, inPieces = false): Promise<RawAnswer> => {
    const { method } = operation;
    const url = addressOf(connection.url, operation, request);
    const { onSent } = request;
    const body = piecesOf(request.body);
    const once = async (token: Token): Promise<RawAnswer> =>
      exchange(
        {
          method,
          url,
          headers: {
            Authorization: `Bearer ${token.text}`,
            ...(inWorkspace(operation) ? { 'X-Workspace-Id': workspaceId() } : {}),
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...request.headers,
          },
          body,
          onSent,
          inPieces,
        },
        method === 'GET',
      );
    const answer = await once(await tokens());
    // The token was withdrawn or has expired by the server's clock.
    return answer.status === 401 ? once(await tokens(true)) : answer;
  };

  const send = async <Body>(operation: Operation<Body>, request: Request = {}): Promise<Reply<Body>> => {
    const answer = await ask(operation, request);
    if (answer.status >= 300) throw refusalOf(answer, connection);
    return { body: (answer.text === '' ? null : parsed(answer.text, operation)) as Body, headers: answer.headers };
  };

  return {
    connection,
    token: () => tokens(),
    workspaceId,
    send,
    async receive(operation, request = {}) {
      const answer = await ask(operation, request);
      if (answer.status >= 300) throw refusalOf(answer, connection);
      return answer.bytes;
    },
    async file(operation, request) {
      const answer = await ask(operation, request, true);
      if (answer.status >= 300) throw refusalOf(answer, connection);
      return answer.pieces;
    },
    all: (operation, request) => readPages(send, operation, request),
    newest: async (operation, query) =>
      (await send(operation, { query: { ...query, order: 'desc' } })).body.data.slice(),
  };
}

/** Reads a list page by page. */
export async function readPages<Item>(
  send: Send,
  operation: Operation<PageOf<Item>>,
  request: Request = {},
): Promise<Item[]> {
  const items: Item[] = [];
  for (let after: string | undefined; ;) {
    const { body } = await send(operation, { ...request, query: { size: largestPage, ...request.query, after } });
    items.push(...body.data);
    if (body.page.after === null || body.data.length < largestPage) return items;
    after = body.page.after;
  }
}

const piecesOf = (body: Request['body']): readonly (string | Uint8Array)[] | undefined =>
  body === undefined || Array.isArray(body) ? (body as readonly string[] | undefined) : [body as string | Uint8Array];

/** Where a request goes. */
export function addressOf(base: string, { path }: Operation<unknown>, { params = {}, query = {} }: Request): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name] ?? '')));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `${base}${filled}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

function parsed(text: string, { method, path }: Operation<unknown>): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw new UnreadableAnswer(`the server answered ${method} ${path} with a text that is no JSON.`);
  }
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
  readonly faults: readonly FaultDocument[];
}

/** What an answer of 300 and above is thrown as. */
export function refusalOf(answer: Omit<RawAnswer, 'bytes' | 'pieces'>, { url, clientId, source }: Connection): Error {
  const problem = problemIn(answer);
  if (answer.status === 401)
    return new NotSignedIn(`the server at ${url} does not accept the client ${clientId} (${source})`);
  if (problem === undefined)
    return new ServiceRefusal(`the server at ${url} answered ${answer.status} with no reason.`, answer);
  const { code, detail = `the server answered ${answer.status}`, errors = [], faults = [] } = problem;
  const drawn =
    faults.length === 0 ? [] : ['', drawDiagnostics(faults.map((fault) => locatedDiagnostic(fault.key, fault)))];
  const status = answer.status;
  return new ServiceRefusal([`${detail} (${status} ${code ?? ''})`, ...violationLines(errors), ...drawn].join('\n'), {
    status,
    ...(code === undefined ? {} : { code }),
    faults,
  });
}

function problemIn({ headers, text }: Omit<RawAnswer, 'bytes' | 'pieces'>): Partial<Problem> | undefined {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true) return undefined;
  return JSON.parse(text) as Partial<Problem>;
}
