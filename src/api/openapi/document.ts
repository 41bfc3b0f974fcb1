import { oauthOperations } from './oauth.js';
import { oauthPaths } from '../../oauth/oauth.routes.js';
import { scopes } from '../../oauth/scopes.js';
import type { ApiRoute } from '../authorize.js';
import { headerParameters, replyHeaders } from './headers.js';
import { describeRoute, type DescribedOperation } from './operation.js';
import { pageOperations } from './pages.js';
import { describeProblems, problemSchema } from './problems.js';
import { describeSchema, type Components, type Json } from './schema.js';
import { describeWebhooks, type Webhook } from './webhooks.js';
import { Fault } from '../problems/faults.schema.js';

const introduction = `Runs decision models over HTTP.

Get an access token at \`${oauthPaths.token}\` (here: **Authorize**, with client id and secret), and name the workspace in the
header \`X-Workspace-Id\` of every request. Errors are RFC 9457 problems with a stable \`code\`; an execution whose model
failed is a 201 with status FAILED, so look at both.`;

const tags = [
  { name: 'Runs', description: 'Evaluate a version, or execute what is deployed' },
  { name: 'Agents', description: 'Decisions as tools, by the Model Context Protocol' },
  { name: 'Decisions', description: 'Models, their working copies and saved versions' },
  { name: 'Environments', description: 'Where decisions are deployed to' },
  { name: 'Deployments', description: 'Which version an environment runs' },
  { name: 'Changes', description: 'Protected environments, and the requests by which they change' },
  { name: 'History', description: 'What was executed, as it was recorded' },
  { name: 'Replays', description: 'What another version would have decided' },
  { name: 'Pool', description: 'How busy the service is' },
  { name: 'Workspaces', description: 'Which workspaces the token may enter' },
  { name: 'Audit', description: 'Who changed what' },
  { name: 'Access', description: 'A tenant’s clients, workspaces and policies: who may do what' },
  { name: 'Inquiries', description: 'What a person is asked for, and how they are told' },
  { name: 'Tokens', description: 'OAuth 2.0 client credentials' },
  { name: 'About', description: 'This document, and what error codes mean' },
];

/** Every operation, and the events that a tenant's callback can receive. */
export interface DeclaredApi {
  readonly routes: readonly ApiRoute[];
  readonly webhooks: readonly Webhook[];
}

/**
 * The OpenAPI 3.1 document of the API, made from the declarations by which routes are mounted and requests are checked.
 */
export function createOpenApi({ routes, webhooks }: DeclaredApi): Json {
  const components: Components = new Map([['Problem', problemSchema]]);
  describeSchema(Fault, components);
  const operations = [
    ...routes.map((route) => describeRoute(route, components)),
    ...oauthOperations,
    ...pageOperations,
  ];
  const common = describeProblems([], { replayed: false });
  return {
    openapi: '3.1.1',
    info: {
      title: 'Verdict',
      version: '1.0.0',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this document' }],
    tags,
    paths: pathsOf(operations),
    webhooks: describeWebhooks(webhooks, components),
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: headerParameters(),
      headers: replyHeaders,
      responses: { InternalError: common['500'], DependencyUnavailable: common['503'] },
      securitySchemes: securitySchemes(routes),
    },
  };
}

function pathsOf(operations: readonly DescribedOperation[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { path, method, operation } of operations) (paths[path] ??= {})[method] = operation;
  return paths;
}

function securitySchemes(routes: readonly ApiRoute[]): Json {
  const purpose = (scope: string): string =>
    routes.find((route) => route.by !== 'principal' && route.scope === scope)?.summary ?? scope;
  return {
    clientCredentials: {
      type: 'oauth2',
      description: 'A client of the tenant, made by the operator',
      flows: {
        clientCredentials: {
          tokenUrl: oauthPaths.token,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, purpose(scope)])),
        },
      },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token at hand, also an end user’s' },
    basic: { type: 'http', scheme: 'basic', description: 'Client id and secret' },
  };
}
