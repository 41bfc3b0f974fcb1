import type { Route } from '../../deployments/routing.js';
import type { LogicRequest } from '../../api/logicRoute.js';
import { idTime, newId } from '../../storage/ids.js';
import { outcomeOf } from '../responseBody.js';
import type { RunResult } from '../run.js';
import type { RunContext } from './runContext.js';

/** What is kept of every run. Texts are JSON with secrets redacted. */
export interface RunRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  /** Null when facts are not kept (RECORD_FACTS=false) or the thread that could redact them is gone. */
  readonly fact: string | null;
  readonly result: string;
  readonly error: string | null;
  readonly engineUs: number;
  readonly requestId: string;
  readonly principal: string;
  readonly createdAt: Date;
}

export interface ExecutionRecord extends RunRecord {
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly trace: string | null;
  /** The caller's own id of it. */
  readonly reference: string | null;
  readonly context: RunContext;
}

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
  const { status, fact, result, error, trace, engineUs } = outcomeOf(reply);
  return {
    id,
    status,
    fact,
    result,
    error,
    trace,
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
  };
}
