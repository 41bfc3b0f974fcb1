import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';
import { Entries, type Entry } from './entries.js';

/** An execution as its client was told of it. */
export interface Acknowledged {
  readonly id: string;
  /** Undefined where the answer did not say. */
  readonly version: number | undefined;
  readonly status: 'COMPLETED' | 'FAILED';
  /** JSON text; undefined where the answer did not say. */
  readonly result: string | undefined;
}

/** What the database holds against what clients were told; from `lost` on all must be 0. */
export interface Audit {
  readonly rows: number;
  readonly acknowledged: number;
  /** Of these, answers that were an earlier one's again: one row for all of a key. */
  readonly replayed: number;
  /** Acknowledged and not there. */
  readonly lost: number;
  /** More rows than one for a request, or for all requests of one idempotency key. */
  readonly duplicated: number;
  /** There, with another version, status or result than was answered. */
  readonly different: number;
  /** There, though the answer said that nothing was run. */
  readonly unasked: number;
}

/** A recorded execution, as far as clients are told of it. */
export interface Recorded {
  readonly id: Buffer;
  readonly request_id: Buffer;
  /** Of an item of a batch, what stands for a request id of its own. */
  readonly reference?: string | null;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly result: string;
}

const pageSize = 5000;

/**
 * The requests of one run that execute something. Each has a request id that counts, so that the rows of millions can be
 * held against them in little memory.
 */
export class Ledger {
  readonly #prefix = randomBytes(10);
  readonly #entries = new Entries();
  #acknowledged = 0;
  #replayed = 0;

  constructor() {
    // The marks of a UUID of version 4 (RFC 9562).
    this.#prefix.writeUInt8(0x40, 6);
    this.#prefix.writeUInt8(0x80, 8);
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** A new request; `group` is the number of an earlier one with the same idempotency key. */
  open(group?: number): { readonly number: number; readonly requestId: string } {
    const number = this.#entries.add();
    this.#entries.at(number).group = group ?? number;
    const bytes = Buffer.alloc(16, this.#prefix);
    bytes.writeUIntBE(number, 10, 6);
    return { number, requestId: idFromBytes(bytes) };
  }

  /** @param replayed the answer of an earlier request of the group, given again */
  acknowledge(number: number, told: Acknowledged, replayed = false): void {
    this.#acknowledged++;
    if (replayed) this.#replayed++;
    this.#entries.at(number).told = told;
  }

  /** The answer of that request said that nothing was run. */
  refuse(number: number): void {
    this.#entries.at(number).state = 'nothing ran';
  }

  /** Holds every recorded execution of the run's workspaces against what was told. */
  async audit(recorded: AsyncIterable<Recorded>, advance: (rows: number) => void): Promise<Audit> {
    const audit = { rows: 0, acknowledged: this.#acknowledged, replayed: this.#replayed, ...clean };
    for (const entry of this.#entries) entry.forgetRow();
    for await (const row of recorded) {
      audit.rows++;
      if (audit.rows % pageSize === 0) advance(pageSize);
      this.#check(row, audit);
    }
    for (const entry of this.#entries) {
      if (!entry.isTold) continue;
      // A repeat with the same idempotency key was told of the row that another of its group made.
      if (!entry.hasId(this.#entries.at(entry.group).row)) audit.lost++;
    }
    return audit;
  }

  #check(row: Recorded, audit: Mutable<Audit>): void {
    const requestId = row.reference ? idToBytes(row.reference) : row.request_id;
    const number = requestId.readUIntBE(10, 6);
    if (number >= this.#entries.size || !requestId.subarray(0, 10).equals(this.#prefix)) {
      audit.unasked++;
      return;
    }
    const entry = this.#entries.at(number);
    const group = this.#entries.at(entry.group);
    if (group.row === undefined) group.foundAs(row.id);
    else audit.duplicated++;
    if (entry.state === 'nothing ran') audit.unasked++;
    else if (entry.isTold && differs(entry, row)) audit.different++;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const clean = { lost: 0, duplicated: 0, different: 0, unasked: 0 };

const differs = (entry: Entry, { id, version, status, result }: Recorded): boolean =>
  !entry.hasId(id) || !entry.mayHaveVersion(version) || status !== entry.state || !entry.mayHaveResult(result);

/** Every recorded execution of the workspaces. */
export async function* recordedIn(database: Knex, workspaceIds: readonly string[]): AsyncGenerator<Recorded> {
  for (const workspaceId of workspaceIds) {
    let after: Buffer = Buffer.alloc(16);
    for (let full = true; full;) {
      const rows = (await database('executions')
        .select('id', 'request_id', 'reference', 'version', 'status', 'result')
        .where('workspace_id', idToBytes(workspaceId))
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)) as Recorded[];
      yield* rows;
      full = rows.length === pageSize;
      after = rows.at(-1)?.id ?? after;
    }
  }
}
