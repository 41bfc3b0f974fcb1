import type { ModelWork } from '../../../workers/models/index.js';
import { requireFinished, requireReadInTime } from '../../decisions/programs/requireFinished.js';
import { requireRead } from '../../decisions/tables/readFile.js';
import { Problem } from '../../errors.js';
import { type Reservation, textBytes } from '../../admission/byteBudget.js';
import type { FileBody } from '../../http/body/fileBody.js';
import { fileTypes } from '../../http/body/fileTypes.js';
import { maxViolations } from '../../../workers/json/index.js';
import { broken } from '../../http/body/violations.js';
import type { AnswerSink } from '../../http/server/answerSink.js';
import { createPause } from '../../admission/pause.js';
import type { BatchRun } from './batch.js';

interface FileRequest {
  readonly workspaceId: string;
  readonly reservation: Reservation;
}

/** What a file of facts is read by. */
interface FactFile {
  readonly file: FileBody;
  /** Of the decision that is to run, as JSON: what it takes as a number is asked where it is a text. Null where nothing is to run. */
  readonly schemas: string | null;
  /** Cells with one meaning are read so, and refused where it is false. */
  readonly isMeant: boolean;
  /** Columns that are no field of the decision, and fields without a column, are not asked about. */
  readonly takesOthers: boolean;
}

/** The rows of a spreadsheet as lines of JSON, one item each. */
export interface FileRows extends Pick<FactFile, 'schemas'> {
  readonly count: number;
  readonly pieces: AsyncIterable<Buffer>;
  /** Why an item is not to run, by its place. */
  readonly refused: ReadonlyMap<number, string>;
  readonly answers: FileAnswers;
}

/** Reads a spreadsheet on a thread. Throws what a file is refused with that is none, or whose columns contradict. */
export async function readRows(
  models: ModelWork,
  { workspaceId, reservation }: FileRequest,
  { file, ...asked }: FactFile,
): Promise<FileRows> {
  const answer = requireReadInTime(await models.work(workspaceId, { kind: 'readFacts', ...file, ...asked }));
  const { refusal, items, count, faults, refused, questions } = answer;
  reservation.grow(items.length);
  requireRead(refusal);
  if (questions.length > 0)
    throw broken(questions.slice(0, maxViolations).map((message) => ({ in: 'query', pointer: '/others', message })));
  const [first = 'the sheet has no facts: the first row has their names, and each row after it is one'] = faults;
  if (faults.length > 0 || count === 0) {
    const messages = faults.length > 0 ? faults.slice(0, maxViolations) : [first];
    throw broken(messages.map((message) => ({ in: 'body', pointer: cellOf(message), message })));
  }
  return { count, schemas: asked.schemas, pieces: piecesOf(items), refused, answers: new FileAnswers(reservation) };
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
  const { answers, count, schemas } = rows;
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
  const answer = requireFinished(
    await models.work(workspaceId, { kind: 'writeAnswers', ...file, schemas, answers: texts }),
  );
  answers.charge(answer.bytes.length);
  await sink.write(answer.bytes, () => undefined);
}

export const typeOfFile = ({ format }: FileBody): string =>
  format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx;

/** Characters of all answers that one file takes: a thread writes a file of them well within its time. */
const mostCharacters = 16 * 1024 * 1024;

/** What an item's answer begins with (`recordedAnswer`): its id and its status stand before its result. */
const idAndStatus = /"id":("[^"]*"|null),"status":"([A-Z]*)"/;

/** Whether nothing came of an item that ran. */
function isNothing(text: string): boolean {
  const begin = idAndStatus.exec(text.slice(0, 4096));
  return begin?.[2] === 'COMPLETED' && text.startsWith(',"result":{},', begin.index + begin[0].length);
}

/**
 * The answers of a batch until its file is written. Once one does not fit it is full: no further rows are to be run, and the file
 * says so in each row that has no result.
 */
class FileAnswers {
  readonly #reservation: Reservation;
  readonly #texts: string[] = [];
  #characters = 0;
  #isFull = false;
  #nothings = 0;

  /** @param reservation charged with the answers */
  constructor(reservation: Reservation) {
    this.#reservation = reservation;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** Rows that ran and came to nothing. */
  get nothings(): number {
    return this.#nothings;
  }

  /** @param lines answers of the next rows, as JSON, each with the end of its line */
  add(lines: string): void {
    for (const text of lines.split('\n')) {
      if (text === '') continue;
      if (isNothing(text)) this.#nothings++;
      this.#texts.push(this.#takes(text) ? text : withoutResult(text));
    }
  }

  /** Of all rows: those that were not answered say why. @param stoppedBy what ended the batch before its last row, if something did */
  ofAll(count: number, stoppedBy?: Problem): readonly string[] {
    const reason =
      stoppedBy === undefined
        ? 'Not run: the answers of other rows take all the room that one file has. Send this row in another file.'
        : `Not answered: ${stoppedBy.message} Send the file again; with an Idempotency-Key no row is run twice.`;
    const unanswered = JSON.stringify({ id: null, status: 'FAILED', result: { error: reason } });
    return Array.from({ length: count }, (_, row) => this.#texts[row] ?? unanswered);
  }

  /** Charges the file that was made of them, in place of them. */
  charge(bytes: number): void {
    this.#reservation.shrink(textBytes({ length: this.#characters }));
    this.#reservation.resize(this.#reservation.bytes + bytes);
  }

  #takes(text: string): boolean {
    if (this.#isFull || this.#characters + text.length > mostCharacters) return this.#fill();
    try {
      this.#reservation.grow(textBytes(text));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return this.#fill();
    }
    this.#characters += text.length;
    return true;
  }

  #fill(): false {
    this.#isFull = true;
    return false;
  }
}

function withoutResult(text: string): string {
  const [, id = 'null', status = 'FAILED'] = idAndStatus.exec(text.slice(0, 4096)) ?? [];
  const error = 'The result does not fit into the file: read the execution by its id.';
  return `{"id":${id},"status":"${status}","result":{"error":"${error}"}}`;
}
