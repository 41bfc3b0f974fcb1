import { problems } from '../../errors.js';
import { consolePages } from '../console/page.js';
import { describeHeaders } from './headers.js';
import type { DescribedOperation } from './operation.js';

const tags = ['About'];
const parameters = [{ $ref: '#/components/parameters/X-Request-Id' }];
const headers = describeHeaders([]);
const text = { type: 'string' };
const internalError = { 500: { $ref: '#/components/responses/InternalError' } };
const file = {
  'text/html': { schema: text },
  'text/plain': { schema: text },
  'text/javascript': { schema: text },
  'text/css': { schema: text },
  'image/png': {},
};

/** HTML when Accept asks for it, else plain text. */
const page = {
  description: 'The page; as HTML for browsers',
  headers: describeHeaders(['Cache-Control']),
  content: { 'text/plain': { schema: text }, 'text/html': { schema: text } },
};

/** A page of the console: the same document for each. */
function describeConsolePage(path: string): DescribedOperation {
  const words = path.split('/').filter((part) => part !== '' && part !== 'console');
  const name = words.map((word) => (word === ':id' ? 'One' : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  const id = { name: 'id', in: 'path', required: true, schema: text };
  return {
    path: path.replace(':id', '{id}'),
    method: 'get',
    operation: {
      operationId: `getConsole${name}`,
      tags,
      summary: words.length === 0 ? 'Pages for people, who sign in there' : `A page of the console: ${words.join(' ')}`,
      security: [],
      parameters: words.includes(':id') ? [id, ...parameters] : parameters,
      responses: {
        200: { description: 'The page', headers: describeHeaders(['Cache-Control']), content: file },
        ...internalError,
      },
    },
  };
}

/** What the service says about itself. */
export const pageOperations: readonly DescribedOperation[] = [
  {
    path: '/openapi.json',
    method: 'get',
    operation: {
      operationId: 'getOpenApi',
      tags,
      summary: 'This document',
      security: [],
      parameters: [...parameters, { $ref: '#/components/parameters/If-None-Match' }],
      responses: {
        200: {
          description: 'The document',
          headers: describeHeaders(['ETag', 'Cache-Control']),
          content: { 'application/json': { schema: { type: 'object', required: ['openapi'] } } },
        },
        304: { description: 'The copy is current', headers: describeHeaders(['ETag', 'Cache-Control']) },
        ...internalError,
      },
    },
  },
  {
    path: '/',
    method: 'get',
    operation: {
      operationId: 'getLinks',
      tags,
      summary: 'Where to go: for browsers the console, for programs links',
      security: [],
      parameters,
      responses: {
        200: {
          description: 'The links',
          headers,
          content: { 'application/json': { schema: { type: 'object', additionalProperties: text } } },
        },
        302: { description: 'To the console, where Accept asks for HTML', headers },
        ...internalError,
      },
    },
  },
  ...consolePages.map(describeConsolePage),
  {
    path: '/console/files/{file}',
    method: 'get',
    operation: {
      operationId: 'getConsoleFile',
      tags,
      summary: 'A script or style sheet of the console, or the licences of what went into them',
      security: [],
      parameters: [{ name: 'file', in: 'path', required: true, schema: text }, ...parameters],
      responses: {
        200: { description: 'The file', headers: describeHeaders(['Cache-Control']), content: file },
        ...internalError,
      },
    },
  },
  {
    path: '/docs',
    method: 'get',
    operation: {
      operationId: 'getDocs',
      tags,
      summary: 'The guides, and this document as a page on which operations can be tried',
      security: [],
      parameters,
      responses: { 200: { description: 'The page', headers, content: file }, ...internalError },
    },
  },
  {
    path: '/docs/{file}',
    method: 'get',
    operation: {
      operationId: 'getDocsFile',
      tags,
      summary: 'A guide, or a script or style sheet of these pages',
      security: [],
      parameters: [{ name: 'file', in: 'path', required: true, schema: text }, ...parameters],
      responses: {
        200: { description: 'The file', headers: describeHeaders(['Cache-Control']), content: file },
        ...internalError,
      },
    },
  },
  {
    path: '/problems',
    method: 'get',
    operation: {
      operationId: 'listProblems',
      tags,
      summary: 'Every error code',
      security: [],
      parameters,
      responses: { 200: page, ...internalError },
    },
  },
  {
    path: '/problems/{code}',
    method: 'get',
    operation: {
      operationId: 'getProblem',
      tags,
      summary: 'What an error code means, and what to do',
      security: [],
      parameters: [
        { name: 'code', in: 'path', required: true, schema: { type: 'string', enum: Object.keys(problems) } },
        ...parameters,
      ],
      responses: { 200: page, ...internalError },
    },
  },
];
