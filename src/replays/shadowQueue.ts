import type { Logger } from 'pino';
import type { ComparisonSettings } from '../../workers/models/index.js';
import { textBytes, type ByteBudget, type Reservation } from '../admission/byteBudget.js';
import type { Holder, Quota } from '../admission/quota.js';
import { after } from '../clock/timers.js';
import { maxLosses, type Comparer, type ComparedRun } from './comparer.js';
import { Tallies } from './tallies.js';

/** Executions that wait for one shadow. */
const maxWaiting = 1000;
/** Charged as long as anything waits or is run. */
const bytesOfQueue = 1024;
/** Of how many rests each is twice as long as the one before. */
const longerRests = 6;
/** How long executions are gathered, so that a thread has several at once. */
const gatherMs = 25;

/** A shadow, as a process serves it. */
export interface Served {
  readonly id: string;
  readonly workspaceId: string;
  /** Workspace, environment and decision. */
  readonly route: string;
  readonly sample: number;
  readonly expiresAt: number;
  readonly settings: ComparisonSettings;
  /** Of what is served, for as long as it is. */
  readonly reservation: Reservation;
  readonly queue: ShadowQueue;
  readonly comparer: Comparer;
  readonly waiting: ComparedRun[];
  /** It has cost so many threads that it rests until then, as `performance.now` has it. */
  restsUntil: number;
  /** How often it has rested. */
  rests: number;
  tallies: Tallies;
}

export interface QueueDependencies {
  readonly budget: ByteBudget;
  readonly log: Pick<Logger, 'warn'>;
  readonly stopping: AbortSignal;
  /** How long a shadow rests that has cost too many threads, the first time. */
  readonly restMs: number;
  /** Of bytes that wait in the queues of all workspaces. */
  readonly quota: Quota;
}

/**
 * The executions of one workspace that wait for its shadows. They are run a piece at a time, of each shadow in turn; the
 * pool decides between workspaces, and the quota who may hold how many bytes.
 */
export class ShadowQueue {
  readonly shadows = new Set<Served>();
  readonly #parts: QueueDependencies;
  readonly #workspaceId: string;
  readonly #holder: Holder;
  /** Of what waits, while something does or is run. */
  #reservation: Reservation | undefined;
  #pumped: Promise<void> = Promise.resolve();

  constructor(parts: QueueDependencies, workspaceId: string) {
    this.#parts = parts;
    this.#workspaceId = workspaceId;
    this.#holder = parts.quota.holderOf(parts.budget.owners.of(workspaceId));
    parts.quota.open(this.#holder);
  }

  /** There is no shadow, and nothing is run. */
  get isIdle(): boolean {
    return this.shadows.size === 0 && this.#reservation === undefined;
  }

  /** To be called once it is idle, and offered nothing more. */
  close(): void {
    this.#parts.quota.close(this.#holder);
  }

  offer(shadow: Served, run: ComparedRun): void {
    const bytes = bytesOf(run);
    const isFull = shadow.waiting.length >= maxWaiting || !this.#parts.quota.hasRoom(this.#holder, bytes);
    if (isFull || !this.#reserve(bytes)) shadow.tallies.skip('dropped');
    else {
      shadow.waiting.push(run);
      this.#parts.quota.force(this.#holder, bytes);
    }
  }

  #reserve(bytes: number): boolean {
    try {
      if (this.#reservation !== undefined) this.#reservation.grow(bytes);
      else {
        const reservation = this.#parts.budget.reserve(this.#workspaceId, bytes + bytesOfQueue);
        this.#reservation = reservation;
        // Its answer is on its way by then.
        after(gatherMs, () => (this.#pumped = this.#pump(reservation)));
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Takes the first so many out of the queue. */
  #take(shadow: Served, count: number): void {
    const bytes = shadow.waiting.splice(0, count).reduce((sum, run) => sum + bytesOf(run), 0);
    this.#parts.quota.giveBack(this.#holder, bytes);
    this.#reservation?.shrink(bytes);
  }

  /** Takes out all that waits for the shadow, and counts it as dropped. */
  drop(shadow: Served): void {
    shadow.tallies.skip('dropped', shadow.waiting.length);
    this.#take(shadow, shadow.waiting.length);
  }

  /** It has ended: what waits for it has nobody to tell. */
  remove(shadow: Served): void {
    this.shadows.delete(shadow);
    this.#take(shadow, shadow.waiting.length);
    shadow.reservation.release();
  }

  /** Resolves when nothing is run any more; to be called once the server stops. */
  stopped(): Promise<void> {
    return this.#pumped;
  }

  /** Runs what waits, a piece of each shadow in turn, until nothing does. @param reservation of what waits */
  async #pump(reservation: Reservation): Promise<void> {
    for (let found = true; found && !this.#parts.stopping.aborted;) {
      found = false;
      for (const shadow of this.shadows) {
        if (shadow.waiting.length === 0) continue;
        found = true;
        await this.#compare(shadow, reservation);
      }
    }
    reservation.release();
    this.#reservation = undefined;
  }

  /**
   * A shadow that has cost as many threads as it may rests, each time twice as long, and then goes on: it may be one kind of fact that
   * ends threads. What comes meanwhile is counted as dropped.
   */
  #isResting(shadow: Served): boolean {
    const now = performance.now();
    if (now < shadow.restsUntil) return true;
    if (shadow.comparer.losses < maxLosses) return false;
    shadow.comparer.forgive();
    shadow.restsUntil = now + this.#parts.restMs * 2 ** Math.min(shadow.rests, longerRests);
    shadow.rests++;
    return true;
  }

  async #compare(shadow: Served, reservation: Reservation): Promise<void> {
    if (this.#isResting(shadow)) {
      this.drop(shadow);
      return;
    }
    try {
      // What the shadow has counted so far may be written meanwhile.
      const counted = new Tallies();
      const { done } = await shadow.comparer.compareSome(shadow.waiting, counted, reservation);
      shadow.tallies.merge(counted);
      this.#take(shadow, done);
    } catch (error) {
      // Its version may be gone, the workspace hold too much, or the server stop.
      this.drop(shadow);
      const { log, stopping } = this.#parts;
      if (!stopping.aborted) log.warn({ err: error, shadow: shadow.id }, 'a shadow could not be run');
    }
  }
}

const bytesOf = ({ fact, result }: ComparedRun): number => textBytes(result) + (fact === null ? 0 : textBytes(fact));
