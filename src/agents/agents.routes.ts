import type { Knex } from 'knex';
import Type from 'typebox';
import { Id } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import type { ReadSchemas } from '../decisions/programs/schemas.js';
import { Problem } from '../errors.js';
import { hostNameOf, isOwnName } from '../http/server/ownNames.js';
import { listDeployed, type DeployedDecision } from './deployed.store.js';
import { fixedNames, fixedTools, scopeOf, type Operations } from './tools.js';

interface AgentDependencies {
  readonly database: Knex;
  readonly schemasOf: ReadSchemas;
  /** The service's public address. */
  readonly issuer: string;
  /** Must include those that tools call. */
  readonly routes: readonly LogicRoute[];
}

const Message = Type.Unsafe<object>({
  type: 'object',
  title: 'McpMessage',
  description: 'A message of the Model Context Protocol: JSON-RPC 2.0',
  properties: {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { type: ['string', 'integer'] },
    method: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
  },
  required: ['jsonrpc', 'method'],
  additionalProperties: true,
  examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
});

const Answer = Type.Unsafe<object>({
  type: 'object',
  title: 'McpAnswer',
  description: 'An answer of the Model Context Protocol: a result or an error',
  properties: { jsonrpc: { type: 'string' }, id: {}, result: {}, error: {} },
  required: ['jsonrpc'],
  examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }],
});

const foreignOrigin = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32000, message: 'Pages of other origins are not answered: send the request without Origin.' },
});

/**
 * Whether no page sent a request, or one of this service did. The protocol has others refused, also those of a page whose own name
 * was made to lead to this server, so that Origin and Host are the same.
 */
function isOwnOrigin(origin: string | undefined, host = '', issuer: string): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()) return false;
  return isOwnName(hostNameOf(host), new Set([new URL(issuer).hostname]));
}

/** Decisions as the tools of agents (Model Context Protocol, streamable HTTP). */
export function agentRoutes({ database, schemasOf, issuer, routes }: AgentDependencies): LogicRoute[] {
  const operations: Operations = new Map(routes.map((route) => [route.operationId, route]));
  return [
    logicRoute({
      method: 'POST',
      path: '/mcp/{environmentId}',
      operationId: 'callTools',
      tag: 'Agents',
      summary: 'Use what is deployed as tools, by the Model Context Protocol',
      description:
        'Streamable HTTP without sessions: each answer is JSON, nothing is streamed, and what a message needs is in it. ' +
        'Each tool takes the scope of the operation that it stands for.',
      scope: 'execution:write',
      // Who may not execute has the other tools.
      orScopes: fixedTools.map(({ operationId }) => scopeOf(operations, operationId)),
      params: Type.Object({ environmentId: Id }, { additionalProperties: false }),
      body: Message,
      requestHeaders: ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Origin', 'Host'],
      // What the protocol refuses is answered in its own words.
      replies: { 200: Answer, 202: null, 400: Answer, 403: Answer, 404: Answer },
      problems: ['environment_not_found', 'overloaded'],
      async handle(request) {
        const { workspaceId, params, header } = request;
        if (!isOwnOrigin(header('Origin'), header('Host'), issuer)) return { status: 403, body: foreignOrigin };
        const deployed = await listDeployed(database, workspaceId, params.environmentId);
        if (deployed === undefined) {
          const message = `There is no environment ${params.environmentId} in this workspace.`;
          throw new Problem('environment_not_found', message);
        }
        // The protocol's library is large: it is loaded with the first message, not with the server.
        const { answer } = await import('./protocol.js');
        return answer(request, { operations, schemasOf, decisions: toolNames(deployed, fixedNames) });
      },
    }),
  ];
}

/** Most characters of a name before what tells two of them apart; agents' programs allow 64 in all. */
const maxLength = 50;

/**
 * The names of decisions as tools: their keys, in the characters that all agents' programs allow (`[A-Za-z0-9_-]`). Where
 * two would have the same, or one that is taken, each gets the end of its decision's id; so does a key that ends like an id, which
 * would be the name of another decision, and be executed in its place.
 */
function toolNames<Decision extends Pick<DeployedDecision, 'decisionId' | 'key'>>(
  decisions: readonly Decision[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, Decision> {
  const counts = new Map<string, number>();
  for (const { key } of decisions) counts.set(plainName(key), (counts.get(plainName(key)) ?? 0) + 1);
  return new Map(
    decisions.map((decision) => {
      const plain = plainName(decision.key);
      const isOwn = counts.get(plain) === 1 && !taken.has(plain) && !/-[0-9a-f]{12}$/.test(plain);
      return [isOwn ? plain : `${plain}-${decision.decisionId.slice(-12)}`, decision];
    }),
  );
}

const plainName = (key: string): string =>
  key
    .replace(/\.json$/, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, maxLength);
