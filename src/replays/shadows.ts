import type { Logger } from 'pino';
import { textBytes } from '../admission/byteBudget.js';
import { Quota } from '../admission/quota.js';
import { Semaphores } from '../admission/semaphore.js';
import type { LiveExecution, ExecutionObserver } from '../runs/liveExecution.js';
import { PollLoop } from '../clock/pollLoop.js';
import type { CompareDependencies } from './comparer.js';
import { settingsOf } from './replayPlan.js';
import { Shadow } from './shadow.js';
import type { CreateShadow } from './shadows.schema.js';
import { addTallies, listRunningShadows, readShadowRequests, type ShadowRequest } from './shadows.store.js';
import { Tallies } from './tallies.js';

interface Dependencies extends CompareDependencies {
  readonly log: Pick<Logger, 'warn'>;
  /** How often shadows are looked for, and counts written, in milliseconds. */
  readonly pollMs: number;
  /** How long a shadow rests that has cost too many threads, the first time. */
  readonly restMs: number;
}

/** Bytes of the executions that wait in a process; a workspace that is alone may have 16 MiB of them. */
const maxBytes = 44 * 1024 * 1024;
/** How many shadows a process serves, and how many of their requests it reads at once. */
const maxServed = 1000;
const readAtOnce = 20;

/** The shadows of a process: it runs the executions that it has answered on other versions too, when there is time. */
export class Shadows implements ExecutionObserver {
  readonly #parts: Dependencies;
  readonly #served = new Map<string, Shadow>();
  /** The same by workspace, environment and decision. */
  #byRoute = new Map<string, Shadow[]>();
  /** Shadows that have ended, whose counts are still to be written. */
  readonly #ended = new Set<Shadow>();
  readonly #shared = { quota: new Quota(maxBytes), turns: new Semaphores(() => 1) };
  #refreshing: Promise<void> = Promise.resolve();
  #nextRefresh: Promise<void> | undefined;
  readonly #loop: PollLoop;

  constructor(parts: Dependencies) {
    this.#parts = parts;
    this.#loop = new PollLoop({
      pollMs: parts.pollMs,
      round: async () => {
        await this.#writeAll();
        await this.refresh();
        return false;
      },
      failed: (error) => parts.log.warn({ err: error }, 'shadows cannot be read or written right now'),
    });
  }

  offer(run: LiveExecution): void {
    if (this.#byRoute.size === 0) return;
    const shadows = this.#byRoute.get(routeOf(run));
    if (shadows === undefined || this.#loop.stopping.aborted) return;
    const { id, reference, version, status, fact, selection, result, context } = run;
    const { clock, seed, factRedacted } = context;
    const completed = status === 'COMPLETED';
    const recorded = { id, reference, version, completed, fact, selection, factRedacted, result, clock, seed };
    for (const shadow of shadows) shadow.offer(recorded);
  }

  /**
   * Reads which shadows run. To be awaited after a change of them: a read that begins after the call sees the change. There is one read
   * at a time, and one that waits for it, which all calls meanwhile share.
   */
  refresh(): Promise<void> {
    this.#nextRefresh ??= this.#refreshing
      .catch(() => undefined)
      .then(() => {
        this.#nextRefresh = undefined;
        return (this.#refreshing = this.#read());
      });
    return this.#nextRefresh;
  }

  async #read(): Promise<void> {
    const running = new Set(await listRunningShadows(this.#parts.database, maxServed));
    for (const shadow of this.#served.values()) if (!running.has(shadow.id)) this.#end(shadow);
    const added = [...running].filter((id) => !this.#served.has(id));
    for (let from = 0; from < added.length; from += readAtOnce) {
      const requests = await readShadowRequests(this.#parts.database, added.slice(from, from + readAtOnce));
      for (const request of requests) this.#serve(request);
    }
  }

  #serve({ id, workspaceId, request, expiresAt }: ShadowRequest): void {
    const { environmentId, decisionId, version, sample, ...comparison } = JSON.parse(request) as CreateShadow;
    const candidate = { workspaceId, environmentId, decisionId, version, settings: settingsOf(comparison) };
    const route = routeOf(candidate);
    const bytes = textBytes(request);
    try {
      const shadow = new Shadow(
        { ...this.#parts, ...this.#shared, stopping: this.#loop.stopping },
        { id, route, sample, expiresAt: expiresAt.getTime(), candidate, bytes },
      );
      this.#served.set(id, shadow);
      this.#byRoute.set(route, [...(this.#byRoute.get(route) ?? []), shadow]);
    } catch (error) {
      this.#parts.log.warn({ err: error, shadow: id }, 'a shadow is served later');
    }
  }

  /** Offers it nothing from now on; its last counts are still written. */
  #end(shadow: Shadow): void {
    const { id, route } = shadow;
    this.#served.delete(id);
    const others = (this.#byRoute.get(route) ?? []).filter((other) => other !== shadow);
    if (others.length > 0) this.#byRoute.set(route, others);
    else this.#byRoute.delete(route);
    shadow.end();
    this.#ended.add(shadow);
  }

  async #writeAll(): Promise<void> {
    for (const shadow of [...this.#served.values(), ...this.#ended]) await this.#write(shadow);
  }

  async #write(shadow: Shadow): Promise<void> {
    const { id, tallies, candidate } = shadow;
    shadow.tallies = new Tallies();
    try {
      if (!tallies.isEmpty) {
        const ref = { workspaceId: candidate.workspaceId, id };
        await addTallies(this.#parts.database, ref, tallies, candidate.settings);
      }
      this.#ended.delete(shadow);
    } catch (error) {
      // Nothing was written: these counts are written with the next ones.
      shadow.tallies.merge(tallies);
      throw error;
    }
  }

  start(): void {
    this.#loop.start();
  }

  /** Counts what was not run as dropped, and writes all counts. */
  async stop(): Promise<void> {
    await Promise.all([this.#loop.stop(), ...Array.from(this.#served.values(), (shadow) => shadow.stopped())]);
    for (const shadow of this.#served.values()) shadow.drop();
    await this.#writeAll().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'counts of shadows were lost');
    });
  }
}

const routeOf = ({
  workspaceId,
  environmentId,
  decisionId,
}: Pick<LiveExecution, 'workspaceId' | 'environmentId' | 'decisionId'>): string =>
  `${workspaceId}/${environmentId}/${decisionId}`;
