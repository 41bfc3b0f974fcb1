/** For so long after a workspace's last execution batches of others give way to it, in milliseconds: the next one is likely. */
const rememberedMs = 50;

interface Activity {
  readonly workspaceId: string;
  at: number;
}

/** Which workspaces have single executions, whose callers wait for each: batches of other workspaces give way to them. */
export class LiveWork {
  readonly #now: () => number;
  /** The workspace that was active last, and the one before it: of any two one is not the asker's. */
  #newest: Activity = { workspaceId: '', at: -Infinity };
  #other: Activity = this.#newest;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** To be called when an execution comes, and when it is answered. */
  note(workspaceId: string): void {
    if (this.#newest.workspaceId !== workspaceId) {
      this.#other = this.#newest;
      this.#newest = { workspaceId, at: 0 };
    }
    this.#newest.at = this.#now();
  }

  /** Whether another workspace than that has single executions now, or had some within so many milliseconds. */
  besides(workspaceId: string, withinMs = rememberedMs): boolean {
    const { at } = this.#newest.workspaceId === workspaceId ? this.#other : this.#newest;
    return this.#now() - at < withinMs;
  }
}
