import type { ModelWork } from '../../../workers/models/index.js';
import { stoppedWork } from '../../decisions/programs/stoppedWork.js';
import { requireRead } from '../../decisions/tables/readFile.js';
import { textBytes, type Reservation } from '../../http/body/byteBudget.js';
import { fileTypes, type FileBody } from '../../http/body/fileBody.js';
import { broken, maxViolations } from '../../http/body/violations.js';
import type { AnswerSink } from '../../http/server/answerSink.js';
import type { BatchRun, ItemSource } from './batch.js';
import { bytesOf, type FaultyItem, type Item, type ReadItem } from './item.js';

interface FileRequest {
  readonly workspaceId: string;
  readonly reservation: Reservation;
}

/** The rows of a spreadsheet as items. Throws what a file is refused with that is none, or whose columns contradict. */
export async function fileSource(
  models: ModelWork,
  { workspaceId, reservation }: FileRequest,
  file: FileBody,
  readItem: ReadItem,
): Promise<ItemSource> {
  const answer = await models.work(workspaceId, { kind: 'readFacts', ...file });
  if ('reason' in answer) throw stoppedWork(answer);
  requireRead(answer.refusal);
  const { items: texts, faults } = answer;
  const [first = 'the sheet has no facts: the first row has their names, and each row after it is one'] = faults;
  if (faults.length > 0 || texts.length === 0) {
    const messages = faults.length > 0 ? faults.slice(0, maxViolations) : [first];
    throw broken(messages.map((message) => ({ in: 'body', pointer: cellOf(message), message })));
  }
  const items: (Item | FaultyItem)[] = [];
  for (const [index, text] of texts.entries()) items.push(await readItem(index, Buffer.from(text)));
  reservation.grow(bytesOf(items));
  return { next: (most) => Promise.resolve(items.splice(0, most)) };
}

/** The cell that a message begins with. */
const cellOf = (message: string): string => /^[^:]*![A-Z]+\d+/.exec(message)?.[0] ?? '';

/** Runs a batch, and writes its file with the answers beside the facts: their columns are known once all are there. */
export async function writeFile(
  models: ModelWork,
  { workspaceId, reservation }: FileRequest,
  { run, file, sink }: { readonly run: BatchRun; readonly file: FileBody; readonly sink: AnswerSink },
): Promise<void> {
  const answers: string[] = [];
  await run.write({
    write(text, sent) {
      const lines = String(text);
      reservation.grow(textBytes(lines));
      answers.push(...lines.split('\n').filter((line) => line !== ''));
      sent();
      return undefined;
    },
  });
  const answer = await models.work(workspaceId, { kind: 'writeAnswers', ...file, answers });
  if ('reason' in answer) throw stoppedWork(answer);
  await sink.write(answer.bytes, () => undefined);
}

export const typeOfFile = ({ format }: FileBody): string =>
  format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx;
