import Type, { type TObject, type TSchema } from 'typebox';
import type { ProblemCode, Violation } from '../errors.js';
import type { Scheduler } from '../admission/scheduler.js';
import type { RequestTrace } from '../tracing/requestTrace.js';
import type { ReadJson } from '../http/body/body.js';
import type { ItemsBody, ReadItems } from '../http/body/itemsBody.js';
import type { JsonBody } from '../http/body/jsonText.js';
import type { Reservation } from '../admission/byteBudget.js';
import type { HttpContext } from '../http/server/context.js';
import type { FileBody, FileFormat, ReadFile } from '../http/body/fileBody.js';
import type { RoutedContext } from '../http/server/router.js';
import type { Principal } from '../oauth/principal.js';
import type { ReadLarge } from '../http/body/largeBody.js';
import { requestBytes } from '../http/server/responseBackpressure.js';
import { sendSliced, sendText } from '../http/server/sendText.js';
import { broken } from '../http/body/violations.js';
import { createFinder } from './validate.js';

/** Optional headers that operations read, besides those of every request (X-Request-Id). */
export type RequestHeader =
  'If-Match' | 'If-None-Match' | 'Idempotency-Key' | 'Execution-Reference' | 'Accept-Language' | UndescribedHeader;
/** OpenAPI tells of these by the types of answers, or a protocol tells of them. */
export type UndescribedHeader = 'Accept' | 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name';
/** Headers of successful answers. */
export type ReplyHeader =
  | 'ETag'
  | 'Idempotency-Replayed'
  | 'X-Workspace-Revision'
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Location'
  | 'Link';

/** What an operation can refuse with; with a status where it is not the code's own. */
export type DeclaredProblem = ProblemCode | { readonly code: ProblemCode; readonly status: number };

/** What every operation declares, whoever may call it. */
export interface Operation<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/logic/environments/{id}`. */
  readonly path: string;
  /** It is called thousands of times a second, so that its route is found before the others are tried. */
  readonly direct?: true;
  readonly operationId: string;
  /** The chapter of the documentation. */
  readonly tag:
    | 'Workspaces'
    | 'Decisions'
    | 'Environments'
    | 'Deployments'
    | 'Changes'
    | 'Runs'
    | 'Agents'
    | 'History'
    | 'Replays'
    | 'Pool'
    | 'Audit'
    | 'Access'
    | 'Inquiries';
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  /** Finds faults of a query that its schema can't express. Called for every query, valid or not. */
  readonly findQueryViolations?: (query: Readonly<Record<string, unknown>>) => readonly Violation[];
  readonly body?: B;
  /** The body may be large: its handler gets the bytes (`bodyBytes`) and has them parsed by threads; `body` only documents it. */
  readonly largeBody?: true;
  /**
   * The body's `fact` is checked, but its handler gets it only within `bodyText`: parsed it may take twenty times the
   * memory, for as long as a run waits.
   */
  readonly factAsText?: true;
  /** Of a large body `body` holds the outermost fields, with nothing in them: the handler has `bodyText` parsed by threads. */
  readonly openBody?: true;
  /** The body has a model as its `content`: it may be as large as one that can be imported. */
  readonly modelBody?: true;
  /** A request without a body counts as one with `{}`. */
  readonly optionalBody?: true;
  /**
   * The body holds many items, which the handler reads itself (`items`); `body` and `lines.body` only document it. The name
   * of their list in a JSON object.
   */
  readonly itemsBody?: string;
  /** The body is, or of `itemsBody` may be, a spreadsheet of one of these formats, which threads read (`file`). */
  readonly fileBody?: readonly FileFormat[];
  /** The answer is, or may be, such a file. */
  readonly fileReply?: readonly FileFormat[];
  /** The answer may be a page for people, as HTML. */
  readonly pageReply?: true;
  /** What one line is, of a request or an answer that is `application/x-ndjson`. */
  readonly lines?: { readonly body?: TSchema; readonly reply: TSchema };
  readonly requestHeaders?: readonly RequestHeader[];
  readonly replyHeaders?: readonly ReplyHeader[];
  /** Schema of each status that is no problem's alone; null for one without a body. */
  readonly replies: Readonly<Record<number, TSchema | null>>;
  /** Problems beyond those of every route. */
  readonly problems: readonly DeclaredProblem[];
}

/** A request of an operation, checked. */
export interface Received<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body's text as sent; empty for routes without one. */
  readonly bodyText: string;
  /** A large body, in shared memory; empty for all others. */
  readonly bodyBytes: Uint8Array;
  /** Of an operation with `itemsBody`; null for all others. */
  readonly items: ItemsBody | null;
  /** Of an operation with `fileBody`; null for all others. */
  readonly file: FileBody | null;
  readonly requestId: string;
  /** The request's path, without the query. */
  readonly path: string;
  /** One of the headers that the operation declares. */
  readonly header: (name: RequestHeader) => string | undefined;
  /** Undefined unless the request is traced. */
  readonly trace: RequestTrace | undefined;
  /** The bytes that the request holds; its handler adds what it allocates. */
  readonly reservation: Reservation;
  /** True once the client has gone away. */
  readonly gone: () => boolean;
}

/** Who calls, and where. */
export interface Caller {
  readonly principal: Principal;
  readonly workspaceId: string | undefined;
  readonly scopes: ReadonlySet<string> | undefined;
}

export interface Reply {
  readonly status: number;
  /** An object is serialised; a string is JSON text already; bytes are a file, of the type that the headers name. */
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

type ReceivedAny = Received<Record<string, unknown>, Record<string, unknown>, unknown>;

const nothing = Type.Object({}, { additionalProperties: false });
const noBody: JsonBody = { text: '', value: undefined, large: false };
const noBytes = new Uint8Array(0);

/** How bodies are read. */
export interface BodyReaders {
  readonly readJson: ReadJson;
  /** Of bodies that have a model. */
  readonly readModel: ReadJson;
  readonly readLarge: ReadLarge;
  readonly readItems: ReadItems;
  readonly readFile: ReadFile;
}

/**
 * Compiles an operation's schemas to the last check before its handler. Rejects with the violations of body, query and
 * path together.
 */
export function createReceiver(
  { readJson, readModel, readLarge, readItems, readFile }: BodyReaders,
  operation: Operation,
): (ctx: RoutedContext, caller: Caller, reservation: Reservation) => Promise<ReceivedAny & Caller> {
  const findInPath = createFinder(operation.params ?? nothing, 'path');
  const findInQuery = createQueryFinder(operation);
  const findInBody =
    operation.body === undefined || operation.largeBody === true || operation.itemsBody !== undefined
      ? undefined
      : createFinder(operation.body, 'body');
  const itemsShape =
    operation.itemsBody === undefined ? null : { list: operation.itemsBody, files: operation.fileBody !== undefined };
  const ids = idsAmong(operation.params ?? nothing);
  const shape = operation.factAsText === true || operation.openBody === true ? 'open' : 'closed';
  const read = operation.modelBody === true ? readModel : readJson;
  return async (ctx, caller, reservation) => {
    const isAbsent = findInBody === undefined || (operation.optionalBody === true && hasNoBody(ctx));
    const body = isAbsent ? emptyBody(findInBody !== undefined) : await read(ctx, reservation, shape);
    const bodyBytes = operation.largeBody === true ? await readLarge(ctx, reservation) : noBytes;
    const items = itemsShape === null ? null : await readItems(ctx, reservation, itemsShape);
    const file =
      operation.fileBody === undefined || itemsShape !== null
        ? null
        : await readFile(ctx, reservation, operation.fileBody);
    const { query } = ctx;
    const params = lowerCased(ctx.params, ids);
    const inBody = findInBody?.(body.value, body.large) ?? [];
    const inQuery = findInQuery(query);
    const inPath = findInPath(params);
    if (inBody.length + inQuery.length + inPath.length > 0) throw broken([...inBody, ...inQuery, ...inPath]);
    return {
      principal: caller.principal,
      workspaceId: caller.workspaceId,
      scopes: caller.scopes,
      body: operation.factAsText === true ? { ...(body.value as object), fact: undefined } : body.value,
      bodyText: body.text,
      bodyBytes,
      items,
      file,
      query,
      params,
      requestId: ctx.state.requestId,
      path: ctx.path,
      header: (name) => {
        if (operation.requestHeaders?.includes(name) !== true)
          throw new Error(`${operation.operationId} declares no ${name}`);
        // An empty header must not count as absent.
        return ctx.req.headers[name.toLowerCase()]?.toString();
      },
      trace: ctx.state.trace,
      reservation,
      gone: () => ctx.res.destroyed || ctx.req.socket.destroyed,
    };
  };
}

/** RFC 9112, section 6.3. */
const hasNoBody = ({ req: { headers } }: HttpContext): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;

const emptyBody = (isObject: boolean): JsonBody => (isObject ? { text: '{}', value: {}, large: false } : noBody);

function createQueryFinder({
  query,
  findQueryViolations,
}: Operation): (query: Readonly<Record<string, unknown>>) => readonly Violation[] {
  const find = createFinder(query ?? nothing, 'query');
  return findQueryViolations === undefined ? find : (value) => [...find(value), ...findQueryViolations(value)];
}

/** The parameters that are ids, which are case-insensitive. */
const idsAmong = (params: TObject): readonly string[] =>
  Object.entries(params.properties as Record<string, { format?: string }>)
    .filter(([, { format }]) => format === 'uuid')
    .map(([name]) => name);

function lowerCased(params: Readonly<Record<string, string>>, ids: readonly string[]): Record<string, string> {
  const lowered = { ...params };
  for (const name of ids) lowered[name] = lowered[name]?.toLowerCase() ?? '';
  return lowered;
}

/** From this many bytes on a response is bulk work, and sent in slices. */
const largeAnswer = 65_536;

/**
 * Sends a response. The reservation shrinks to its bytes. Throws `overloaded`, and sends nothing, when a GET's response
 * exceeds what its caller may hold; other methods may have changed something and are always answered.
 * @returns undefined once it is handed over; a promise of that for a large one
 */
export function send(
  ctx: HttpContext,
  { status, body, headers }: Reply,
  { reservation, scheduler }: { readonly reservation: Reservation; readonly scheduler: Pick<Scheduler, 'yieldToLive'> },
): Promise<void> | undefined {
  if (body instanceof Uint8Array) {
    reservation.resize(requestBytes + body.length);
    sendText(ctx, { status, headers }, Buffer.from(body.buffer, body.byteOffset, body.length));
    return undefined;
  }
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  const beyond = requestBytes + bytes - reservation.bytes;
  // What was reserved to make the answer is its room: work that was done is not done in vain. Only beyond it may it be refused.
  if (ctx.req.method === 'GET' && beyond > 0) reservation.grow(beyond);
  reservation.resize(requestBytes + bytes);
  if (text !== undefined && bytes >= largeAnswer) {
    return scheduler.yieldToLive(reservation.owner, () => sendSliced(ctx, { status, headers }, text));
  }
  sendText(ctx, { status, headers }, text);
  return undefined;
}
