import type { QueuedRun } from './turn.js';

/** A live run within so many milliseconds means that more are likely. */
const liveMs = 50;
/** Beside live runs, how many times as long as a piece took nothing is begun after it. */
const restFactor = 20;

/**
 * Pieces of work that nobody waits for: replays and shadows. The queue has as many as those who give such work have under
 * way. Beside live runs there is a rest after each piece, so that the main thread and the database, which have work of it
 * too, are free most of the time.
 */
export class BackgroundWork {
  readonly #waiting: QueuedRun[] = [];
  readonly #lingerMs: number;
  #underWay = 0;
  #seenAt = -Infinity;
  #liveAt = -Infinity;
  #restUntil = -Infinity;

  /** @param lingerMs how long there counts as being such work after the last */
  constructor(lingerMs: number) {
    this.#lingerMs = lingerMs;
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  push(run: QueuedRun): void {
    this.#waiting.push(run);
  }

  /** The next piece, unless it is to rest. */
  take(now: number): readonly QueuedRun[] {
    return now < this.#restUntil ? [] : this.#waiting.splice(0, 1);
  }

  /** A live run begins. */
  noteLive(now: number): void {
    this.#liveAt = now;
  }

  begin(): void {
    this.#underWay++;
  }

  /** @param heldMs how long the piece held its thread */
  end(now: number, heldMs: number): void {
    this.#underWay--;
    if (now - this.#liveAt < liveMs) this.#restUntil = now + restFactor * heldMs;
  }

  /** Whether there was such work of late. To be asked every few milliseconds. */
  lately(now: number): boolean {
    if (this.#waiting.length + this.#underWay > 0) this.#seenAt = now;
    return now - this.#seenAt < this.#lingerMs;
  }

  /** Takes out all that waits. */
  clear(): readonly QueuedRun[] {
    return this.#waiting.splice(0);
  }
}
