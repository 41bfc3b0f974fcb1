import { problems } from '../../errors.js';
import { consolePages } from '../console/page.js';
import { describeHeaders, type DocumentedHeader } from './headers.js';
import type { DescribedOperation } from './operation.js';
import type { Json } from './schema.js';

const text = { type: 'string' };
/** HTML when Accept asks for it, else plain text. */
const page = { 'text/plain': { schema: text }, 'text/html': { schema: text } };
const file = { ...page, 'text/javascript': { schema: text }, 'text/css': { schema: text }, 'image/png': {} };
const json = (schema: Json): Json => ({ 'application/json': { schema } });

interface DescribedPage {
  readonly path: string;
  readonly operationId: string;
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  /** What is answered; the summary says it unless this is given. */
  readonly gives?: string;
  /** Of the parameter that the path may have. */
  readonly parameter?: Json;
  readonly content: Json;
  readonly headers?: readonly DocumentedHeader[];
  /** Answers besides 200. */
  readonly others?: Json;
}

/** Reads what is for everybody. */
export function described({ path, operationId, summary, ...page }: DescribedPage): DescribedOperation {
  const { tag = 'About', description, gives = summary, parameter = text, content, headers = [], others = {} } = page;
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  return {
    path,
    method: 'get',
    operation: {
      operationId,
      tags: [tag],
      summary,
      ...(description === undefined ? {} : { description }),
      security: [],
      parameters: [
        ...(name === undefined ? [] : [{ name, in: 'path', required: true, schema: parameter }]),
        { $ref: '#/components/parameters/X-Request-Id' },
        ...(headers.includes('ETag') ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
      ],
      responses: {
        200: { description: gives, headers: describeHeaders(headers), content },
        ...others,
        500: { $ref: '#/components/responses/InternalError' },
      },
    },
  };
}

/** A page of the console: the same document for each. */
function describedConsolePage(path: string): DescribedOperation {
  const words = path.split('/').filter((part) => part !== '' && part !== 'console');
  const name = words.map((word) => (word === ':id' ? 'One' : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  return described({
    path: path.replace(':id', '{id}'),
    operationId: `getConsole${name}`,
    summary: words.length === 0 ? 'Pages for people, who sign in there' : `A page of the console: ${words.join(' ')}`,
    content: file,
    headers: ['Cache-Control'],
  });
}

const cached = ['Cache-Control'] as const;
const tagged = ['ETag', 'Cache-Control'] as const;

const evidenceKey: Json = {
  type: 'object',
  required: ['generation', 'algorithm', 'publicKey', 'signsFrom'],
  properties: {
    generation: { type: 'integer', minimum: 1 },
    algorithm: { type: 'string', enum: ['Ed25519'] },
    publicKey: { type: 'string', description: '32 bytes, base64' },
    signsFrom: { type: 'string', format: 'date-time' },
  },
};

/** What the service says about itself. */
export const pageOperations: readonly DescribedOperation[] = [
  described({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    content: json({ type: 'object', required: ['openapi'] }),
    headers: tagged,
    others: { 304: { description: 'The copy is current', headers: describeHeaders(tagged) } },
  }),
  described({
    path: '/.well-known/verdict-evidence.json',
    operationId: 'getEvidenceKeys',
    summary: 'The public keys that verify heads of evidence, former ones too, newest first',
    content: json({
      type: 'object',
      required: ['keys'],
      properties: { keys: { type: 'array', items: evidenceKey } },
    }),
    headers: cached,
    others: { 503: { $ref: '#/components/responses/DependencyUnavailable' } },
  }),
  described({
    path: '/',
    operationId: 'getLinks',
    summary: 'Where to go: for browsers the console, for programs links',
    content: json({ type: 'object', additionalProperties: text }),
    others: { 302: { description: 'To the console, where Accept asks for HTML', headers: describeHeaders([]) } },
  }),
  ...consolePages.map(describedConsolePage),
  described({
    path: '/console/files/{file}',
    operationId: 'getConsoleFile',
    summary: 'A script or style sheet of the console, or the licences of what went into them',
    content: file,
    headers: cached,
  }),
  described({
    path: '/docs',
    operationId: 'getDocs',
    summary: 'The guides; /docs/reference has this document as a page on which operations can be tried',
    content: file,
  }),
  described({
    path: '/docs/{file}',
    operationId: 'getDocsFile',
    summary: 'A guide, the reference, or what these pages load',
    content: { ...file, ...json({ type: 'array', items: { type: 'object' } }) },
    headers: cached,
  }),
  described({
    path: '/problems',
    operationId: 'listProblems',
    summary: 'Every error code',
    content: page,
    headers: cached,
  }),
  described({
    path: '/problems/{code}',
    operationId: 'getProblem',
    summary: 'What an error code means, and what to do',
    parameter: { type: 'string', enum: Object.keys(problems) },
    content: page,
    headers: cached,
  }),
];
