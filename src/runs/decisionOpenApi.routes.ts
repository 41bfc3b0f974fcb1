import type { Knex } from 'knex';
import Type from 'typebox';
import type { ReadSchemas } from '../decisions/programs/schemas.js';
import type { Routing } from '../deployments/routing.js';
import { findDecision } from '../decisions/decisions.store.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { describeExecution } from './describeExecution.js';
import { notFoundReason } from './notFoundReason.js';
import { DeployedParams } from './runs.schema.js';

interface DocumentDependencies {
  readonly database: Knex;
  readonly routing: Routing;
  readonly schemasOf: ReadSchemas;
}

const OpenApiDocument = Type.Object({}, { additionalProperties: true, description: 'OpenAPI 3.1' });

/** OpenAPI documents for client generators: executing one decision, typed by its model's schemas. */
export function decisionOpenApiRoutes({ database, routing, schemasOf }: DocumentDependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/{environmentId}/decisions/{decisionId}/openapi.json',
      operationId: 'getDecisionOpenApi',
      tag: 'Decisions',
      summary: 'Get an OpenAPI document of executing what is deployed, for generators of clients',
      scope: 'decision:read',
      params: DeployedParams,
      replies: { 200: OpenApiDocument },
      problems: [
        'environment_not_found',
        'decision_not_found',
        'version_not_found',
        'routing_not_found',
        'engine_failure',
        'engine_timeout',
        'overloaded',
      ],
      async handle({ workspaceId, params, reservation }) {
        const pair = { workspaceId, ...params };
        const { value } = await routing.routeOf(pair);
        if (value === null) throw await notFoundReason(database, pair);
        const { version } = value;
        const { decisionId } = params;
        const decision = await findDecision(database, workspaceId, decisionId);
        if (decision === undefined) throw await notFoundReason(database, pair);
        const schemas = await schemasOf({ workspaceId, id: decisionId, version }, reservation);
        const { key } = decision;
        return { status: 200, body: describeExecution({ ...params, key, version, schemas }) };
      },
    }),
  ];
}
