import { Problem } from '../../errors.js';
import { textBytes, type Reservation } from '../../admission/byteBudget.js';

/** Characters of all answers that one file takes: a thread writes a file of them well within its time. */
const mostCharacters = 16 * 1024 * 1024;

/** What an item's answer begins with (`recordedAnswer`): its id and its status stand before its result. */
const idAndStatus = /"id":("[^"]*"|null),"status":"([A-Z]*)"/;

/**
 * The answers of a batch until its file is written. Once one does not fit it is full: no further rows are to be run, and the file
 * says so in each row that has no result.
 */
export class FileAnswers {
  readonly #reservation: Reservation;
  readonly #texts: string[] = [];
  #characters = 0;
  #isFull = false;

  /** @param reservation charged with the answers */
  constructor(reservation: Reservation) {
    this.#reservation = reservation;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param lines answers of the next rows, as JSON, each with the end of its line */
  add(lines: string): void {
    for (const text of lines.split('\n')) {
      if (text !== '') this.#texts.push(this.#takes(text) ? text : withoutResult(text));
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
