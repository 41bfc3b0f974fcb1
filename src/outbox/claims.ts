import { Recent } from '../../workers/recent/index.js';
import { Semaphores } from '../admission/semaphore.js';
import type { JobQueue } from '../jobs/jobs.store.js';

/** Messages claimed at once, of a queue and in total. Beyond `stalled` a silent receiver's queue gets no more. */
const limits = { queue: 20, total: 200, stalled: 150 } as const;
const startingWidth = 4;
/** Answers within this time, in milliseconds, widen a queue's limit; slower ones narrow it. */
const briskMs = 1000;
const maxWidths = 10_000;
const all = 'all';

/** Claimed messages by queue: more while its receiver is brisk, one while it does not answer. */
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
