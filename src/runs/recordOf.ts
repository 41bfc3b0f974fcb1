import type { LogicRequest } from '../api/logicRoute.js';
import type { Route } from '../deployments/routing.js';
import { idTime, newId } from '../storage/ids.js';
import type { ExecutionRecord } from './recorder/record.js';
import { outcomeOf } from './responseBody.js';
import type { RunResult } from './run.js';

/** Who asked for an execution of what. */
export interface RequestOrigin extends Pick<
  LogicRequest<unknown, unknown, unknown>,
  'workspaceId' | 'requestId' | 'principal'
> {
  readonly params: { readonly environmentId: string; readonly decisionId: string };
  readonly reference: string | null;
}

/** The record of a run. Written out, because a spread costs more than all other steps of an execution here. */
export function recordOf(
  { workspaceId, params, requestId, principal, reference }: RequestOrigin,
  { deploymentId, version }: Route,
  { reply, context }: RunResult,
  id = newId(),
): ExecutionRecord {
  const { status, fact, result, error, trace, selection, engineUs } = outcomeOf(reply);
  return {
    id,
    status,
    fact,
    result,
    error,
    trace,
    selection,
    engineUs,
    workspaceId,
    environmentId: params.environmentId,
    deploymentId,
    decisionId: params.decisionId,
    version,
    requestId,
    principal: principal.name,
    // The time within the id, because history filters time by id; a claimed id is as old as its request.
    createdAt: idTime(id),
    reference,
    context,
    measured: reply.kind === 'done' ? reply.measured : undefined,
    warningCount: reply.kind === 'done' ? reply.warningCount : undefined,
  };
}
