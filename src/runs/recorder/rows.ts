import { idTime, idToBytes } from '../../storage/ids.js';
import { isShared, type Codes } from './codes.js';
import { contextToBytes, ownContext } from './runContext.js';
import type { ExecutionRecord, RunRecord } from './record.js';
import type { Value, Values } from './insert.js';

const ranColumns = ['id', 'workspace_id', 'status', 'fact', 'result', 'error', 'engine_us', 'request_id'] as const;
const formerColumns = ['decision_id', 'version', 'principal', 'created_at'] as const;

export const evaluationColumns: readonly string[] = [...ranColumns, ...formerColumns];
export const executionColumns: readonly string[] = [
  ...ranColumns,
  ...formerColumns,
  'environment_id',
  'deployment_id',
  'updated_at',
  'circumstances',
  'trace',
  'reference',
  'route',
  'setting',
  'run_context',
];

const maxUnsigned = 4_294_967_295;

const ranValues = (record: RunRecord, recordFacts: boolean): Value[] => [
  idToBytes(record.id),
  idToBytes(record.workspaceId),
  record.status,
  recordFacts ? record.fact : null,
  record.result,
  record.error,
  Math.min(record.engineUs, maxUnsigned),
  idToBytes(record.requestId),
];

const formerValues = (record: RunRecord): Value[] => [
  idToBytes(record.decisionId),
  record.version,
  record.principal.slice(0, 255),
  record.createdAt,
];

/** In the order of `evaluationColumns`. */
export function evaluationValues(record: RunRecord, recordFacts: boolean): Values {
  const values = ranValues(record, recordFacts);
  values.push(...formerValues(record));
  return values;
}

/** In the order of `executionColumns`. Without a setting it tells all that processes of the version before read. */
export function executionValues(record: ExecutionRecord, recordFacts: boolean, { route, setting }: Codes): Values {
  const values = ranValues(record, recordFacts);
  const { createdAt, context } = record;
  if (setting === null) {
    values.push(...formerValues(record), idToBytes(record.environmentId), idToBytes(record.deploymentId));
    values.push(createdAt, contextToBytes(context), record.trace, record.reference, route, null, null);
  } else {
    const principal = isShared(record.principal) ? null : record.principal.slice(0, 255);
    // The id tells it, where it is the same.
    const at = createdAt.getTime() === idTime(record.id).getTime() ? null : createdAt;
    values.push(null, null, principal, at, null, null, null, null);
    values.push(record.trace, record.reference, route, setting, ownContext(context));
  }
  return values;
}

/** Estimated bytes of a row besides its texts. */
const fixedBytes = 256;

/** Estimated bytes of the row in a statement. */
export function weigh(record: RunRecord & { readonly trace?: string | null }): number {
  const { fact, result, error, trace } = record;
  return fixedBytes + result.length + (fact?.length ?? 0) + (error?.length ?? 0) + (trace?.length ?? 0);
}
