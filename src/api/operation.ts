import type { TObject, TSchema } from 'typebox';
import type { ProblemCode, Violation } from '../errors.js';
import type { RequestTrace } from '../tracing/requestTrace.js';
import type { ItemsBody } from '../http/body/itemsBody.js';
import type { Reservation } from '../admission/byteBudget.js';
import type { FileBody } from '../http/body/fileBody.js';
import type { FileFormat } from '../http/body/fileTypes.js';
import type { Principal } from '../oauth/principal.js';

/** Optional headers that operations read, besides those of every request (X-Request-Id). */
export type RequestHeader =
  'If-Match' | 'If-None-Match' | 'Idempotency-Key' | 'Execution-Reference' | 'Accept-Language' | UndescribedHeader;
/** Headers that the OpenAPI document does not list: MCP specifies them. */
export type UndescribedHeader = 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name' | 'Origin' | 'Host';
/** Headers of successful answers. */
export type ReplyHeader =
  | 'ETag'
  | 'Idempotency-Replayed'
  | 'X-Workspace-Revision'
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Location'
  | 'Link';

/** A problem that an operation can answer with; a status is given where it differs from the usual one of the code. */
export type DeclaredProblem = ProblemCode | { readonly code: ProblemCode; readonly status: number };

/** What every operation declares, whoever may call it. */
export interface Operation<P extends TObject = TObject, Q extends TObject = TObject, B extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/logic/environments/{id}`. */
  readonly path: string;
  /** Clients call the operation thousands of times a second, so the router tries its route before all others. */
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
  /** Finds faults of a body that its schema can't express. Called for every object, valid or not, and told with the schema's. */
  readonly findBodyViolations?: FindBodyViolations;
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

export type FindBodyViolations = (body: Readonly<Record<string, unknown>>, text: string) => readonly Violation[];

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
  /** Whether the client would rather have an answer of this type than JSON (RFC 9110, section 12.5.1). */
  readonly wants: (type: string) => boolean;
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
