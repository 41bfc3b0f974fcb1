/** Pieces of one workspace's work that are looked at for one that may be taken: looking takes time too. */
const maxLooks = 64;

/** One piece of waiting work and its neighbours in its workspace's queue. */
interface Waiting<T> {
  readonly item: T;
  readonly since: number;
  readonly weight: number;
  readonly queue: WorkspaceQueue<T>;
  previous: Waiting<T> | null;
  next: Waiting<T> | null;
}

/** The waiting work of one workspace, oldest first, and its neighbours in the ring (itself, while alone). */
class WorkspaceQueue<T> {
  readonly workspaceId: string;
  size = 0;
  weight = 0;
  first: Waiting<T> | null = null;
  last: Waiting<T> | null = null;
  left: WorkspaceQueue<T> = this;
  right: WorkspaceQueue<T> = this;

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }
}

/** What a turn may have. */
export interface Turn<T> {
  /** Pieces of work at most, by the first. */
  readonly perTurn: (first: T) => number;
  /** Whether a piece has a turn to itself. */
  readonly alone: (item: T) => boolean;
  /** Whether a piece may be taken at present; others of its workspace overtake one that may not. */
  readonly may: (item: T) => boolean;
}

/**
 * Work that waits for a thread: round robin over the workspaces that have some, first in first out within one, so that a
 * flood from one workspace delays another by one turn a round at most. `push` and `ahead` take constant time.
 */
export class FairQueue<T> {
  readonly #queues = new Map<string, WorkspaceQueue<T>>();
  /** The queue whose turn it is; null when nothing waits. */
  #turn: WorkspaceQueue<T> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What waits of one workspace. */
  sizeOf(workspaceId: string): number {
    return this.#queues.get(workspaceId)?.size ?? 0;
  }

  /** The sum of what that work was pushed with. */
  weightOf(workspaceId: string): number {
    return this.#queues.get(workspaceId)?.weight ?? 0;
  }

  /** Workspaces that have waiting work. */
  get workspaces(): number {
    return this.#queues.size;
  }

  /**
   * An upper bound of what is served before new work of that workspace: its own first, and of every other workspace one
   * turn more than that, as turns go round; never more than all that waits.
   * @param perTurn what `take` is called with
   */
  ahead(workspaceId: string, perTurn: number): number {
    const own = this.sizeOf(workspaceId);
    const others = this.#queues.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + others * (own + perTurn));
  }

  /** @param since when it began to wait, on the clock that `expire` is called with; never before that of earlier work */
  push(workspaceId: string, item: T, since: number, weight = 0): void {
    const queue = this.#queues.get(workspaceId) ?? this.#open(workspaceId);
    const waiting: Waiting<T> = { item, since, weight, queue, previous: queue.last, next: null };
    if (queue.last === null) queue.first = waiting;
    else queue.last.next = waiting;
    queue.last = waiting;
    queue.size++;
    queue.weight += weight;
    this.#size++;
  }

  /** One turn: the oldest work that may be taken of the next workspace that has some, removed; empty where none has. */
  take({ perTurn, alone, may }: Turn<T>): T[] {
    const taken: T[] = [];
    let waiting = this.#next(may);
    if (waiting === null) return taken;
    const { queue } = waiting;
    if (queue === this.#turn) this.#turn = queue.right;
    else this.#moveBack(queue);
    const most = perTurn(waiting.item);
    while (waiting !== null && taken.length < most) {
      const { item, next }: Waiting<T> = waiting;
      const last = alone(item);
      if (taken.length > 0 && (last || !may(item))) break;
      taken.push(this.#take(waiting));
      if (last) break;
      waiting = next;
    }
    return taken;
  }

  /** Takes out and returns what began to wait before `instant`. Looks at one item a workspace, and at those it takes. */
  expire(instant: number): T[] {
    const expired: T[] = [];
    for (const queue of this.#queues.values()) {
      while (queue.first !== null && queue.first.since < instant) expired.push(this.#take(queue.first));
    }
    return expired;
  }

  /** How much `matches`. Looks at everything that waits. */
  count(matches: (item: T) => boolean): number {
    let count = 0;
    for (const { first } of this.#queues.values()) {
      for (let waiting = first; waiting !== null; waiting = waiting.next) if (matches(waiting.item)) count++;
    }
    return count;
  }

  /** Takes out and returns all that `matches`. Looks at everything that waits. */
  extract(matches: (item: T) => boolean): T[] {
    const extracted: T[] = [];
    for (const queue of this.#queues.values()) {
      for (let waiting = queue.first; waiting !== null;) {
        const { next } = waiting;
        if (matches(waiting.item)) extracted.push(this.#take(waiting));
        waiting = next;
      }
    }
    return extracted;
  }

  #next(may: Turn<T>['may']): Waiting<T> | null {
    let queue = this.#turn;
    for (let left = this.#queues.size; left > 0 && queue !== null; left--) {
      let waiting = queue.first;
      for (let look = 0; look < maxLooks && waiting !== null; look++) {
        if (may(waiting.item)) return waiting;
        waiting = waiting.next;
      }
      queue = queue.right;
    }
    return null;
  }

  #take(waiting: Waiting<T>): T {
    const { queue, previous, next, weight } = waiting;
    if (previous === null) queue.first = next;
    else previous.next = next;
    if (next === null) queue.last = previous;
    else next.previous = previous;
    this.#size--;
    queue.weight -= weight;
    if (--queue.size === 0) this.#close(queue);
    return waiting.item;
  }

  /** A new queue is the last of the present round. */
  #open(workspaceId: string): WorkspaceQueue<T> {
    const queue = new WorkspaceQueue<T>(workspaceId);
    const turn = this.#turn;
    if (turn === null) this.#turn = queue;
    else insertBefore(turn, queue);
    this.#queues.set(workspaceId, queue);
    return queue;
  }

  /** To the end of the round, so that queues that were passed over keep their turn. */
  #moveBack(queue: WorkspaceQueue<T>): void {
    if (this.#turn === null) return;
    queue.left.right = queue.right;
    queue.right.left = queue.left;
    insertBefore(this.#turn, queue);
  }

  #close(queue: WorkspaceQueue<T>): void {
    this.#queues.delete(queue.workspaceId);
    queue.left.right = queue.right;
    queue.right.left = queue.left;
    if (this.#turn === queue) this.#turn = queue.right === queue ? null : queue.right;
  }
}

function insertBefore<T>(next: WorkspaceQueue<T>, queue: WorkspaceQueue<T>): void {
  queue.right = next;
  queue.left = next.left;
  queue.left.right = queue;
  next.left = queue;
}
