import type { Logger } from 'pino';
import { textBytes, type ByteBudget, type Reservation } from '../admission/byteBudget.js';
import type { Holder, Quota } from '../admission/quota.js';
import type { Semaphores } from '../admission/semaphore.js';
import { after } from '../clock/timers.js';
import { Comparer, maxLosses, type Candidate, type CompareDependencies, type ComparedRun } from './comparer.js';
import { Tallies } from './tallies.js';

/** Executions that wait for one shadow. */
const maxWaiting = 1000;
/** So many rests are each twice as long as the one before; all later ones are as long as the last of these. */
const longerRests = 6;
/** How long executions are gathered, so that a thread has several at once. */
const gatherMs = 25;

interface ShadowDependencies extends CompareDependencies {
  readonly budget: ByteBudget;
  readonly log: Pick<Logger, 'warn'>;
  readonly stopping: AbortSignal;
  /** How long a shadow rests that has cost too many threads, the first time. */
  readonly restMs: number;
  /** Of bytes that wait for the shadows of all workspaces. */
  readonly quota: Quota;
  /** One slot for each workspace: its shadows run one piece at a time, in turn. */
  readonly turns: Semaphores;
}

interface ShadowOptions {
  readonly id: string;
  /** Workspace, environment and decision. */
  readonly route: string;
  readonly sample: number;
  readonly expiresAt: number;
  readonly candidate: Candidate;
  /** Bytes of the shadow's own request, which is held while it is served. */
  readonly bytes: number;
}

/**
 * A shadow, as a process serves it: the executions that wait for it are run a piece at a time. The pool decides whose piece is
 * next, by tenant and workspace, and the quota who may hold how many bytes.
 */
export class Shadow {
  /** Counts of its runs that are not written yet. */
  tallies = new Tallies();
  readonly #parts: ShadowDependencies;
  readonly #options: ShadowOptions;
  readonly #comparer: Comparer;
  readonly #holder: Holder;
  /** The bytes of its own request and of the executions that wait. */
  readonly #reservation: Reservation;
  readonly #waiting: ComparedRun[] = [];
  #isRunning = false;
  #ran: Promise<void> = Promise.resolve();
  /** By `performance.now()`: until then it rests, since it has cost too many threads. */
  #restsUntil = 0;
  /** How often it has rested. */
  #rests = 0;

  /** Throws `overloaded` where the workspace may not hold the bytes of the shadow's request. */
  constructor(parts: ShadowDependencies, options: ShadowOptions) {
    this.#parts = parts;
    this.#options = options;
    const { workspaceId } = options.candidate;
    this.#reservation = parts.budget.reserve(workspaceId, options.bytes);
    this.#comparer = new Comparer(parts, options.candidate);
    this.#holder = parts.quota.holderOf(parts.budget.owners.of(workspaceId));
    parts.quota.open(this.#holder);
  }

  get id(): string {
    return this.#options.id;
  }

  get route(): string {
    return this.#options.route;
  }

  get candidate(): Candidate {
    return this.#options.candidate;
  }

  /** Has an execution wait for its run, if it is in the sample; counts it as dropped where there is no room. */
  offer(run: ComparedRun): void {
    const { sample, expiresAt } = this.#options;
    if ((sample < 1 && Math.random() >= sample) || expiresAt <= Date.now()) return;
    const bytes = bytesOf(run);
    const isFull = this.#waiting.length >= maxWaiting || !this.#parts.quota.hasRoom(this.#holder, bytes);
    if (isFull || !this.#reserve(bytes)) {
      this.tallies.skip('dropped');
      return;
    }
    this.#waiting.push(run);
    this.#parts.quota.force(this.#holder, bytes);
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#reservation.retain();
    // By then the execution's answer is on its way.
    after(gatherMs, () => void (this.#ran = this.#runAll()));
  }

  /** Takes out all that waits, and counts it as dropped. */
  drop(): void {
    this.tallies.skip('dropped', this.#waiting.length);
    this.#take(this.#waiting.length);
  }

  /** The shadow has ended: nobody would read the counts of executions that still wait. */
  end(): void {
    this.#take(this.#waiting.length);
    this.#reservation.release();
    this.#parts.quota.close(this.#holder);
  }

  /** Resolves when no run is under way any more. To be called once the server stops. */
  stopped(): Promise<void> {
    return this.#ran;
  }

  #reserve(bytes: number): boolean {
    try {
      this.#reservation.grow(bytes);
      return true;
    } catch {
      return false;
    }
  }

  /** Removes the first so many of the executions that wait. */
  #take(count: number): void {
    const bytes = this.#waiting.splice(0, count).reduce((sum, run) => sum + bytesOf(run), 0);
    this.#parts.quota.giveBack(this.#holder, bytes);
    this.#reservation.shrink(bytes);
  }

  async #runAll(): Promise<void> {
    const { turns, stopping } = this.#parts;
    while (this.#waiting.length > 0 && !stopping.aborted)
      await turns.within(this.candidate.workspaceId, () => this.#runSome());
    this.#isRunning = false;
    this.#reservation.release();
  }

  async #runSome(): Promise<void> {
    if (this.#parts.stopping.aborted) return;
    if (this.#isResting()) {
      this.drop();
      return;
    }
    try {
      // What the shadow has counted so far may be written meanwhile.
      const counted = new Tallies();
      const { done } = await this.#comparer.compareSome(this.#waiting, counted, this.#reservation);
      this.tallies.merge(counted);
      this.#take(done);
    } catch (error) {
      // Its version may be gone, the workspace hold too much, or the server stop.
      this.drop();
      const { log, stopping } = this.#parts;
      if (!stopping.aborted) log.warn({ err: error, shadow: this.id }, 'a shadow could not be run');
    }
  }

  /**
   * A shadow that has cost as many threads as it may rests, each time twice as long, and then goes on: it may be one kind of fact that
   * ends threads. What comes meanwhile is counted as dropped.
   */
  #isResting(): boolean {
    const now = performance.now();
    if (now < this.#restsUntil) return true;
    if (this.#comparer.losses < maxLosses) return false;
    this.#comparer.forgive();
    this.#restsUntil = now + this.#parts.restMs * 2 ** Math.min(this.#rests, longerRests);
    this.#rests++;
    return true;
  }
}

const bytesOf = ({ fact, result }: ComparedRun): number => textBytes(result) + (fact === null ? 0 : textBytes(fact));
