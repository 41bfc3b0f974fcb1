import type { ModelWork } from '../../../workers/models/index.js';
import { IdParams } from '../../api/fields.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { VersionParams } from './decisions.schema.js';
import { Schemas, TestReport, TestRequest } from './models.schema.js';
import { readBundledProgram } from '../programs/bundledProgram.js';
import type { Programs } from '../programs/programs.js';
import { runTests } from '../programs/testReport.js';
import type { ReadSchemas } from '../programs/schemas.js';

interface ModelDependencies {
  readonly models: ModelWork;
  readonly programs: Programs;
  readonly schemasOf: ReadSchemas;
}

/** Operations on stored models: running their own tests, and their schemas. */
export function modelRoutes(dependencies: ModelDependencies): LogicRoute[] {
  return [testRoute(dependencies), schemaRoute(dependencies)];
}

function testRoute({ models, programs }: ModelDependencies): LogicRoute {
  return logicRoute({
    method: 'POST',
    path: '/logic/decisions/{id}/tests',
    operationId: 'testDecision',
    tag: 'Decisions',
    summary: "Run the model's own tests, and tell what they came by",
    scope: 'evaluation:write',
    params: IdParams,
    body: TestRequest,
    replies: { 200: TestReport },
    problems: [
      'decision_not_found',
      'version_not_found',
      'model_too_large',
      'engine_failure',
      'engine_timeout',
      'overloaded',
    ],
    async handle({ workspaceId, params: { id }, body: { version }, gone, reservation }) {
      const brought = await readBundledProgram(programs, { workspaceId, reservation }, { id, version });
      const program = { ...brought, workspaceId };
      const { passed, failed, tests, coverage } = await runTests(models, program, { gone, reservation });
      const body = `{"passed":${passed},"failed":${failed},"coverage":${coverage},"tests":[${tests.join()}]}`;
      return { status: 200, body };
    },
  });
}

function schemaRoute({ schemasOf }: ModelDependencies): LogicRoute {
  return logicRoute({
    method: 'GET',
    path: '/logic/decisions/{id}/versions/{version}/schema',
    operationId: 'getSchemas',
    tag: 'Decisions',
    summary: 'Get the JSON Schemas of what a version takes and gives',
    scope: 'decision:read',
    params: VersionParams,
    replies: { 200: Schemas },
    problems: ['decision_not_found', 'version_not_found', 'engine_failure', 'engine_timeout', 'overloaded'],
    handle: async ({ workspaceId, params: { id, version }, reservation }) => ({
      status: 200,
      body: await schemasOf({ workspaceId, id, version: Number(version) }, reservation),
    }),
  });
}
