import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../../../src/storage/ids.js';

/** An execution as its client was told of it. */
export interface Acknowledged {
  readonly id: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  /** JSON text; undefined where the answer did not say. */
  readonly result: string | undefined;
}

/** What the database holds against what clients were told; all but `rows` must be 0. */
export interface Audit {
  readonly rows: number;
  readonly acknowledged: number;
  /** Acknowledged and not there. */
  lost: number;
  /** More rows than one for a request, or for all requests of one idempotency key. */
  duplicated: number;
  /** There, with another version, status or result than was answered. */
  different: number;
  /** There, though the answer said that nothing was run. */
  unasked: number;
}

interface Row {
  readonly id: Buffer;
  readonly request_id: Buffer;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly result: string;
}

const pageSize = 5000;

/**
 * The requests of one run that execute something. Each has a request id that counts, so that the rows of millions can be
 * held against them by arrays.
 */
export class Ledger {
  readonly #prefix = randomBytes(10);
  readonly #told: (Acknowledged | 'nothing ran' | undefined)[] = [];
  /** Number of the request that first used the same idempotency key, or its own. */
  readonly #groups: number[] = [];
  #acknowledged = 0;

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
    const number = this.#told.push(undefined) - 1;
    this.#groups.push(group ?? number);
    const bytes = Buffer.alloc(16, this.#prefix);
    bytes.writeUIntBE(number, 10, 6);
    return { number, requestId: idFromBytes(bytes) };
  }

  acknowledge(number: number, told: Acknowledged): void {
    if (this.#told[number] === undefined) this.#acknowledged++;
    this.#told[number] = told;
  }

  /** The answer of that request said that nothing was run. */
  refuse(number: number): void {
    this.#told[number] = 'nothing ran';
  }

  /** Reads every recorded execution of the workspaces. */
  async audit(database: Knex, workspaceIds: readonly string[], advance: (rows: number) => void): Promise<Audit> {
    const audit: Audit & { rows: number } = {
      rows: 0,
      acknowledged: this.#acknowledged,
      lost: 0,
      duplicated: 0,
      different: 0,
      unasked: 0,
    };
    const seen = new Set<string>();
    const groups = new Set<number>();
    for (const workspaceId of workspaceIds) {
      for await (const row of rowsOf(database, workspaceId)) {
        audit.rows++;
        if (audit.rows % pageSize === 0) advance(pageSize);
        this.#check(row, audit, groups, seen);
      }
    }
    // A repeat with the same idempotency key was told of the row that another of its group made.
    for (const told of this.#told) if (typeof told === 'object' && !seen.has(told.id)) audit.lost++;
    return audit;
  }

  #check(row: Row, audit: Audit, groups: Set<number>, seen: Set<string>): void {
    const number = row.request_id.readUIntBE(10, 6);
    const group = this.#groups[number];
    if (group === undefined || !row.request_id.subarray(0, 10).equals(this.#prefix)) {
      audit.unasked++;
      return;
    }
    if (groups.has(group)) audit.duplicated++;
    groups.add(group);
    const id = idFromBytes(row.id);
    seen.add(id);
    const told = this.#told[number];
    if (told === 'nothing ran') audit.unasked++;
    if (typeof told !== 'object') return;
    const { version, status, result = row.result } = told;
    if (told.id !== id || version !== row.version || status !== row.status || result !== row.result) audit.different++;
  }
}

async function* rowsOf(database: Knex, workspaceId: string): AsyncGenerator<Row> {
  let after: Buffer = Buffer.alloc(16);
  for (;;) {
    const rows = (await database('executions')
      .select('id', 'request_id', 'version', 'status', 'result')
      .where('workspace_id', idToBytes(workspaceId))
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)) as Row[];
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.id;
  }
}
