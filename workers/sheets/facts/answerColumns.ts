import type { Row } from '../files/grid.js';
import type { PathColumn } from './columns.js';

const statuses: readonly string[] = ['COMPLETED', 'FAILED'];

/**
 * Which columns an answer has added: the last `id` and `status`, and results after them, where they stand as an answer writes them and
 * hold what it says. A fact may have such fields, too: payments have ids and are COMPLETED. Known once all rows were seen.
 */
export class AnswerColumns {
  readonly #id: number;
  readonly #status: number;
  readonly #stand: boolean;
  #isAnswered = false;
  #isOther = false;

  constructor(columns: readonly PathColumn[]) {
    const last = (name: string): number => columns.findLast(({ title }) => title === name)?.at ?? -1;
    [this.#id, this.#status] = [last('id'), last('status')];
    this.#stand =
      this.#status === this.#id + 1 && columns.some(({ at, title }) => at === this.#status + 1 && isResult(title));
  }

  see(cells: Row): void {
    const status = cells[this.#status];
    this.#isAnswered ||= statuses.includes(status ?? '');
    this.#isOther ||= ![undefined, ...statuses].includes(status) || !isUuidOrNone(cells[this.#id]);
  }

  has({ at, title }: PathColumn): boolean {
    if (!this.#stand || !this.#isAnswered || this.#isOther) return false;
    return at === this.#id || at === this.#status || (at > this.#status && isResult(title));
  }
}

const isResult = (title: string): boolean => /^result(?:$|[.[])/.test(title);

const isUuidOrNone = (cell: string | undefined): boolean =>
  cell === undefined || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cell);
