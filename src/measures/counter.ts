import type { Reservation } from '../http/body/byteBudget.js';
import type { LiveRun } from '../runs/liveRun.js';
import { idToBytes, newId } from '../storage/ids.js';
import { EngineTimes } from './engineTimes.js';
import { FieldCounts } from './fieldCounts.js';
import type { MeasuresRow } from './measures.store.js';

export const hourMs = 60 * 60 * 1000;
export const hourOf = (at: number): number => at - (at % hourMs);

/** What is counted apart from the rest. */
export type Counted = Pick<LiveRun, 'workspaceId' | 'environmentId' | 'decisionId' | 'version'>;

/** Results that wait to be counted until it is known which of their fields are. */
const maxPending = { results: 1000, characters: 256 * 1024 };

/** The executions of a decision's version in an environment within an hour, as far as one process has counted them. */
export class Counter {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly #partId = idToBytes(newId());
  readonly #times = new EngineTimes();
  #count = 0;
  #failed = 0;
  #written = 0;
  #idleLooks = 0;
  /** Null where none is counted. */
  #fields: readonly FieldCounts[] | null = null;
  #pointers = '[]';
  #pending: string[] | null = [];
  #pendingCharacters = 0;
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

  /** JSON of the pointers of the fields that are counted. */
  get pointers(): string {
    return this.#pointers;
  }

  /** Counts these fields from its beginning on. @param reservation for them, released with the counter */
  begin(pointers: readonly string[], reservation?: Reservation): void {
    const pending = this.#pending ?? [];
    this.#pending = null;
    this.#pointers = JSON.stringify(pointers);
    this.#reservation = reservation;
    if (pointers.length === 0) return;
    const fields = (this.#fields = pointers.map((pointer) => new FieldCounts(pointer)));
    for (const result of pending) for (const field of fields) field.count(result);
  }

  get isWritten(): boolean {
    return this.#count === this.#written;
  }

  /** How often in succession nothing was new when it was looked at. */
  look(): number {
    this.#idleLooks = this.isWritten ? this.#idleLooks + 1 : 0;
    return this.#idleLooks;
  }

  /** All that it has counted, and what is to be called once that is written. */
  row(): { readonly row: MeasuresRow; readonly written: () => void } {
    const { workspaceId, environmentId, decisionId, version } = this;
    const [count, fields] = [this.#count, this.#fields];
    const row = {
      ...{ workspaceId, environmentId, decisionId, version, hour: new Date(this.from), partId: this.#partId, count },
      failed: this.#failed,
      times: JSON.stringify(this.#times),
      fields: fields && JSON.stringify(Object.fromEntries(this.pointerList().map((name, at) => [name, fields[at]]))),
    };
    return { row, written: () => void (this.#written = count) };
  }

  pointerList(): readonly string[] {
    return JSON.parse(this.#pointers) as string[];
  }

  release(): void {
    this.#reservation?.release();
    this.#reservation = undefined;
  }
}
