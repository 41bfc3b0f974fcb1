import { problems, type ProblemCode } from '../../errors.js';
import type { DeclaredProblem } from '../operation.js';
import { exampleOf } from '../problems/example.js';
import { describeHeaders, type DocumentedHeader } from './headers.js';
import type { Json } from './schema.js';

/** Problems of every operation that needs MySQL. */
const always: readonly ProblemCode[] = [
  'validation_failed',
  'unauthorized',
  'internal_error',
  'dependency_unavailable',
];
/** Problems of reading a body. */
export const bodyProblems: readonly ProblemCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type'];

const headersOf: Partial<Record<number, readonly DocumentedHeader[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  500: ['Idempotency-Replayed'],
  503: ['Retry-After'],
  504: ['Idempotency-Replayed'],
};

/** The responses of an operation that can refuse with those codes, by status. */
export function describeProblems(declared: readonly DeclaredProblem[], { replayed }: { replayed: boolean }): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const problem of new Set([...always, ...declared])) {
    const { code, status } = typeof problem === 'string' ? { code: problem, ...problems[problem] } : problem;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, ofStatus]) => [String(status), problemResponse(status, ofStatus, replayed)]),
  );
}

function problemResponse(status: number, codes: readonly ProblemCode[], replayed: boolean): Json {
  const headers = (headersOf[status] ?? []).filter((name) => replayed || name !== 'Idempotency-Replayed');
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('  \n'),
    headers: describeHeaders(headers),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: { ...exampleOf(code).body, status } }])),
      },
    },
  };
}

/** The body of every error but the token endpoint's (RFC 9457). */
export const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'A page about the code' },
    title: { type: 'string' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What was wrong with this request; for people' },
    instance: { type: 'string', description: "The request's path" },
    code: { type: 'string', enum: Object.keys(problems), description: 'Stable; for programs' },
    requestId: { type: 'string', format: 'uuid' },
    errors: {
      type: 'array',
      description: 'Every violation found',
      items: {
        type: 'object',
        required: ['in', 'pointer', 'message'],
        properties: {
          in: { type: 'string', enum: ['body', 'query', 'header', 'path'] },
          pointer: { type: 'string', description: 'A JSON Pointer (RFC 6901) in bodies, elsewhere a name' },
          message: { type: 'string' },
        },
      },
    },
    faults: { type: 'array', description: 'Every fault of the models', items: { $ref: '#/components/schemas/Fault' } },
    executionId: { type: 'string', format: 'uuid', description: 'The record of a run that a limit stopped' },
  },
};
