/** Bounds the search in one workspace's queue for work that may be taken. */
const maxLooks = 64;

/** The waiting work of one workspace, in the order in which it is to be served. */
interface WorkspaceQueue<T> {
  waiting: T[];
  weight: number;
}

/** What a turn may have. */
export interface TurnRules<T> {
  /** Pieces of work at most, by the first. */
  readonly perTurn: (first: T) => number;
  /** Whether a piece has a turn to itself. */
  readonly alone: (item: T) => boolean;
  /** Whether a piece may be taken at present; others of its workspace overtake one that may not. */
  readonly may: (item: T) => boolean;
}

/**
 * Work that waits for a thread: round robin over the workspaces that have some, first in first out within one, so that a
 * flood from one workspace delays another by one turn a round at most.
 */
export class FairQueue<T> {
  /** In the order of their turns; none is empty. */
  readonly #queues = new Map<string, WorkspaceQueue<T>>();
  readonly #weigh: (item: T) => number;
  #size = 0;

  /** @param weigh what an item weighs, which does not change while it waits */
  constructor(weigh: (item: T) => number = () => 0) {
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items of one workspace wait. */
  sizeOf(workspaceId: string): number {
    return this.#queues.get(workspaceId)?.waiting.length ?? 0;
  }

  /** The sum of their weights. */
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

  /** @param first before all work of its workspace */
  push(workspaceId: string, item: T, first = false): void {
    let queue = this.#queues.get(workspaceId);
    if (queue === undefined) this.#queues.set(workspaceId, (queue = { waiting: [], weight: 0 }));
    if (first) queue.waiting.unshift(item);
    else queue.waiting.push(item);
    queue.weight += this.#weigh(item);
    this.#size++;
  }

  /** One turn: the first work that may be taken of the next workspace that has some, removed; empty where none has. */
  take({ perTurn, alone, may }: TurnRules<T>): T[] {
    for (const [workspaceId, queue] of this.#queues) {
      const { waiting } = queue;
      const from = waiting.findIndex((item, at) => at === maxLooks || may(item));
      const first = waiting[from];
      if (first === undefined || from === maxLooks) continue;
      const most = alone(first) ? 1 : perTurn(first);
      const others = waiting.slice(from + 1, from + most);
      const end = others.findIndex((item) => !may(item) || alone(item));
      const taken = waiting.splice(from, end === -1 ? most : end + 1);
      // Its next turn is the last of the round.
      this.#queues.delete(workspaceId);
      if (waiting.length > 0) this.#queues.set(workspaceId, queue);
      this.#forget(queue, taken);
      return taken;
    }
    return [];
  }

  /** How many items match. Looks at everything that waits. */
  count(matches: (item: T) => boolean): number {
    let count = 0;
    for (const { waiting } of this.#queues.values()) for (const item of waiting) if (matches(item)) count++;
    return count;
  }

  /** Removes and returns all items that match. Looks at everything that waits. */
  extract(matches: (item: T) => boolean): T[] {
    const extracted: T[] = [];
    for (const [workspaceId, queue] of this.#queues) {
      const taken: T[] = [];
      const kept: T[] = [];
      for (const item of queue.waiting) (matches(item) ? taken : kept).push(item);
      queue.waiting = kept;
      if (kept.length === 0) this.#queues.delete(workspaceId);
      this.#forget(queue, taken);
      extracted.push(...taken);
    }
    return extracted;
  }

  #forget(queue: WorkspaceQueue<T>, removed: readonly T[]): void {
    this.#size -= removed.length;
    for (const item of removed) queue.weight -= this.#weigh(item);
  }
}
