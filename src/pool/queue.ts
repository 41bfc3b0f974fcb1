/** One piece of waiting work and its neighbours in its lane. */
interface Waiting<T> {
  readonly item: T;
  readonly since: number;
  readonly lane: Lane<T>;
  previous: Waiting<T> | null;
  next: Waiting<T> | null;
}

/** The waiting work of one workspace, oldest first, and its neighbours in the ring (itself, while alone). */
class Lane<T> {
  readonly workspaceId: string;
  size = 0;
  first: Waiting<T> | null = null;
  last: Waiting<T> | null = null;
  left: Lane<T> = this;
  right: Lane<T> = this;

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }
}

/**
 * Work that waits for a thread: round robin over the workspaces that have some, first in first out within one, so that a
 * flood from one workspace delays another by one run a round at most. `push`, `shift` and `ahead` take constant time.
 */
export class FairQueue<T> {
  readonly #lanes = new Map<string, Lane<T>>();
  /** The lane whose turn it is; null when nothing waits. */
  #turn: Lane<T> | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What waits of one workspace. */
  sizeOf(workspaceId: string): number {
    return this.#lanes.get(workspaceId)?.size ?? 0;
  }

  /**
   * An upper bound of what is served before new work of that workspace: its own first, and of every other workspace one
   * more than that, as turns go round; never more than all that waits.
   */
  ahead(workspaceId: string): number {
    const own = this.sizeOf(workspaceId);
    const others = this.#lanes.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + others * (own + 1));
  }

  /** @param since when it began to wait, on the clock that `expire` is called with; never before that of earlier work */
  push(workspaceId: string, item: T, since: number): void {
    const lane = this.#lanes.get(workspaceId) ?? this.#open(workspaceId);
    const waiting: Waiting<T> = { item, since, lane, previous: lane.last, next: null };
    if (lane.last === null) lane.first = waiting;
    else lane.last.next = waiting;
    lane.last = waiting;
    lane.size++;
    this.#size++;
  }

  /** The next in turn, removed; undefined when nothing waits. */
  shift(): T | undefined {
    const lane = this.#turn;
    // A lane without work is closed at once, so the second condition never holds; the compiler can't know.
    if (lane === null || lane.first === null) return undefined;
    this.#turn = lane.right;
    return this.#take(lane.first);
  }

  /** Takes out and returns what began to wait before `instant`. Looks at one item a workspace, and at those it takes. */
  expire(instant: number): T[] {
    const expired: T[] = [];
    for (const lane of this.#lanes.values()) {
      while (lane.first !== null && lane.first.since < instant) expired.push(this.#take(lane.first));
    }
    return expired;
  }

  /** Takes out and returns all that `matches`. Looks at everything that waits. */
  extract(matches: (item: T) => boolean): T[] {
    const extracted: T[] = [];
    for (const lane of this.#lanes.values()) {
      for (let waiting = lane.first; waiting !== null;) {
        const { next } = waiting;
        if (matches(waiting.item)) extracted.push(this.#take(waiting));
        waiting = next;
      }
    }
    return extracted;
  }

  #take(waiting: Waiting<T>): T {
    const { lane, previous, next } = waiting;
    if (previous === null) lane.first = next;
    else previous.next = next;
    if (next === null) lane.last = previous;
    else next.previous = previous;
    this.#size--;
    if (--lane.size === 0) this.#close(lane);
    return waiting.item;
  }

  /** A new lane is the last of the present round. */
  #open(workspaceId: string): Lane<T> {
    const lane = new Lane<T>(workspaceId);
    const turn = this.#turn;
    if (turn === null) {
      this.#turn = lane;
    } else {
      lane.right = turn;
      lane.left = turn.left;
      lane.left.right = lane;
      turn.left = lane;
    }
    this.#lanes.set(workspaceId, lane);
    return lane;
  }

  #close(lane: Lane<T>): void {
    this.#lanes.delete(lane.workspaceId);
    lane.left.right = lane.right;
    lane.right.left = lane.left;
    if (this.#turn === lane) this.#turn = lane.right === lane ? null : lane.right;
  }
}
