/** A run that is on a thread for as long, in milliseconds, makes its workspace a heavy one. */
export const heavyRunMs = 200;
/**
 * Workspaces of which a run lately held a thread for long, or ended one. Theirs never have all threads together, so that
 * endless loops of some delay nobody else; while there are any, the pool has one thread more.
 */
export class HeavyWorkspaces {
  /** How long a workspace stays heavy after its last such run. */
  readonly forgetMs: number;
  /** By the time of their last mark, oldest first. */
  readonly #markedAt = new Map<string, number>();

  constructor(forgetMs = 60_000) {
    this.forgetMs = forgetMs;
  }

  get size(): number {
    return this.#markedAt.size;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#markedAt.keys();
  }

  has(workspaceId: string): boolean {
    return this.#markedAt.size > 0 && this.#markedAt.has(workspaceId);
  }

  mark(workspaceId: string, now: number): void {
    this.#markedAt.delete(workspaceId);
    this.#markedAt.set(workspaceId, now);
  }

  /** Lets go of those that have had no such run for that long. */
  forget(now: number): void {
    for (const [workspaceId, markedAt] of this.#markedAt) {
      if (markedAt > now - this.forgetMs) return;
      this.#markedAt.delete(workspaceId);
    }
  }
}
