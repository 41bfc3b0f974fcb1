import type { Logger } from 'pino';
import type { PoolsStatus } from '../admin/administered.js';
import { after, pause } from '../clock/timers.js';
import { Child } from './child.js';
import type { Order } from './messages.js';

const firstPauseMs = 100;
const lastPauseMs = 5000;
/** A process that served this long did not fail at its start: its successor is started at once. */
const soundMs = 5000;
const lookMs = 2000;
/** Health checks in a row without an answer after which a process counts as hung. */
const maxMisses = 5;

interface ProcessGroupOptions {
  readonly size: number;
  /** Environment variables of a process that starts now. */
  readonly environment: () => Readonly<Record<string, string>>;
  /** The pools of all processes, for one that asks. */
  readonly readPools: () => Promise<PoolsStatus>;
  readonly log: Logger;
}

/** The server processes, kept at their number: one that dies, or hangs, is replaced while the others serve. */
export class ProcessGroup {
  readonly #options: ProcessGroupOptions;
  readonly #children = new Set<Child>();
  #stopping = false;
  #restarts = 0;
  #port = 0;

  constructor(options: ProcessGroupOptions) {
    this.#options = options;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** The port that all processes listen on; 0 until they do. */
  get port(): number {
    return this.#port;
  }

  /** The processes that serve. */
  get serving(): Child[] {
    return [...this.#children].filter(({ serving }) => serving);
  }

  /** Starts all of them; resolves when they serve. Rejects when one can't even start, and then none is left. */
  async start(): Promise<void> {
    const first = Array.from({ length: this.#options.size }, () => this.#fork());
    const serving = await Promise.all(first.map(({ ready }) => ready));
    if (serving.includes(false)) {
      this.#stopping = true;
      for (const child of this.#children) child.signal('SIGKILL');
      await this.#gone();
      throw new Error('A server process did not start; the reason is above.');
    }
    this.#port = first[0]?.port ?? 0;
    for (const child of first) void this.#keep(child, performance.now());
  }

  /** Sends the order to all, those that are still starting included. */
  tell(order: Order): void {
    for (const child of this.#children) child.tell(order);
  }

  /** Has all of them drain; resolves when the last is gone, with whether all that served ended in order. */
  async stop(withinMs: number): Promise<boolean> {
    this.#stopping = true;
    const children = [...this.#children];
    const { serving } = this;
    for (const child of children) child.signal('SIGTERM');
    const cancel = after(withinMs, () => children.forEach((child) => child.signal('SIGKILL')));
    await Promise.all(children.map(({ ended }) => ended));
    cancel();
    // One that was still starting had no requests, and is ended by the signal, which it does not handle yet.
    const ends = await Promise.all(serving.map(({ ended }) => ended));
    return ends.every(({ code, signal }) => code === 0 && signal === null);
  }

  #fork(): Child {
    const child = new Child(this.#options.environment(), this.#options.readPools);
    this.#children.add(child);
    void child.ended.then(({ err }) => {
      this.#children.delete(child);
      if (err !== undefined) this.#options.log.error({ err }, 'a server process could not be started');
    });
    return child;
  }

  async #gone(): Promise<void> {
    await Promise.all([...this.#children].map(({ ended }) => ended));
  }

  /** One slot of the group: whichever process holds it is watched, and replaced when it ends. */
  async #keep(child: Child, since: number): Promise<void> {
    const { log } = this.#options;
    let holder = child;
    let begun = since;
    for (let pauseMs = 0; ;) {
      void this.#watch(holder);
      void this.#relieve(holder);
      const { code, signal, err } = await holder.ended;
      if (this.#stopping) return;
      pauseMs = performance.now() - begun >= soundMs ? 0 : Math.min(lastPauseMs, pauseMs * 2 || firstPauseMs);
      if (err === undefined) {
        this.#restarts++;
        const { pid } = holder;
        log.error({ pid, code, signal, pauseMs }, 'a server process ended by itself; another takes its place');
      }
      if (pauseMs > 0) await pause(pauseMs);
      // A signal to stop may have come while this slept.
      if (this.#isStopping()) return;
      holder = this.#fork();
      begun = performance.now();
    }
  }

  #isStopping(): boolean {
    return this.#stopping;
  }

  /**
   * Kills a process whose event loop is blocked: it would keep its connections, and accept more. Also one on another port
   * than all: where PORT is 0 and the last of the others died before it listened.
   */
  async #watch(child: Child): Promise<void> {
    if (!(await child.ready)) return;
    if (child.port !== this.#port) child.signal('SIGKILL');
    for (let misses = 0; this.#children.has(child) && !this.#stopping;) {
      await pause(lookMs);
      misses = (await child.ask('pool')) === undefined ? misses + 1 : 0;
      if (misses < maxMisses || !this.#children.has(child)) continue;
      this.#options.log.error({ pid: child.pid }, 'a server process does not answer any more and is killed');
      child.signal('SIGKILL');
      return;
    }
  }

  /**
   * Drains a process without free descriptors: its new connections are closed at once, while others could serve them.
   */
  async #relieve(child: Child): Promise<void> {
    await child.exhausted;
    if (this.#stopping) return;
    const { pid } = child;
    this.#options.log.error({ pid }, 'a server process has no descriptor left (ulimit -n): it is drained and replaced');
    child.signal('SIGTERM');
  }
}
