import { operations } from '#openapi/operations.gen.js';
import { readXlsx } from '../../../../workers/sheets/index.js';
import type { Call } from '../../command.js';
import { Refusal, UsageError } from '../../failures.js';
import { readFileAt, typeOf, writeFileAt } from '../sheets/files.js';
import type { BatchOptions, BatchRun } from './options.js';

/** Executes the facts of an .xlsx, which is sent and answered whole. */
export async function runSheet(call: Call, path: string, options: BatchOptions): Promise<BatchRun> {
  const { environmentId, decisionId, key, reference, resume } = options;
  if (key !== undefined || reference !== undefined || resume === true) {
    throw new UsageError(
      'of .xlsx the columns are named `key` and `reference`; it has no --key, --reference or --resume.',
    );
  }
  const { session, service } = call;
  const ref = await call.resolved({ environmentId, decisionId });
  const params = { environmentId: String(ref.environmentId), decisionId: String(ref.decisionId) };
  const body = await readFileAt(session, path);
  const answer = await service.receive(operations.executeBatch, { params, body, headers: typeOf(path) });
  const output = options.output ?? path.replace(/\.xlsx$/i, '.results.xlsx');
  await writeFileAt(session, output, answer);
  const statuses = statusesIn(answer);
  if (statuses.length === 0) throw new Refusal(`the answer, kept in ${output}, has no column \`status\`.`);
  const failed = statuses.filter((status) => status !== 'COMPLETED').length;
  return { completed: statuses.length - failed, failed, output };
}

/** What a batch's answered file says of each row. */
function statusesIn(bytes: Uint8Array): readonly string[] {
  const [head = [], ...rows] = readXlsx(bytes, '', '').sheet.rows;
  const at = head.indexOf('status');
  return at === -1 ? [] : rows.map((row) => row[at] ?? '');
}
