import Type, { type TObject, type TSchema } from 'typebox';
import type { ProblemCode } from '../../errors.js';
import { fileTypes, type FileFormat } from '../../http/body/fileTypes.js';
import { linesType } from '../../http/body/jsonText.js';
import type { ApiRoute } from '../authorize.js';
import type { Operation, RequestHeader, UndescribedHeader } from '../operation.js';
import { describeHeaders, headerParameter, requestHeaders } from './headers.js';
import { bodyProblems, describeProblems } from './problems.js';
import { describeSchema, type Components, type Json } from './schema.js';

/** One operation, as it goes under its path and method. */
export interface DescribedOperation {
  /** As in OpenAPI: `/logic/environments/{id}`. */
  readonly path: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly operation: Json;
}

/** What a request meets before its operation. */
interface Surroundings {
  readonly security: readonly Json[];
  readonly headers: readonly (keyof typeof requestHeaders)[];
  readonly problems: readonly ProblemCode[];
}

const byToken = (...scopes: string[]): Json[] => [{ clientCredentials: scopes }, { bearer: scopes }];

function surroundingsOf(route: ApiRoute): Surroundings {
  switch (route.by) {
    case 'workspace':
      return {
        security: [route.scope, ...(route.orScopes ?? [])].flatMap((scope) => byToken(scope)),
        headers: ['X-Workspace-Id'],
        problems: ['workspace_header_invalid', 'forbidden', 'insufficient_scope', 'rate_limited', 'overloaded'],
      };
    case 'principal':
      return { security: byToken(), headers: [], problems: ['rate_limited'] };
    case 'client':
      return {
        security: [
          { basic: [] },
          ...byToken(route.scope),
          ...(route.orScope === undefined ? [] : byToken(route.orScope)),
        ],
        headers: [],
        problems: ['forbidden', 'insufficient_scope', 'rate_limited', 'overloaded'],
      };
  }
}

/** An operation whose requests and answers are JSON. */
export function describeRoute(route: ApiRoute, components: Components): DescribedOperation {
  const { security, headers, problems } = surroundingsOf(route);
  const { requestHeaders: read = [], body, fileBody = [] } = route;
  const hasBody = body !== undefined || fileBody.length > 0;
  const codes = [...problems, ...(hasBody ? bodyProblems : []), ...route.problems];
  const scope =
    route.by === 'workspace'
      ? `Scope: ${[route.scope, ...(route.orScopes ?? [])].map((each) => `\`${each}\``).join(' or ')}.`
      : undefined;
  const description = [route.description, scope].filter((text) => text !== undefined).join('\n\n');
  const operation = {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    security,
    parameters: [
      ...parameters('path', route.params, components),
      ...parameters('query', route.query, components),
      ...[...headers, ...read.filter(isParameter), 'X-Request-Id' as const].map(headerParameter),
    ],
    ...(hasBody
      ? {
          requestBody: {
            required: route.optionalBody !== true,
            content: {
              ...(body === undefined ? {} : contentOf(body, route.lines?.body, components)),
              ...filesOf(fileBody, components),
            },
          },
        }
      : {}),
    responses: responsesOf(
      replies(route, components),
      describeProblems(codes, { replayed: route.replyHeaders?.includes('Idempotency-Replayed') ?? false }),
    ),
  };
  return { path: route.path, method: route.method.toLowerCase() as DescribedOperation['method'], operation };
}

function parameters(location: 'path' | 'query', schema: TObject | undefined, components: Components): Json[] {
  if (schema === undefined) return [];
  const required = new Set(schema.required as readonly string[]);
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => {
    const { description, ...described } = describeSchema(field, components);
    return {
      name,
      in: location,
      ...(required.has(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: described,
    };
  });
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Begun',
  204: 'Deleted, or there was none',
  304: 'The copy that If-None-Match names is current',
};

function replies(route: Operation, components: Components): Json {
  const entries = Object.entries(route.replies).map(([status, schema]) => [
    status,
    {
      description: statusTexts[Number(status)] ?? 'Done',
      headers: describeHeaders(route.replyHeaders ?? []),
      ...(schema === null && route.fileReply === undefined
        ? {}
        : {
            content: {
              ...(schema === null ? {} : contentOf(schema, route.lines?.reply, components)),
              ...filesOf(route.fileReply ?? [], components),
              ...(route.pageReply === true ? { 'text/html': { schema: { type: 'string' } } } : {}),
            },
          }),
    },
  ]);
  return Object.fromEntries(entries) as Json;
}

type Responses = Readonly<Record<string, Json & { readonly content?: Json }>>;

/** Both, where a status is that of a problem and of another answer. */
function responsesOf(replies: Json, problems: Json): Json {
  const answered = replies as Responses;
  const merged = Object.entries(problems as Responses).map(([status, response]) => [
    status,
    { ...response, content: { ...answered[status]?.content, ...response.content } },
  ]);
  return { ...answered, ...(Object.fromEntries(merged) as Json) };
}

/**
 * JSON, and where there are such, lines of it. Each media type has a schema with a name of its own: generators of clients make
 * one type of each, and lines are a text for them, not an object.
 */
const contentOf = (schema: TSchema, line: TSchema | undefined, components: Components): Json => ({
  'application/json': { schema: describeSchema(schema, components) },
  ...(line === undefined ? {} : { [linesType]: { schema: describeSchema(linesOf(line, components), components) } }),
});

/** @throws for a line without a title, from which the lines have their name */
function linesOf(line: TSchema, components: Components): TSchema {
  const { title } = line as { readonly title?: string };
  if (title === undefined) throw new Error('a line of a body has no title');
  return Type.String({
    title: `${title}Lines`,
    description: `Any number of lines, each one a \`${title}\` as JSON`,
    contentMediaType: linesType,
    contentSchema: describeSchema(line, components),
  });
}

const files: Readonly<Record<FileFormat, TSchema>> = {
  xlsx: Type.String({ title: 'SpreadsheetFile', format: 'binary', description: 'The bytes of an .xlsx file' }),
  csv: Type.String({ title: 'CsvText', description: 'The text of a .csv file; its first line names the columns' }),
};

const filesOf = (formats: readonly FileFormat[], components: Components): Json =>
  Object.fromEntries(
    formats.map((format) => [fileTypes[format], { schema: describeSchema(files[format], components) }]),
  );

const isParameter = (name: RequestHeader): name is Exclude<RequestHeader, UndescribedHeader> => name in requestHeaders;
