import type { ReplyHeader, RequestHeader, UndescribedHeader } from '../operation.js';
import type { Json } from './schema.js';

const uuid = { type: 'string', format: 'uuid' };
const text = { type: 'string' };

/** Headers that requests may carry, as parameters of the document. */
export const requestHeaders = {
  'X-Workspace-Id': { required: true, schema: uuid, description: 'The workspace that the request is about' },
  'X-Request-Id': {
    schema: uuid,
    description: "The caller's own id of the request; anything but a UUID is replaced by a new one",
  },
  'If-Match': {
    schema: text,
    description:
      'Entity tags (RFC 9110) such as `"3"`: the request is refused with 412 unless one names the present state',
  },
  'If-None-Match': {
    schema: text,
    description: 'Entity tags (RFC 9110) such as `"3"`: 304 when one names the present state',
  },
  'Idempotency-Key': {
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    description:
      'A repeat within 24 hours with the same key and body, by the same principal, gets the first answer again and ' +
      'runs nothing',
  },
  'Accept-Language': {
    schema: text,
    description:
      'What the reader of a page understands (RFC 9110): texts of the model are in that language where it has them',
  },
  'Execution-Reference': {
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    description: "The caller's own id of the execution, by which it can be found again",
  },
} as const satisfies Record<Exclude<RequestHeader, UndescribedHeader> | 'X-Workspace-Id' | 'X-Request-Id', Json>;

/** Headers of answers. */
export const replyHeaders = {
  'X-Request-Id': { schema: uuid, description: 'To be quoted to the operator', required: true },
  ETag: { schema: text, description: 'Names the state that was sent; for If-Match and If-None-Match', required: true },
  'Idempotency-Replayed': {
    schema: { type: 'string', const: 'true' },
    description: 'This is the answer of an earlier request with the same Idempotency-Key',
  },
  'X-Workspace-Revision': {
    schema: { type: 'integer', minimum: 0 },
    description: "Counts the writes of the workspace's decisions",
    required: true,
  },
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds until a repeat makes sense' },
  RateLimit: { schema: text, description: 'What is left of the limit (draft-ietf-httpapi-ratelimit-headers-10)' },
  'RateLimit-Policy': { schema: text, description: 'Whose limit it is, and how much it lets through' },
  'WWW-Authenticate': { schema: text, description: 'What is wanted, and what was wrong (RFC 6750, RFC 7617)' },
  Location: { schema: text, description: 'The path of what was made', required: true },
  Link: { schema: text, description: 'The next page (RFC 8288), where the answer is lines' },
  'Content-Disposition': { schema: text, description: 'The name to store the file by', required: true },
  'Cache-Control': { schema: text, description: 'Whether and how long the answer may be kept' },
} as const satisfies Record<
  ReplyHeader | 'X-Request-Id' | 'Retry-After' | `RateLimit${'' | '-Policy'}` | 'WWW-Authenticate',
  Json
>;

export type DocumentedHeader = keyof typeof replyHeaders;

/** `headers` of one response; every answer has a request id. */
export function describeHeaders(names: readonly DocumentedHeader[]): Json {
  const all: DocumentedHeader[] = ['X-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A reference to a parameter among the document's components. */
export const headerParameter = (name: keyof typeof requestHeaders): Json => ({
  $ref: `#/components/parameters/${name}`,
});

/** `components.parameters`: every header that a request may carry. */
export const headerParameters = (): Json =>
  Object.fromEntries(
    Object.entries(requestHeaders).map(([name, parameter]) => [name, { name, in: 'header', ...parameter }]),
  );
