import type { Knex } from 'knex';
import { selectRecords } from '../../src/runs/history.store.js';
import { createRecorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { idToBytes } from '../../src/storage/ids.js';
import { atOnce } from './atOnce.js';

const own = [
  'id',
  'workspace_id',
  'status',
  'reference',
  'fact',
  'result',
  'error',
  'trace',
  'engine_us',
  'request_id',
];

/** Rows of records, each with all that it names by number. */
export const recordedRows = (database: Knex): Knex.QueryBuilder =>
  database.from(
    selectRecords(database, [...own, 'created_at'])
      .leftJoin('execution_settings as s', 's.code', 'e.setting')
      .select({ principal: database.raw('COALESCE(e.principal, s.principal)') })
      .as('records'),
  );

export const writeRecord = (database: Knex, record: ExecutionRecord): Promise<void> => writeRecords(database, [record]);

/** Writes records as a process does. */
export async function writeRecords(database: Knex, records: readonly ExecutionRecord[]): Promise<void> {
  const layout = { isNarrow: true };
  const recorder = createRecorder({ database, records: database, layout, recordFacts: true, scheduler: atOnce });
  for (const error of await recorder.recordExecutions(records, { repeated: false }))
    if (error !== undefined) throw error instanceof Error ? error : new Error('not recorded', { cause: error });
}

/** Gives a record the form that processes of the version before write: it tells all of it itself. */
export async function asFormer(database: Knex, id: string): Promise<void> {
  await database.raw(
    `UPDATE executions e JOIN execution_settings s ON s.code = e.setting JOIN execution_routes r ON r.code = e.route
        SET e.circumstances = CONCAT(SUBSTR(s.context, 1, 38), SUBSTR(e.run_context, 1, 10),
              SUBSTR(s.context, 39, 2), SUBSTR(e.run_context, 11, 1)),
            e.principal = COALESCE(e.principal, s.principal), e.environment_id = r.environment_id,
            e.deployment_id = r.deployment_id, e.decision_id = r.decision_id, e.version = r.version,
            e.setting = NULL, e.run_context = NULL
      WHERE e.id = ?`,
    [idToBytes(id)],
  );
}
