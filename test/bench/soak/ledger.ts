import { createHash, randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';
import { selectRecords } from '../../../src/runs/history.store.js';

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
const states = ['open', 'nothing ran', 'COMPLETED', 'FAILED'] as const;
/** In place of a version or a digest that no answer told; versions begin with 1. */
const untold = 0;

/** 48 bits as a number: two texts have the same once in 10^14 pairs. */
const digest = (text: string | Buffer): number => createHash('sha256').update(text).digest().readUIntBE(0, 6) || 1;

/**
 * The requests of one run that execute something. Each has a request id that counts, and is kept as plain numbers, so that
 * the rows of millions can be held against them in little memory.
 */
export class Ledger {
  readonly #prefix = randomBytes(10);
  /** By request: the number of the first one with the same idempotency key, or its own. */
  readonly #groups: number[] = [];
  readonly #states: number[] = [];
  readonly #versions: number[] = [];
  readonly #ids: number[] = [];
  readonly #results: number[] = [];
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
    const number = this.#groups.length;
    this.#groups.push(group ?? number);
    for (const numbers of [this.#states, this.#versions, this.#ids, this.#results]) numbers.push(untold);
    const bytes = Buffer.alloc(16, this.#prefix);
    bytes.writeUIntBE(number, 10, 6);
    return { number, requestId: idFromBytes(bytes) };
  }

  /** @param replayed the answer of an earlier request of the group, given again */
  acknowledge(number: number, { id, version, status, result }: Acknowledged, replayed = false): void {
    this.#acknowledged++;
    if (replayed) this.#replayed++;
    this.#states[number] = states.indexOf(status);
    this.#versions[number] = version ?? untold;
    this.#ids[number] = digest(idToBytes(id));
    this.#results[number] = result === undefined ? untold : digest(result);
  }

  /** The answer of that request said that nothing was run. */
  refuse(number: number): void {
    this.#states[number] = states.indexOf('nothing ran');
  }

  /** Holds every recorded execution of the run's workspaces against what was told. */
  async audit(recorded: AsyncIterable<Recorded>, advance: (rows: number) => void): Promise<Audit> {
    const audit = { rows: 0, acknowledged: this.#acknowledged, replayed: this.#replayed };
    const found = { lost: 0, duplicated: 0, different: 0, unasked: 0 };
    /** The first row of each group. */
    const rows: number[] = Array.from(this.#groups, () => untold);
    for await (const row of recorded) {
      if (++audit.rows % pageSize === 0) advance(pageSize);
      const requestId = row.reference ? idToBytes(row.reference) : row.request_id;
      const number = requestId.readUIntBE(10, 6);
      const group = this.#groups[number];
      if (group === undefined || !requestId.subarray(0, 10).equals(this.#prefix)) found.unasked++;
      else {
        if (rows[group] === untold) rows[group] = digest(row.id);
        else found.duplicated++;
        if (this.#stateOf(number) === 'nothing ran') found.unasked++;
        else if (this.#isTold(number) && this.#differs(number, row)) found.different++;
      }
    }
    this.#groups.forEach((group, number) => {
      // A repeat with the same idempotency key was told of the row that another of its group made.
      if (this.#isTold(number) && rows[group] !== this.#ids[number]) found.lost++;
    });
    return { ...audit, ...found };
  }

  #stateOf(number: number): (typeof states)[number] {
    return states[this.#states[number] ?? 0] ?? 'open';
  }

  #isTold(number: number): boolean {
    return ['COMPLETED', 'FAILED'].includes(this.#stateOf(number));
  }

  #differs(number: number, { id, version, status, result }: Recorded): boolean {
    const mayBe = (told: number | undefined, value: number): boolean => told === untold || told === value;
    return (
      this.#ids[number] !== digest(id) ||
      this.#stateOf(number) !== status ||
      !mayBe(this.#versions[number], version) ||
      !mayBe(this.#results[number], digest(result))
    );
  }
}

/** Every recorded execution of the workspaces. */
export async function* recordedIn(database: Knex, workspaceIds: readonly string[]): AsyncGenerator<Recorded> {
  for (const workspaceId of workspaceIds) {
    let after: Buffer = Buffer.alloc(16);
    for (let full = true; full;) {
      const rows = (await selectRecords(database, ['id', 'request_id', 'reference', 'status', 'result'], ['version'])
        .where('e.workspace_id', idToBytes(workspaceId))
        .where('e.id', '>', after)
        .orderBy('e.id')
        .limit(pageSize)) as Recorded[];
      yield* rows;
      full = rows.length === pageSize;
      after = rows.at(-1)?.id ?? after;
    }
  }
}
