import { idToBytes } from '../../storage/ids.js';
import { contextToBytes } from './runContext.js';
import type { ExecutionRecord, RunRecord } from './record.js';
import type { Value, Values } from './insert.js';

const commonColumns = [
  'id',
  'workspace_id',
  'decision_id',
  'version',
  'status',
  'fact',
  'result',
  'error',
  'engine_us',
  'request_id',
  'principal',
  'created_at',
] as const;

export const evaluationColumns: readonly string[] = commonColumns;
export const executionColumns: readonly string[] = [
  ...commonColumns,
  'environment_id',
  'deployment_id',
  'trace',
  'updated_at',
  'reference',
  'circumstances',
];

const maxUnsigned = 4_294_967_295;

const commonValues = (record: RunRecord, recordFacts: boolean): Value[] => [
  idToBytes(record.id),
  idToBytes(record.workspaceId),
  idToBytes(record.decisionId),
  record.version,
  record.status,
  recordFacts ? record.fact : null,
  record.result,
  record.error,
  Math.min(record.engineUs, maxUnsigned),
  idToBytes(record.requestId),
  record.principal.slice(0, 255),
  record.createdAt,
];

/** In the order of `evaluationColumns`. */
export const evaluationValues = commonValues;

/** In the order of `executionColumns`. */
export function executionValues(record: ExecutionRecord, recordFacts: boolean): Values {
  const values = commonValues(record, recordFacts);
  values.push(
    idToBytes(record.environmentId),
    idToBytes(record.deploymentId),
    record.trace,
    record.createdAt,
    record.reference,
    contextToBytes(record.context),
  );
  return values;
}

/** Estimated bytes of a row besides its texts. */
const fixedBytes = 256;

/** Estimated bytes of the row in a statement. */
export function weigh(record: RunRecord & { readonly trace?: string | null }): number {
  const { fact, result, error, trace } = record;
  return fixedBytes + result.length + (fact?.length ?? 0) + (error?.length ?? 0) + (trace?.length ?? 0);
}
