import type { Reservation } from '../../admission/byteBudget.js';
import type { AnswerSink } from '../../http/server/answerSink.js';
import { maxTogether } from '../../admission/constants.js';
import { Semaphore } from '../../admission/semaphore.js';
import type { Deployed } from '../execute.js';
import type { RequestOrigin } from '../responseBody.js';
import type { ItemAnswer } from './answers.js';
import { bytesOf, type FaultyItem, type Item } from './item.js';

/** What is the same for all items of a batch. */
export interface Batch extends Deployed {
  readonly origin: Omit<RequestOrigin, 'reference'>;
  /** The path, which is a part of what an Idempotency-Key was used for. */
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly reservation: Reservation;
  /** True when no more items are to begin: the client has gone, or the server stops. */
  readonly over: () => boolean;
}

/** Items in their order. The bytes of their texts are the batch's until they are given out, and then their chunk's. */
export interface ItemSource {
  /** The next ones that are there, one at least; none at the end. @param most of them */
  next(most: number): Promise<readonly (Item | FaultyItem)[]>;
}

/** Between and around the items' answers. */
export interface Framing {
  readonly head: string;
  /** @param first none were framed before */
  readonly answers: (texts: readonly string[], first: boolean) => string;
  readonly end: (counts: Counts) => string;
}

interface Counts {
  readonly completed: number;
  readonly failed: number;
}

/** Chunks of a batch under way at once, from their reading to the last byte of their answers. */
const chunksAtOnce = maxTogether / 4;

interface BatchWork {
  readonly batch: Batch;
  readonly source: ItemSource;
  readonly framing: Framing;
  /** Items of the next chunk. */
  readonly chunkSize: () => number;
  /** Runs items, and gives the answers of all, in order; rejects where the batch can't go on. */
  readonly runChunk: (items: readonly (Item | FaultyItem)[], held: Reservation) => Promise<readonly ItemAnswer[]>;
}

/**
 * Reads items in chunks, runs chunks side by side, and writes their answers in order. A slow reader holds the next
 * chunks up, and so the reading of the request: no more is held than some chunks, however long the batch is.
 */
export class BatchRun {
  readonly #work: BatchWork;
  readonly #slots = new Semaphore(() => (this.#failure === undefined ? chunksAtOnce : Infinity));
  #failure: unknown;
  #running = 0;
  #completed = 0;
  #failed = 0;

  constructor(work: BatchWork) {
    this.#work = work;
  }

  /** Chunks are run or recorded, so that the client has to wait. */
  get isWorking(): boolean {
    return this.#running > 0;
  }

  /** Rejects when the batch was cut off; the answers written until then stand. */
  async write(sink: AnswerSink): Promise<void> {
    const { batch, source, framing, chunkSize } = this.#work;
    if (framing.head !== '') await sink.write(framing.head, nothing);
    let written = Promise.resolve();
    try {
      for (;;) {
        await this.#slots.acquire();
        if (this.#failure !== undefined) break;
        if (batch.over()) throw new Error('the batch was cut off');
        const items = await source.next(chunkSize());
        if (items.length === 0) break;
        const held = batch.reservation.split(bytesOf(items));
        const answers = this.#run(items, held);
        // Its failure is met when it is the next to be written.
        answers.catch(nothing);
        written = written
          .then(async () => this.#answer(sink, await answers, held))
          .catch((error: unknown) => this.#fail(error, held));
      }
    } catch (error) {
      this.#failure ??= error;
    }
    await written;
    if (this.#failure !== undefined) throw this.#failure as Error;
    await sink.write(framing.end({ completed: this.#completed, failed: this.#failed }), nothing);
  }

  async #run(items: readonly (Item | FaultyItem)[], held: Reservation): Promise<readonly ItemAnswer[]> {
    this.#running++;
    try {
      return await this.#work.runChunk(items, held);
    } finally {
      this.#running--;
    }
  }

  async #answer(sink: AnswerSink, answers: readonly ItemAnswer[], held: Reservation): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure as Error;
    const first = this.#completed + this.#failed === 0;
    for (const { completed } of answers) {
      if (completed) this.#completed++;
      else this.#failed++;
    }
    const text = this.#work.framing.answers(
      answers.map((answer) => answer.text),
      first,
    );
    await sink.write(text, () => {
      held.release();
      this.#slots.release();
    });
  }

  #fail(error: unknown, held: Reservation): void {
    this.#failure ??= error;
    held.release();
    this.#slots.release();
  }
}

const nothing = (): void => undefined;
