import { idTime, idToBytes } from '../../storage/ids.js';
import { isShared, type Codes } from './codes.js';
import { contextToBytes, ownContext } from './runContext.js';
import type { ExecutionRecord, RunRecord } from './record.js';
import type { Value, Values } from './insert.js';

const ranColumns = ['id', 'workspace_id', 'status', 'fact', 'result', 'error', 'engine_us', 'request_id'] as const;

export const evaluationColumns: readonly string[] = [
  ...ranColumns,
  'decision_id',
  'version',
  'principal',
  'created_at',
];
export const executionColumns: readonly string[] = [
  ...ranColumns,
  'principal',
  'created_at',
  'trace',
  'reference',
  'route',
  'setting',
  'run_context',
  // Only for processes of the version before; a row without them ends here.
  'decision_id',
  'version',
  'environment_id',
  'deployment_id',
  'updated_at',
  'circumstances',
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

const principalOf = ({ principal }: RunRecord): string => principal.slice(0, 255);

/** In the order of `evaluationColumns`. */
export function evaluationValues(record: RunRecord, recordFacts: boolean): Values {
  const values = ranValues(record, recordFacts);
  values.push(idToBytes(record.decisionId), record.version, principalOf(record), record.createdAt);
  return values;
}

/** In the order of `executionColumns`. Without a setting it tells all that processes of the version before read. */
export function executionValues(record: ExecutionRecord, recordFacts: boolean, { route, setting }: Codes): Values {
  const values = ranValues(record, recordFacts);
  const { createdAt, context, trace, reference } = record;
  if (setting === null) {
    values.push(principalOf(record), createdAt, trace, reference, route, null, null);
    values.push(idToBytes(record.decisionId), record.version, idToBytes(record.environmentId));
    values.push(idToBytes(record.deploymentId), createdAt, contextToBytes(context));
  } else {
    const principal = isShared(record.principal) ? null : principalOf(record);
    // The id tells it, where it is the same.
    const at = createdAt.getTime() === idTime(record.id).getTime() ? null : createdAt;
    values.push(principal, at, trace, reference, route, setting, ownContext(context));
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
