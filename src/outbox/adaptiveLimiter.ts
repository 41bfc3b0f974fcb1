import { Recent } from '../../workers/recent/index.js';
import type { JobQueue } from '../jobs/jobs.store.js';

/**
 * How many messages this process may have claimed at once; as many may be sent again when it dies. A queue whose receiver does not
 * answer gets no more once `stalled` are claimed: the rest is for those that do.
 */
const limits = { queue: 20, total: 200, stalled: 150 } as const;
const startingWidth = 4;
/** Answers within this time, in milliseconds, widen a queue's limit; slower ones narrow it. */
const briskMs = 1000;
/** Queues whose width is remembered; the least recently used ones start over. */
const maxRemembered = 10_000;

/**
 * How many messages of each queue this process may have claimed without a written outcome. The limit widens while the
 * receiver answers briskly and narrows to one while it does not, so that many slow receivers together leave room for
 * everybody else.
 */
export class AdaptiveLimiter {
  readonly #widths = new Recent<number>({ maxCount: maxRemembered });
  readonly #open = new Map<string, number>();
  #total = 0;

  /** How many more messages of the queue to claim now; 0 while too few to be worth a transaction. */
  room(queue: JobQueue): number {
    const width = this.#widthOf(queue);
    const own = width - (this.#open.get(nameOf(queue)) ?? 0);
    // A claim costs a transaction: it waits until it can bring half of what the queue's limit allows.
    if (own * 2 < width) return 0;
    // However many queues do not move, others find room.
    const most = width === 1 ? limits.stalled : limits.total;
    return Math.max(0, Math.min(own, most - this.#total));
  }

  claimed(queue: JobQueue): void {
    this.#count(nameOf(queue), 1);
  }

  /** The outcome of a claimed message was written. */
  recorded(queue: JobQueue): void {
    this.#count(nameOf(queue), -1);
  }

  answered(queue: JobQueue, { reached, ms }: { readonly reached: boolean; readonly ms: number }): void {
    const width = this.#widthOf(queue);
    const next = ms <= briskMs ? Math.min(limits.queue, width * 2) : Math.max(1, Math.floor(width / 2));
    this.#widths.set(nameOf(queue), reached ? next : 1);
  }

  #widthOf(queue: JobQueue): number {
    return this.#widths.get(nameOf(queue)) ?? startingWidth;
  }

  #count(name: string, by: 1 | -1): void {
    const next = (this.#open.get(name) ?? 0) + by;
    if (next === 0) this.#open.delete(name);
    else this.#open.set(name, next);
    this.#total += by;
  }
}

const nameOf = ({ tenantId, kind }: JobQueue): string => `${tenantId}/${kind}`;
