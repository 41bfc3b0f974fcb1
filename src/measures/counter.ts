import { createHash } from 'node:crypto';
import { otherValue, type Measured } from '../../workers/models/index.js';
import { QuantileSketch } from '../../workers/sketch/index.js';
import type { Reservation } from '../admission/byteBudget.js';
import type { LiveExecution } from '../runs/liveExecution.js';
import { newId } from '../storage/ids.js';
import { FieldCounts, fieldsOfText } from './fieldCounts.js';
import type { Addition } from './measures.store.js';

export const hourMs = 60 * 60 * 1000;
export const hourOf = (at: number): number => at - (at % hourMs);

/** What is counted apart from the rest. */
export type Counted = Pick<LiveExecution, 'workspaceId' | 'environmentId' | 'decisionId' | 'version'>;

type CountedRun = Pick<LiveExecution, 'status' | 'engineUs' | 'result' | 'measured' | 'warningCount'>;

/** Most results that are held until is known which of their fields are counted. */
const maxPending = 1000;
/**
 * Longest result, in characters, that the main thread reads for its fields: those that ran before the fields were known. The fields of
 * a longer one are counted as values that are not kept.
 */
const shortResult = 4096;

/** A process that counts: a server's, or a command's. No other process writes the rows of its counters. */
export class Source {
  readonly id = newId();
  #taken = 0;

  /** The number of the next addition, above those of all that were taken before. */
  nextNumber(): number {
    return ++this.#taken;
  }
}

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
  readonly #source: Source;
  #times = new QuantileSketch();
  #count = 0;
  #failed = 0;
  #warnings = 0;
  #idleLooks = 0;
  /** Null where none is counted. */
  #fields: readonly FieldCounts[] | null = null;
  #pointers: readonly string[] = [];
  #pending: string[] | null = [];
  /** The addition that was taken last, until it is known to be written. */
  #taken: Addition | undefined;
  #isClosed = false;
  #reservation: Reservation | undefined;

  constructor({ workspaceId, environmentId, decisionId, version }: Counted, hour: number, source: Source) {
    this.workspaceId = workspaceId;
    this.environmentId = environmentId;
    this.decisionId = decisionId;
    this.version = version;
    this.from = hour;
    this.until = hour + hourMs;
    this.#source = source;
  }

  isOf({ environmentId, decisionId, version }: Counted, at: number): boolean {
    return (
      !this.#isClosed &&
      at < this.until &&
      at >= this.from &&
      version === this.version &&
      decisionId === this.decisionId &&
      environmentId === this.environmentId
    );
  }

  /** On the way of every execution: additions alone, unless fields are counted. */
  count({ status, engineUs, result, measured, warningCount = 0 }: CountedRun): void {
    this.#count++;
    this.#warnings += warningCount;
    this.#times.record(engineUs);
    if (status === 'FAILED') this.#failed++;
    else if (this.#fields !== null) this.#countFields(result, measured);
    else if (this.#pending !== null && this.#pending.length < maxPending) {
      this.#pending.push(result.length <= shortResult ? result : '');
    }
  }

  #countFields(result: string, measured: Measured | undefined): void {
    const found = isOf(measured, this.#pointers) ? measured.texts : this.#textsOf(result);
    this.#fields?.forEach((field, at) => field.count(found === undefined ? otherValue : (found[at] ?? null)));
  }

  #textsOf(result: string): Measured['texts'] | undefined {
    return result === '' || result.length > shortResult ? undefined : fieldsOfText(result, this.#pointers).texts;
  }

  /** Whether it is not known yet which fields are counted. */
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
    this.#fields = pointers.map(() => new FieldCounts());
    for (const result of pending) this.#countFields(result, undefined);
  }

  get isWritten(): boolean {
    return this.#count === 0 && this.#taken === undefined;
  }

  /** From now on it takes no more executions. */
  close(): void {
    this.#isClosed = true;
  }

  /** Whether it had nothing new at the last look, nor since. */
  get isIdle(): boolean {
    return this.#idleLooks > 0 && this.isWritten;
  }

  /** Counts the looks in succession at which nothing was new, this one included. */
  look(): number {
    this.#idleLooks = this.isWritten ? this.#idleLooks + 1 : 0;
    return this.#idleLooks;
  }

  /**
   * The addition that is written next. Where `written` was not called for the last one, it is that one again, with the same
   * number, so that MySQL never adds it twice. Otherwise it is everything that was counted since.
   */
  take(): Addition {
    if (this.#taken !== undefined) return this.#taken;
    const { workspaceId, environmentId, decisionId, version } = this;
    const fields = this.#fields;
    this.#taken = {
      ...{ workspaceId, environmentId, decisionId, version, hour: new Date(this.from), partId: this.#partId() },
      number: this.#source.nextNumber(),
      count: this.#count,
      failed: this.#failed,
      warnings: this.#warnings,
      times: this.#times,
      fields: fields && new Map(this.#pointers.map((pointer, at) => [pointer, fields[at] ?? new FieldCounts()])),
    };
    this.#count = 0;
    this.#failed = 0;
    this.#warnings = 0;
    this.#times = new QuantileSketch();
    if (fields !== null) this.#fields = this.#pointers.map(() => new FieldCounts());
    return this.#taken;
  }

  /** The id of its row: the same for counters of a source that follow one another within an hour and count the same fields. */
  #partId(): Buffer {
    const { environmentId, decisionId, version, from } = this;
    const parts = [this.#source.id, environmentId, decisionId, version, from, this.#pointers];
    return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  }

  written(): void {
    this.#taken = undefined;
  }

  /** Gives up the memory of its counts: the counter itself may be remembered for long as the latest of a deployment. */
  release(): void {
    this.#fields = null;
    this.#pending = null;
    this.#taken = undefined;
    this.#reservation?.release();
    this.#reservation = undefined;
  }
}

/** Whether a thread took these fields, and no others that were counted before. */
const isOf = (measured: Measured | undefined, pointers: readonly string[]): measured is Measured =>
  measured !== undefined &&
  measured.pointers.length === pointers.length &&
  measured.pointers.every((pointer, at) => pointer === pointers[at]);
