import { actorOf } from '../api/actor.js';
import { Problem, type Violation } from '../errors.js';
import { exceedsRuns, formatJson, parseExactly } from '../../workers/json/index.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { PageQuery, type CursorKind } from '../api/paginate.js';
import { List } from '../resource/lists.js';
import type { Configurations } from './configurations.js';
import type { VariableDependencies } from './sealedVariable.js';
import { isVariableName, maxValueLength } from './variableRules.js';
import { Variable, VariableParams, WriteVariable } from './variables.schema.js';
import { pageOfVariables, setVariable, shownVariable, unsetVariable, type VariableWriter } from './variables.store.js';

const byName: CursorKind<string> = { fromBytes: (bytes) => bytes.toString('utf8'), isCursor: isVariableName };
const list = new List(Variable, byName);

/** The operations on an environment's variables. */
export function variableRoutes(
  dependencies: Omit<VariableWriter, 'actor'> & VariableDependencies & { readonly configurations: Configurations },
): LogicRoute[] {
  const { configurations } = dependencies;
  const path = '/logic/environments/{id}/variables';
  const onePath = '/logic/environments/{id}/variables/{name}';
  return [
    logicRoute({
      method: 'GET',
      path,
      operationId: 'listVariables',
      tag: 'Environments',
      summary: "List an environment's variables by name, without the values of secrets",
      scope: 'variables:read',
      params: IdParams,
      query: PageQuery,
      ...list.declared,
      problems: ['environment_not_found', 'overloaded'],
      handle(request) {
        const ref = { workspaceId: request.workspaceId, environmentId: request.params.id };
        return list.answer(request, (wanted) => pageOfVariables(dependencies, ref, wanted), shownVariable);
      },
    }),
    logicRoute({
      method: 'PUT',
      path: onePath,
      operationId: 'setVariable',
      tag: 'Environments',
      summary: 'Set a variable; the next execution sees it, other processes within a second',
      scope: 'variable:write',
      params: VariableParams,
      body: WriteVariable,
      findBodyViolations: findValueViolations,
      replies: { 200: Variable, 201: Variable },
      problems: ['environment_not_found', 'approval_required'],
      async handle(request) {
        const { workspaceId, params, body, bodyText } = request;
        const { secret = false } = body;
        const { value } = parseExactly(bodyText, body) as typeof body;
        const ref = { workspaceId, environmentId: params.id };
        const fields = { name: params.name, value, secret };
        const written = await setVariable({ ...dependencies, actor: actorOf(request) }, ref, fields);
        await configurations.publish(ref, written.revision);
        return { status: written.created ? 201 : 200, body: formatJson(shownVariable(written.variable)) };
      },
    }),
    logicRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'deleteVariable',
      tag: 'Environments',
      summary: 'Remove a variable',
      scope: 'variable:delete',
      params: VariableParams,
      replies: { 204: null },
      problems: ['approval_required'],
      async handle(request) {
        const ref = { workspaceId: request.workspaceId, environmentId: request.params.id };
        const writer = { ...dependencies, actor: actorOf(request) };
        const revision = await unsetVariable(writer, ref, request.params.name).catch(nothingThere);
        if (revision !== null) await configurations.publish(ref, revision);
        return { status: 204 };
      },
    }),
  ];
}

/** A value that is too long, or has numbers of more digits than runs have. */
function findValueViolations({ value }: Readonly<Record<string, unknown>>, text: string): readonly Violation[] {
  const found: string[] = [];
  if (value !== undefined && formatJson(value).length > maxValueLength) {
    found.push(`must have at most ${maxValueLength} characters as JSON`);
  }
  if (exceedsRuns(text)) found.push('must not hold a number of more than 28 digits, as runs have; send it as a text');
  return found.map((message) => ({ in: 'body', pointer: '/value', message }));
}

/** Where the environment is gone, so is the variable. */
function nothingThere(error: unknown): null {
  if (error instanceof Problem && error.code === 'environment_not_found') return null;
  throw error;
}
