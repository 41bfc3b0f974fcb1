import { Refusal, UsageError } from '../../failures.js';
import { exitCodes } from '../../exitCodes.js';
import type { Session } from '../../session.js';
import { record } from '../../table.js';
import { findDecision } from '../find.js';
import { operations } from '#openapi/operations.gen.js';
import { readFileAt, typeOf, writeFileAt } from '../sheets/files.js';
import type { RunOptions } from './options.js';
import { sheetOf } from '../sheets/sheetOf.js';

/** Executes the facts of an .xlsx, which is sent and answered whole. */
export async function runSheet(session: Session, path: string, options: RunOptions): Promise<void> {
  const { environment: environmentId, key, reference, resume } = options;
  if (key !== undefined || reference !== undefined || resume === true) {
    throw new UsageError(
      'of .xlsx the columns are named `key` and `reference`; it has no --key, --reference or --resume.',
    );
  }
  const service = session.service(options);
  const { id: decisionId } = await findDecision(service, options.decision);
  const body = await readFileAt(session, path);
  const params = { environmentId, decisionId };
  const answer = await service.receive(operations.executeBatch, { params, body, headers: typeOf(path) });
  const output = options.output ?? path.replace(/\.xlsx$/i, '.results.xlsx');
  await writeFileAt(session, output, answer);
  const statuses = sheetOf(answer).statuses;
  if (statuses.length === 0) throw new Refusal(`the answer, kept in ${output}, has no column \`status\`.`);
  const failed = statuses.filter((status) => status !== 'COMPLETED').length;
  const document = { completed: statuses.length - failed, failed, output };
  session.print(document, () => record(document));
  if (failed > 0) session.endWith(exitCodes.refused);
}
