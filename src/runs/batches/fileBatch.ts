import type { ModelWork } from '../../../workers/models/index.js';
import { requireFinished } from '../../decisions/programs/requireFinished.js';
import { requireRead } from '../../decisions/tables/readFile.js';
import { Problem } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import type { FileBody } from '../../http/body/fileBody.js';
import { fileTypes } from '../../http/body/fileTypes.js';
import { maxViolations } from '../../../workers/json/index.js';
import { broken } from '../../http/body/violations.js';
import type { AnswerSink } from '../../http/server/answerSink.js';
import { createPause } from '../../admission/pause.js';
import type { BatchRun } from './batch.js';
import { FileAnswers } from './fileAnswers.js';

interface FileRequest {
  readonly workspaceId: string;
  readonly reservation: Reservation;
}

/** The rows of a spreadsheet as lines of JSON, one item each. */
export interface FileRows {
  readonly count: number;
  readonly pieces: AsyncIterable<Buffer>;
  readonly answers: FileAnswers;
}

/** Reads a spreadsheet on a thread. Throws what a file is refused with that is none, or whose columns contradict. */
export async function readRows(
  models: ModelWork,
  { workspaceId, reservation }: FileRequest,
  file: FileBody,
): Promise<FileRows> {
  const answer = requireFinished(await models.work(workspaceId, { kind: 'readFacts', ...file }));
  const { refusal, items, count, faults } = answer;
  reservation.grow(items.length);
  requireRead(refusal);
  const [first = 'the sheet has no facts: the first row has their names, and each row after it is one'] = faults;
  if (faults.length > 0 || count === 0) {
    const messages = faults.length > 0 ? faults.slice(0, maxViolations) : [first];
    throw broken(messages.map((message) => ({ in: 'body', pointer: cellOf(message), message })));
  }
  return { count, pieces: piecesOf(items), answers: new FileAnswers(reservation) };
}

/** Bytes of a piece, which are read without a pause. */
const pieceBytes = 16 * 1024;

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  const pause = createPause();
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < all.length; at += pieceBytes) {
    yield all.subarray(at, at + pieceBytes);
    await pause();
  }
}

/** The cell that a message begins with. */
const cellOf = (message: string): string => /^[^:]*![A-Z]+\d+/.exec(message)?.[0] ?? '';

interface FileWork {
  readonly run: BatchRun;
  readonly file: FileBody;
  readonly rows: FileRows;
  /** True when nobody waits for the answer any more. */
  readonly over: () => boolean;
}

/** Runs a batch, and writes its file with the answers beside the facts: their columns are known once all are there. */
export async function writeFile(
  models: ModelWork,
  { workspaceId }: FileRequest,
  { run, file, rows, over }: FileWork,
  sink: AnswerSink,
): Promise<void> {
  const { answers, count } = rows;
  let stoppedBy: Problem | undefined;
  try {
    await run.write({
      write(text, sent) {
        answers.add(String(text));
        sent();
        return undefined;
      },
    });
  } catch (error) {
    if (!(error instanceof Problem) || over()) throw error;
    stoppedBy = error;
  }
  const texts = answers.ofAll(count, stoppedBy);
  const answer = requireFinished(await models.work(workspaceId, { kind: 'writeAnswers', ...file, answers: texts }));
  answers.charge(answer.bytes.length);
  await sink.write(answer.bytes, () => undefined);
}

export const typeOfFile = ({ format }: FileBody): string =>
  format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx;
