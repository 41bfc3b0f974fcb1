import type { Knex } from 'knex';
import { selectRecords } from '../../src/runs/history.store.js';
import { createRecorder } from '../../src/runs/recorder.js';
import type { ExecutionRecord } from '../../src/runs/recorder/record.js';
import { atOnce } from './atOnce.js';
import { testPace } from './settings.js';

const own = [
  ...['id', 'workspace_id', 'status', 'reference', 'fact', 'result', 'error', 'trace', 'engine_us', 'request_id'],
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
  const recorder = createRecorder({
    database,
    records: database,
    recordFacts: true,
    scheduler: atOnce,
    giveUpAfterMs: testPace.recorderGiveUp,
  });
  for (const error of await recorder.recordExecutions(records, { repeated: false }))
    if (error !== undefined) throw error instanceof Error ? error : new Error('not recorded', { cause: error });
}
