import { createHash } from 'node:crypto';
import { idToBytes } from '../../../src/storage/ids.js';
import type { Acknowledged } from './ledger.js';

const states = ['open', 'nothing ran', 'COMPLETED', 'FAILED'] as const;

/** Where each field of an entry begins. */
const field = { group: 0, state: 4, version: 5, hasResult: 6, hasRow: 7, result: 8, id: 16, row: 32 } as const;
const entryBytes = 48;
const chunkEntries = 65_536;

/** A request of the ledger, as a view of its 48 bytes. */
export class Entry {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Number of the request that first used the same idempotency key, or its own. */
  get group(): number {
    return this.#bytes.readUInt32BE(field.group);
  }

  set group(number: number) {
    this.#bytes.writeUInt32BE(number, field.group);
  }

  get state(): (typeof states)[number] {
    return states[this.#bytes[field.state] ?? 0] ?? 'open';
  }

  set state(state: (typeof states)[number]) {
    this.#bytes[field.state] = states.indexOf(state);
  }

  get isTold(): boolean {
    return this.state === 'COMPLETED' || this.state === 'FAILED';
  }

  /** True where the answer did not say; versions begin with 1. */
  mayHaveVersion(version: number): boolean {
    const told = this.#bytes[field.version];
    return told === 0 || told === version;
  }

  set told({ id, version, status, result }: Acknowledged) {
    this.state = status;
    this.#bytes[field.version] = version ?? 0;
    this.#bytes.set(idToBytes(id), field.id);
    if (result === undefined) return;
    this.#bytes[field.hasResult] = 1;
    this.#bytes.set(digest(result), field.result);
  }

  /** Whether the client was told that id. */
  hasId(id: Buffer | undefined): boolean {
    return id?.equals(this.#bytes.subarray(field.id, field.row)) === true;
  }

  /** True where the answer did not say. */
  mayHaveResult(text: string): boolean {
    if (this.#bytes[field.hasResult] === 0) return true;
    return digest(text).equals(this.#bytes.subarray(field.result, field.id));
  }

  /** Id of the first row that was found for the group that this entry began. */
  get row(): Buffer | undefined {
    return this.#bytes[field.hasRow] === 0 ? undefined : this.#bytes.subarray(field.row, entryBytes);
  }

  foundAs(id: Buffer): void {
    this.#bytes[field.hasRow] = 1;
    this.#bytes.set(id, field.row);
  }

  /** Before the rows are looked through once more. */
  forgetRow(): void {
    this.#bytes[field.hasRow] = 0;
  }
}

/** Eight bytes tell two results apart but once in 10^19. */
const digest = (text: string): Buffer =>
  createHash('sha256')
    .update(text)
    .digest()
    .subarray(0, field.id - field.result);

/** Entries by number, outside of the heap: hours of load are some millions. */
export class Entries {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives the number of a new one. */
  add(): number {
    if (this.#size % chunkEntries === 0) this.#chunks.push(Buffer.alloc(chunkEntries * entryBytes));
    return this.#size++;
  }

  at(number: number): Entry {
    const chunk = this.#chunks[Math.floor(number / chunkEntries)];
    if (chunk === undefined) throw new RangeError(`there is no entry ${number}`);
    const from = (number % chunkEntries) * entryBytes;
    return new Entry(chunk.subarray(from, from + entryBytes));
  }

  *[Symbol.iterator](): Iterator<Entry> {
    for (let number = 0; number < this.#size; number++) yield this.at(number);
  }
}
