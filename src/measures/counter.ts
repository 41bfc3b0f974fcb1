import type { Reservation } from '../http/body/byteBudget.js';
import type { LiveRun } from '../runs/liveRun.js';
import { idToBytes, newId } from '../storage/ids.js';
import { EngineTimes } from './engineTimes.js';
import { FieldCounts } from './fieldCounts.js';
import type { Addition } from './measures.store.js';

export const hourMs = 60 * 60 * 1000;
export const hourOf = (at: number): number => at - (at % hourMs);

/** What is counted apart from the rest. */
export type Counted = Pick<LiveRun, 'workspaceId' | 'environmentId' | 'decisionId' | 'version'>;

/** Results that wait to be counted until it is known which of their fields are. */
const maxPending = { results: 1000, characters: 256 * 1024 };

/**
 * The executions of a decision's version in an environment within an hour, as far as one process has counted them. What it
 * has counted is added to its row now and then, and forgotten here: whatever is erased there stays erased.
 */
export class Counter {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly #partId = idToBytes(newId());
  #times = new EngineTimes();
  #count = 0;
  #failed = 0;
  #idleLooks = 0;
  /** Null where none is counted. */
  #fields: readonly FieldCounts[] | null = null;
  #pointers: readonly string[] = [];
  #pending: string[] | null = [];
  #pendingCharacters = 0;
  /** What was taken to be written, and may not be. */
  #taken: Addition | undefined;
  #takenBefore = 0;
  #reservation: Reservation | undefined;

  constructor({ workspaceId, environmentId, decisionId, version }: Counted, hour: number) {
    this.workspaceId = workspaceId;
    this.environmentId = environmentId;
    this.decisionId = decisionId;
    this.version = version;
    this.from = hour;
    this.until = hour + hourMs;
  }

  isOf({ environmentId, decisionId, version }: Counted, at: number): boolean {
    return (
      at < this.until &&
      at >= this.from &&
      version === this.version &&
      decisionId === this.decisionId &&
      environmentId === this.environmentId
    );
  }

  /** On the way of every execution: additions alone, unless fields are counted. */
  count({ status, engineUs, result }: Pick<LiveRun, 'status' | 'engineUs' | 'result'>): void {
    this.#count++;
    this.#times.record(engineUs);
    if (status === 'FAILED') this.#failed++;
    else if (this.#fields !== null) for (const field of this.#fields) field.count(result);
    else if (this.#pending !== null) this.#keep(result);
  }

  #keep(result: string): void {
    const characters = this.#pendingCharacters + result.length;
    if (this.#pending === null || this.#pending.length >= maxPending.results || characters > maxPending.characters)
      return;
    this.#pending.push(result);
    this.#pendingCharacters = characters;
  }

  /** It is not known yet which fields are counted. */
  get waits(): boolean {
    return this.#pending !== null;
  }

  /** Of the fields that are counted. */
  get pointers(): readonly string[] {
    return this.#pointers;
  }

  /** Counts these fields from its beginning on. @param reservation for them, released with the counter */
  begin(pointers: readonly string[], reservation?: Reservation): void {
    const pending = this.#pending ?? [];
    this.#pending = null;
    this.#pointers = pointers;
    this.#reservation = reservation;
    if (pointers.length === 0) return;
    const fields = (this.#fields = pointers.map((pointer) => new FieldCounts(pointer)));
    for (const result of pending) for (const field of fields) field.count(result);
  }

  get isWritten(): boolean {
    return this.#count === 0 && this.#taken === undefined;
  }

  /** How often in succession nothing was new when it was looked at. */
  look(): number {
    this.#idleLooks = this.isWritten ? this.#idleLooks + 1 : 0;
    return this.#idleLooks;
  }

  /**
   * What is to be written next: what was taken before where `written` was not called, with the same number, so that it is
   * never added twice; else all that was counted since.
   */
  take(): Addition {
    if (this.#taken !== undefined) return this.#taken;
    const { workspaceId, environmentId, decisionId, version } = this;
    const fields = this.#fields;
    this.#taken = {
      ...{ workspaceId, environmentId, decisionId, version, hour: new Date(this.from), partId: this.#partId },
      number: ++this.#takenBefore,
      count: this.#count,
      failed: this.#failed,
      times: this.#times,
      fields: fields && new Map(this.#pointers.map((pointer, at) => [pointer, fields[at] ?? new FieldCounts(pointer)])),
    };
    this.#count = 0;
    this.#failed = 0;
    this.#times = new EngineTimes();
    if (fields !== null) this.#fields = this.#pointers.map((pointer) => new FieldCounts(pointer));
    return this.#taken;
  }

  written(): void {
    this.#taken = undefined;
  }

  release(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }
}
