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

/** What a turn may have. */
export interface Turn<T> {
  /** Pieces of that workspace's work at most. */
  readonly perTurn: (workspaceId: string) => number;
  /** Whether a piece has a turn to itself. */
  readonly alone: (item: T) => boolean;
  /** Workspaces that are passed over this time. */
  readonly mayNot: (workspaceId: string) => boolean;
}

/**
 * Work that waits for a thread: round robin over the workspaces that have some, first in first out within one, so that a
 * flood from one workspace delays another by one turn a round at most. `push` and `ahead` take constant time.
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

  /** Workspaces that have waiting work. */
  get workspaces(): number {
    return this.#lanes.size;
  }

  /**
   * An upper bound of what is served before new work of that workspace: its own first, and of every other workspace one
   * turn more than that, as turns go round; never more than all that waits.
   * @param perTurn what `take` is called with
   */
  ahead(workspaceId: string, perTurn: number): number {
    const own = this.sizeOf(workspaceId);
    const others = this.#lanes.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + others * (own + perTurn));
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

  /**
   * One turn: the oldest work of the next workspace, removed; empty when nothing waits that may be taken.
   */
  take({ perTurn, alone, mayNot }: Turn<T>): T[] {
    const taken: T[] = [];
    const lane = this.#next(mayNot);
    if (lane === null) return taken;
    if (lane === this.#turn) this.#turn = lane.right;
    else this.#moveBack(lane);
    const most = perTurn(lane.workspaceId);
    while (lane.first !== null && taken.length < most) {
      const last = alone(lane.first.item);
      if (last && taken.length > 0) break;
      taken.push(this.#take(lane.first));
      if (last) break;
    }
    return taken;
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

  #next(mayNot: Turn<T>['mayNot']): Lane<T> | null {
    let lane = this.#turn;
    for (let left = this.#lanes.size; left > 0 && lane !== null; left--) {
      if (!mayNot(lane.workspaceId)) return lane;
      lane = lane.right;
    }
    return null;
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
    if (turn === null) this.#turn = lane;
    else insertBefore(turn, lane);
    this.#lanes.set(workspaceId, lane);
    return lane;
  }

  /** To the end of the round, so that lanes that were passed over keep their turn. */
  #moveBack(lane: Lane<T>): void {
    if (this.#turn === null) return;
    lane.left.right = lane.right;
    lane.right.left = lane.left;
    insertBefore(this.#turn, lane);
  }

  #close(lane: Lane<T>): void {
    this.#lanes.delete(lane.workspaceId);
    lane.left.right = lane.right;
    lane.right.left = lane.left;
    if (this.#turn === lane) this.#turn = lane.right === lane ? null : lane.right;
  }
}

function insertBefore<T>(next: Lane<T>, lane: Lane<T>): void {
  lane.right = next;
  lane.left = next.left;
  lane.left.right = lane;
  next.left = lane;
}
