import { describeHeaders, type DocumentedHeader } from './headers.js';
import type { DescribedOperation } from './operation.js';
import { described } from './pages.js';
import type { Json } from './schema.js';
import { oauthErrorStatuses } from '../../oauth/oauthError.js';
import { oauthPaths } from '../../oauth/oauth.routes.js';
import { protectedResourcePath } from '../../oauth/protectedResource.js';
import { scopes } from '../../oauth/scopes.js';

const tag = 'Tokens';
const text = { type: 'string' };
const uri = { type: 'string', format: 'uri' };

/** The authorization server's operations; its requests and errors are those of RFC 6749, not of the logic API. */
export const oauthOperations: readonly DescribedOperation[] = [
  {
    path: oauthPaths.token,
    method: 'post',
    operation: {
      operationId: 'issueToken',
      tags: [tag],
      summary: 'Get an access token by the client credentials grant',
      description: 'RFC 6749, section 4.4. Unknown parameters are ignored, repeated ones refused.',
      security: [{ basic: [] }],
      parameters: [{ $ref: '#/components/parameters/X-Request-Id' }],
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: tokenRequest() } } },
      responses: {
        200: answer('A token', tokenResponse(), ['Cache-Control']),
        ...Object.fromEntries(tokenErrors()),
      },
    },
  },
  described({
    ...{ path: oauthPaths.jwks, operationId: 'getKeys', tag },
    summary: 'The public keys that verify access tokens',
    description: 'RFC 7517. A key is published before it signs, and for as long as a token that it signed is valid.',
    gives: 'The key set',
    content: { 'application/jwk-set+json': { schema: keySet() } },
    headers: ['Cache-Control'],
    others: { 503: { $ref: '#/components/responses/DependencyUnavailable' } },
  }),
  described({
    ...{ path: oauthPaths.metadata, operationId: 'getAuthorizationServer', tag },
    summary: 'What an OAuth client needs to know about this server',
    description: 'RFC 8414.',
    gives: 'The metadata',
    content: { 'application/json': { schema: metadata() } },
    headers: ['Cache-Control'],
  }),
  described({
    ...{ path: protectedResourcePath, operationId: 'getProtectedResource', tag },
    summary: 'Where a client that is asked for a token gets one',
    description: 'RFC 9728. The 401 of `/mcp` names it as `resource_metadata`.',
    gives: 'The metadata',
    content: { 'application/json': { schema: resourceMetadata() } },
    headers: ['Cache-Control'],
  }),
];

function answer(description: string, schema: Json, headers: readonly DocumentedHeader[]): Json {
  return { description, headers: describeHeaders(headers), content: { 'application/json': { schema } } };
}

function tokenRequest(): Json {
  return {
    type: 'object',
    required: ['grant_type'],
    properties: {
      grant_type: { type: 'string', enum: ['client_credentials'] },
      scope: { ...text, description: 'Space separated; omitted: all that the client (and the role) may have' },
      role: { ...text, description: "One of the client's roles, a named set of scopes" },
      resource: { ...uri, description: "RFC 8707: one of the client's resources; omitted: this service" },
    },
    examples: [{ grant_type: 'client_credentials', scope: 'execution:write' }],
  };
}

function tokenResponse(): Json {
  return {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    properties: {
      access_token: { ...text, description: 'A JWT (RFC 9068)' },
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: { type: 'integer', minimum: 1, description: 'Seconds' },
      scope: { ...text, description: 'Space separated' },
    },
    examples: [
      { access_token: 'eyJhbGciOiJSUzI1NiIs…', token_type: 'Bearer', expires_in: 3600, scope: 'execution:write' },
    ],
  };
}

/** RFC 6749, section 5.2: a response for each status, with its codes. */
function tokenErrors(): [string, Json][] {
  // A form that is too large is an invalid request with a status of its own.
  const byStatus = new Map([[413, ['invalid_request']]]);
  for (const [code, status] of Object.entries(oauthErrorStatuses)) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const headers: Partial<Record<number, DocumentedHeader>> = {
    401: 'WWW-Authenticate',
    429: 'Retry-After',
    503: 'Retry-After',
  };
  return [...byStatus].map(([status, codes]) => {
    const schema = {
      type: 'object',
      required: ['error', 'error_description'],
      properties: { error: { type: 'string', enum: codes }, error_description: text },
    };
    const more = headers[status];
    const description = codes.map((code) => `\`${code}\``).join(', ');
    return [String(status), answer(description, schema, ['Cache-Control', ...(more === undefined ? [] : [more])])];
  });
}

function keySet(): Json {
  return {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kty', 'kid', 'alg', 'use', 'n', 'e'],
          properties: { kty: text, kid: text, alg: text, use: text, n: text, e: text },
        },
      },
    },
  };
}

function metadata(): Json {
  const list = { type: 'array', items: text };
  return {
    type: 'object',
    required: ['issuer', 'token_endpoint', 'jwks_uri', 'response_types_supported', 'grant_types_supported'],
    properties: {
      issuer: uri,
      token_endpoint: uri,
      jwks_uri: uri,
      scopes_supported: { type: 'array', items: { type: 'string', enum: scopes } },
      response_types_supported: list,
      grant_types_supported: list,
      token_endpoint_auth_methods_supported: list,
    },
  };
}

function resourceMetadata(): Json {
  const list = { type: 'array', items: text };
  return {
    type: 'object',
    required: ['resource', 'authorization_servers'],
    properties: {
      resource: uri,
      authorization_servers: { type: 'array', items: uri },
      scopes_supported: { type: 'array', items: { type: 'string', enum: scopes } },
      bearer_methods_supported: list,
    },
  };
}
