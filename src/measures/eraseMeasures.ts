import type { Knex } from 'knex';
import { formatJson } from '../../workers/json/index.js';
import { measuredIn } from '../../workers/models/index.js';
import type { WholeExecution } from '../runs/history.store.js';
import { createPause } from '../admission/pause.js';
import { idToBytes } from '../storage/ids.js';
import { hourOf } from './counter.js';
import { fieldsOf } from './fieldCounts.js';

/** An execution that was counted, with its result: JSON, parsed; undefined where it failed. */
interface CountedExecution extends Pick<
  WholeExecution,
  'workspaceId' | 'decisionId' | 'environmentId' | 'version' | 'createdAt'
> {
  readonly result: unknown;
}

/** Takes back what was counted of these results: afterwards no value is kept that only they had. */
export async function eraseMeasures(
  transaction: Knex.Transaction,
  executions: readonly CountedExecution[],
): Promise<void> {
  const counted = new Map<string, CountedExecution[]>();
  for (const execution of executions) {
    if (execution.result === undefined) continue;
    const { workspaceId, decisionId, environmentId, version } = execution;
    const key = [workspaceId, decisionId, hourOfExecution(execution).getTime(), environmentId, version].join();
    counted.set(key, [...(counted.get(key) ?? []), execution]);
  }
  for (const some of counted.values()) await eraseHour(transaction, some);
}

const hourOfExecution = ({ createdAt }: CountedExecution): Date => new Date(hourOf(new Date(createdAt).getTime()));

/** @param executions of one decision, environment, version and hour */
async function eraseHour(transaction: Knex.Transaction, executions: readonly CountedExecution[]): Promise<void> {
  const [first] = executions;
  if (first === undefined) return;
  const primaryKey = {
    workspace_id: idToBytes(first.workspaceId),
    decision_id: idToBytes(first.decisionId),
    hour: hourOfExecution(first),
    environment_id: idToBytes(first.environmentId),
    version: first.version,
  };
  const rows = (await transaction('measures')
    .select('part_id', 'fields')
    .where(primaryKey)
    .whereNotNull('fields')
    .forUpdate()) as { part_id: Buffer; fields: string }[];
  const parts = rows.map(({ part_id: partId, fields }) => ({ partId, fields: fieldsOf(fields), isChanged: false }));
  const pointers = [...new Set(parts.flatMap(({ fields }) => [...fields.keys()]))];
  const pause = createPause();
  for (const { result } of executions) {
    const { texts } = measuredIn(result, pointers, formatJson);
    for (const [at, pointer] of pointers.entries()) {
      const text = texts[at] ?? null;
      const forgets = (part: (typeof parts)[number], how: 'forget' | 'forgetOther'): boolean =>
        part.fields.get(pointer)?.[how](text) === true;
      const part = parts.find((one) => forgets(one, 'forget')) ?? parts.find((one) => forgets(one, 'forgetOther'));
      if (part !== undefined) part.isChanged = true;
      await pause();
    }
  }
  for (const { partId, fields, isChanged } of parts) {
    if (!isChanged) continue;
    const text = JSON.stringify(Object.fromEntries(fields));
    await transaction('measures')
      .where({ ...primaryKey, part_id: partId })
      .update({ fields: text });
  }
}
