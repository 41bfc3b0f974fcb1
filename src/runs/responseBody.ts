import type { NarrateAnswer } from '../../workers/models/index.js';
import type { RunDone, RunStopped } from '../../workers/protocol.js';
import { Problem } from '../errors.js';
import type { Explanation } from './explanation.js';
import type { RecordedExecution, WholeExecution } from './history.store.js';
import type { ExecutionRecord } from './recorder/record.js';
import type { LogicRequest } from '../api/logicRoute.js';
import type { Route } from '../deployments/routing.js';
import { idTime, newId } from '../storage/ids.js';
import type { RunResult } from './runOnThread.js';

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

/** Microseconds as `<number>ms`, at most three decimals. */
export const performanceText = (us: number): string => `${us / 1000}ms`;

/** The part of a record that comes from the run itself. */
export function outcomeOf(
  reply: RunDone | RunStopped,
): Pick<ExecutionRecord, 'status' | 'fact' | 'result' | 'error' | 'trace' | 'selection' | 'engineUs'> {
  const { engineUs, recordedFact: fact, selection = null } = reply;
  if (reply.kind === 'done') {
    const { status, error, trace } = reply;
    const result = reply.recordedResult ?? reply.result;
    const kept = traceWith(status === 'FAILED' ? trace : null, reply.warnings);
    return { status, fact, result, error, trace: kept, selection, engineUs };
  }
  const { reason, message } = reply;
  const result = JSON.stringify({ error: message });
  return {
    status: 'FAILED',
    fact,
    result,
    error: JSON.stringify({ code: reason, message }),
    trace: null,
    selection,
    engineUs,
  };
}

/** A trace with what was null in a DMN model: its member `warnings`, before those of nodes. */
export function traceWith(trace: string | null, warnings: string | undefined): string | null {
  if (warnings === undefined) return trace;
  return `{"warnings":${warnings}${trace === null || trace === '{}' ? '}' : `,${trace.slice(1)}`}`;
}

/** The member `warnings` of an answer that has such a trace; empty where it has none. */
function warningsMember(trace: string | null): string {
  if (trace?.startsWith('{"warnings":[') !== true) return '';
  return `,"warnings":${JSON.stringify((JSON.parse(trace) as { warnings: unknown }).warnings)}`;
}

/** It would have called a host, and was not to. */
export const isWithheld = (reply: RunDone | RunStopped): boolean =>
  reply.kind === 'done' &&
  reply.error !== null &&
  (JSON.parse(reply.error) as { code?: unknown }).code === 'http_withheld';

/** Concatenates ids and texts that are JSON already, instead of parsing and serialising them again. */
export function executionBody(
  record: Pick<ExecutionRecord, 'id' | 'decisionId' | 'createdAt'>,
  reply: RunDone,
): string {
  const at = record.createdAt.toISOString();
  const trace = reply.status === 'FAILED' && reply.trace !== null ? `,"trace":${reply.trace}` : '';
  return (
    `{"id":"${record.id}","decisionId":"${record.decisionId}","status":"${reply.status}","result":${reply.result},` +
    `"performance":"${performanceText(reply.engineUs)}","createdAt":"${at}","updatedAt":"${at}"${trace}}`
  );
}

export function evaluationBody(id: string, reply: RunDone): string {
  return (
    `{"id":"${id}","status":"${reply.status}","result":${reply.result},` +
    `"performance":"${performanceText(reply.engineUs)}","trace":${traceWith(reply.trace, reply.warnings) ?? 'null'}` +
    `${reply.warnings === undefined ? '' : `,"warnings":${reply.warnings}`}}`
  );
}

/** The 5xx of a run that a limit stopped. @param executionId of the record, when there is one */
export function stoppedProblem(reply: RunStopped, executionId?: string): Problem {
  const options = executionId === undefined ? {} : { extensions: { executionId } };
  if (reply.reason === 'timeout') return new Problem('engine_timeout', reply.message, options);
  return new Problem('engine_failure', reply.message, options);
}

/** Members that lists and single records share, before those that differ; `requestText` has those after. */
const identityText = (record: RecordedExecution): string =>
  `"id":"${record.id}","workspaceId":"${record.workspaceId}","environmentId":"${record.environmentId}",` +
  `"deploymentId":"${record.deploymentId}","decisionId":"${record.decisionId}","version":${record.version},` +
  `"status":"${record.status}","reference":${JSON.stringify(record.reference)}`;

const requestText = ({ engineUs, requestId, principal, createdAt }: RecordedExecution): string =>
  `"performance":"${performanceText(engineUs)}","requestId":"${requestId}","principal":${JSON.stringify(principal)},` +
  `"createdAt":"${createdAt}"`;

/** A recorded execution as lists show it. Its texts are passed on as they are: parsed, numbers would lose digits. */
export const summaryText = (record: RecordedExecution): string =>
  `{${identityText(record)},"error":${record.error ?? 'null'},${requestText(record)}}`;

/** All of a recorded execution. */
export const recordText = (record: WholeExecution): string =>
  `{${identityText(record)},"fact":${record.fact ?? 'null'},"result":${record.result},` +
  `"error":${record.error ?? 'null'},"trace":${record.trace ?? 'null'},${requestText(record)}` +
  `${record.selection === null ? '' : `,"select":${record.selection}`}${warningsMember(record.trace)}}`;

/** A recorded execution (JSON), saying that it was erased or altered where it was. Texts of evidence never say so. */
export const withMark = (text: string, mark: 'erased' | 'altered' | undefined): string =>
  mark === undefined ? text : `${text.slice(0, -1)},"${mark}":true}`;

export const explanationText = (
  executionId: string,
  { exact, reasons, result, trace }: Explanation,
  told: NarrateAnswer | undefined,
): string =>
  `{"executionId":"${executionId}","exact":${exact},"reasons":${JSON.stringify(reasons)},` +
  `"result":${result ?? 'null'},"trace":${trace ?? 'null'}${warningsMember(trace)}` +
  `${told === undefined ? '' : `,${JSON.stringify(told).slice(1, -1)}`}}`;
