const openMs = 250;
/** A failure this old that was not repeated counts as over: the server may get no requests that could prove it. */
const forgottenMs = 10_000;

/**
 * Circuit breakers, one for each Redis server. Nothing is sent to a server that failed a moment ago: a hung one would
 * otherwise gather an unbounded queue of commands. The other servers of its cluster stay in use.
 */
export class Circuits {
  readonly #failedAt = new Map<string, number>();
  readonly #onChange: (healthy: boolean) => void;
  readonly #now: () => number;
  #connected = false;
  #healthy = false;

  /**
   * @param onChange called when all servers become healthy, and when they no longer are
   * @param now milliseconds of a clock that never goes back
   */
  constructor(onChange: (healthy: boolean) => void, now = () => performance.now()) {
    this.#onChange = onChange;
    this.#now = now;
  }

  get healthy(): boolean {
    this.#consider();
    return this.#healthy;
  }

  /** True when something may be sent there. */
  closed(server: string): boolean {
    if (!this.#connected) return false;
    const at = this.#failedAt.get(server);
    return at === undefined || this.#now() >= at + openMs;
  }

  worked(server: string): void {
    if (this.#failedAt.delete(server)) this.#consider();
  }

  failed(server: string): void {
    this.#failedAt.set(server, this.#now());
    this.#consider();
  }

  connected(): void {
    this.#connected = true;
    this.#failedAt.clear();
    this.#consider();
  }

  disconnected(): void {
    this.#connected = false;
    this.#consider();
  }

  /** Forgets the failures of servers that the cluster no longer has. */
  keep(servers: ReadonlySet<string>): void {
    for (const server of this.#failedAt.keys()) if (!servers.has(server)) this.#failedAt.delete(server);
    this.#consider();
  }

  #consider(): void {
    const limit = this.#now() - forgottenMs;
    for (const [server, at] of this.#failedAt) if (at < limit) this.#failedAt.delete(server);
    const healthy = this.#connected && this.#failedAt.size === 0;
    if (healthy === this.#healthy) return;
    this.#healthy = healthy;
    this.#onChange(healthy);
  }
}
