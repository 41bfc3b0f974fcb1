/**
 * Every code that an error body can carry, with its status and title. The pages /problems and
 * the OpenAPI document are made from this table and from api/problems/<code>.md.
 */
export const problems = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  validation_failed: { status: 400, title: 'The request breaks its schema' },
  workspace_header_invalid: { status: 400, title: 'X-Workspace-Id is missing or not a UUID' },
  unauthorized: { status: 401, title: 'Credentials are missing or not valid' },
  forbidden: { status: 403, title: 'No access' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  exceeds_own_rights: { status: 403, title: 'More than the giver has' },
  route_not_found: { status: 404, title: 'No such route' },
  environment_not_found: { status: 404, title: 'No such environment' },
  deployment_not_found: { status: 404, title: 'No such deployment' },
  decision_not_found: { status: 404, title: 'No such decision' },
  version_not_found: { status: 404, title: 'No such version' },
  node_not_found: { status: 404, title: 'No such table' },
  routing_not_found: { status: 404, title: 'The decision is not deployed to this environment' },
  execution_not_found: { status: 404, title: 'No such execution' },
  replay_not_found: { status: 404, title: 'No such replay' },
  shadow_not_found: { status: 404, title: 'No such shadow' },
  monitor_not_found: { status: 404, title: 'No such monitor' },
  inquiry_not_found: { status: 404, title: 'No such inquiry' },
  client_not_found: { status: 404, title: 'No such client' },
  workspace_not_found: { status: 404, title: 'No such workspace' },
  policy_not_found: { status: 404, title: 'No such policy' },
  prerequisite_not_found: { status: 404, title: 'No such prerequisite' },
  protection_not_found: { status: 404, title: 'The environment is not protected' },
  callback_not_found: { status: 404, title: 'No callback' },
  erasure_not_found: { status: 404, title: 'No such erasure' },
  change_request_not_found: { status: 404, title: 'No such change request' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  key_taken: { status: 409, title: 'Another decision has this key' },
  approval_required: { status: 409, title: 'The environment is protected' },
  not_protected: { status: 409, title: 'The environment is not protected' },
  change_request_ended: { status: 409, title: 'The change request has ended' },
  decision_in_use: { status: 409, title: 'The decision is in use' },
  last_client_writer: { status: 409, title: 'The last client that may write clients' },
  evidence_pending: { status: 409, title: 'Not in the tree yet' },
  evidence_behind: { status: 409, title: 'The database was restored, and nothing is signed' },
  record_erased: { status: 409, title: 'The record was erased' },
  record_altered: { status: 409, title: 'The record is not what its evidence says' },
  execution_history_exists: { status: 409, title: 'Linked executions exist' },
  idempotency_in_progress: { status: 409, title: 'The first request with this key is still running' },
  precondition_failed: { status: 412, title: 'The resource has changed' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  reference_not_found: { status: 422, title: 'A referenced resource is absent' },
  selection_unknown: { status: 422, title: 'The model does not have what was selected' },
  model_has_faults: { status: 422, title: 'The model has errors' },
  model_too_large: { status: 422, title: 'The model, with all that it reaches, is too large' },
  workspace_full: { status: 422, title: 'The models of the workspace take all of its room' },
  idempotency_key_reused: { status: 422, title: 'The key was used for another request' },
  rate_limited: { status: 429, title: 'Beyond the limit' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  engine_failure: { status: 500, title: 'The engine run died' },
  internal_error: { status: 500, title: 'Something unforeseen happened' },
  overloaded: { status: 503, title: 'No capacity right now' },
  dependency_unavailable: { status: 503, title: 'Something the service depends on cannot be reached' },
  engine_timeout: { status: 504, title: 'The run passed its time limit' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** One violation of a request; `pointer` is a JSON Pointer in bodies and a name elsewhere. */
export interface Violation {
  readonly in: 'body' | 'query' | 'header' | 'path';
  readonly pointer: string;
  readonly message: string;
}

export interface ProblemOptions {
  readonly errors?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds; sent as Retry-After. */
  readonly retryAfter?: number;
  /** Members added to the body, such as `executionId`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Instead of the code's own status. */
  readonly status?: number;
  /** For the log only; never sent. */
  readonly cause?: unknown;
}

/** The 404 of what a workspace does not have. */
export const notInWorkspace = (kind: 'decision' | 'environment' | 'execution', id: string): Problem =>
  new Problem(`${kind}_not_found`, `There is no ${kind} ${id} in this workspace.`);

/** The only error that a request is refused with. `detail` is public; everything private goes into `cause`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    // Streams read the stack of what they are destroyed with, and Node then parses the whole source map: a third of a second the
    // first time, in which nobody is served. A refusal is no fault of the program, and its detail says all.
    this.stack = `Problem: ${detail}`;
    this.code = code;
    this.status = options.status ?? problems[code].status;
    this.options = options;
  }

  /** Headers of the response, Retry-After included. */
  headers(): Record<string, string> {
    const { headers, retryAfter } = this.options;
    return {
      ...headers,
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(retryAfter))) }),
    };
  }

  /** The body per RFC 9457. */
  body(instance: string, requestId: string): Record<string, unknown> {
    return {
      type: `/problems/${this.code}`,
      title: problems[this.code].title,
      status: this.status,
      detail: this.message,
      instance,
      code: this.code,
      requestId,
      ...(this.options.errors === undefined ? {} : { errors: this.options.errors }),
      ...this.options.extensions,
    };
  }
}
