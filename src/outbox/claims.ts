import { Recent } from '../../workers/recent/index.js';
import { Semaphores } from '../admission/semaphore.js';
import type { JobQueue } from '../jobs/jobs.store.js';

/**
 * How many messages this process may have claimed at once, of one queue and in total; as many may be sent again when it dies. Once
 * `stalled` are claimed, a queue whose receiver does not answer gets no more: the rest is for queues whose receivers do.
 */
const limits = { queue: 20, total: 200, stalled: 150 } as const;
const startingWidth = 4;
/** Answers within this time, in milliseconds, widen a queue's limit; slower ones narrow it. */
const briskMs = 1000;
/** Queues whose width is remembered; the least recently used ones start over. */
const maxWidths = 10_000;
/** Stands for the messages of all queues. */
const all = 'all';

/**
 * The messages of each queue that this process has claimed, without a written outcome. A queue may have more of them while its
 * receiver answers briskly, and only one while it does not, so that many slow receivers together leave room for everybody else.
 */
export class Claims {
  readonly #widths = new Recent<number>({ maxCount: maxWidths });
  readonly #claimed = new Semaphores((name) => this.#widthOf(name));

  /** How many more messages of the queue to claim now; 0 while too few to be worth a transaction. */
  room(queue: JobQueue): number {
    const name = nameOf(queue);
    const width = this.#widthOf(name);
    const own = width - this.#claimed.taken(name);
    // A claim costs a transaction: it waits until it can bring half of what the queue's limit allows.
    if (own * 2 < width) return 0;
    // Queues whose receivers do not answer never take all the room together.
    const most = width === 1 ? limits.stalled : limits.total;
    return Math.max(0, Math.min(own, most - this.#claimed.taken(all)));
  }

  claimed(queue: JobQueue): void {
    for (const name of [nameOf(queue), all]) this.#claimed.force(name);
  }

  /** The outcome of a claimed message was written. */
  recorded(queue: JobQueue): void {
    for (const name of [nameOf(queue), all]) this.#claimed.release(name);
  }

  answered(queue: JobQueue, { reached, ms }: { readonly reached: boolean; readonly ms: number }): void {
    const name = nameOf(queue);
    const width = this.#widthOf(name);
    const next = ms <= briskMs ? Math.min(limits.queue, width * 2) : Math.max(1, Math.floor(width / 2));
    this.#widths.set(name, reached ? next : 1);
  }

  #widthOf(name: string): number {
    return this.#widths.get(name) ?? startingWidth;
  }
}

const nameOf = ({ tenantId, kind }: JobQueue): string => `${tenantId}/${kind}`;
