import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { type Connection, inMs, now } from './database.js';
import type { Encryption } from './encryption.js';
import { idToBytes } from './ids.js';
import type { SealedTable } from './sealedTable.js';

/** A key that was used: whose it is, and digests of the key and of the request that it was used for. */
export interface UsedKey {
  /** The workspace or the tenant. */
  readonly owner: string;
  readonly digest: Buffer;
  readonly requestDigest: Buffer;
}

/** The columns that tables of used keys have in common. */
interface Row {
  readonly request_digest: Buffer;
  readonly answer: Buffer | null;
  /** 1 when its time is over: then it counts as absent. */
  readonly expired: 0 | 1;
}

/** How long a repeat gets the first answer, in milliseconds. */
export const keyLifeMs = 24 * 60 * 60 * 1000;
/** Expired keys are deleted now and then, a few more than have been added meanwhile. */
const keysPerPruning = 100;
const rowsPerPruning = 250;

/** One digest of several texts. */
export const sha256 = (...parts: string[]): Buffer => {
  const hash = createHash('sha256');
  // The lengths keep different lists of parts from giving the same bytes.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
};

/** A request that has a key. */
export interface KeyedRequest {
  /** The workspace or the tenant. */
  readonly owner: string;
  readonly principal: string;
  readonly key: string;
  /** What the request names, by its path. */
  readonly target: string;
  readonly bodyText: string;
}

/** A key belongs to who sends it, and a request is what it names and says. */
export const usedKeyOf = ({ owner, principal, key, target, bodyText }: KeyedRequest): UsedKey => ({
  owner,
  digest: sha256(principal, key),
  requestDigest: sha256(target, bodyText),
});

/** What executions, items of batches and updates of inquiries do with their Idempotency-Keys, each in its table. */
export class KeyTable {
  readonly #table: string;
  readonly #owner: string;

  constructor(table: 'idempotency_keys' | 'inquiry_answers', owner: 'workspace_id' | 'tenant_id') {
    this.#table = table;
    this.#owner = owner;
  }

  get sealed(): SealedTable {
    const answer: SealedTable['contexts'][string] = ({ id, hex }) => this.#context(id(this.#owner), hex('digest'));
    return { table: this.#table, key: [this.#owner, 'digest'], contexts: { answer } };
  }

  #context(owner: string, digest: string): string {
    return `${this.#table}/${owner}/${digest}`;
  }

  seal(encryption: Encryption, { owner, digest }: Omit<UsedKey, 'requestDigest'>, answer: string): Buffer {
    return encryption.seal(answer, this.#context(owner, digest.toString('hex')));
  }

  open(encryption: Encryption, { owner, digest }: Omit<UsedKey, 'requestDigest'>, answer: Buffer): string {
    return encryption.open(answer, this.#context(owner, digest.toString('hex')));
  }

  /** The primary key of a used key's row. */
  rowOf({ owner, digest }: UsedKey): Record<string, Buffer> {
    return { [this.#owner]: idToBytes(owner), digest };
  }

  /** The row of a key that is used now. @param answer sealed; null until it is known @param lifeMs how long it counts */
  newRow(
    connection: Connection,
    key: UsedKey,
    answer: Buffer | null,
    lifeMs: number = keyLifeMs,
  ): Record<string, Knex.Value> {
    const expires = { expires_at: inMs(connection, lifeMs) };
    return { ...this.rowOf(key), request_digest: key.requestDigest, answer, ...expires };
  }

  /** Throws `idempotency_key_reused` where the key was used for another request, and its time is not over. */
  async find<Columns>(
    connection: Connection,
    key: UsedKey,
    columns: Readonly<Record<string, string>> = {},
  ): Promise<(Row & Columns) | undefined> {
    const raw = Object.entries({ ...columns, expired: `expires_at <= ${now}` });
    const [row] = (await connection(this.#table)
      .select('request_digest', 'answer', ...raw.map(([name, sql]) => connection.raw(`${sql} AS ${name}`)))
      .where(this.rowOf(key))) as (Row & Columns)[];
    if (row === undefined || row.expired === 1 || row.request_digest.equals(key.requestDigest)) return row;
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request.', {
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });
  }

  /** To be told how many keys are added; it deletes expired ones now and then. */
  pruning(database: Knex): (added: number) => void {
    let sinceThen = 0;
    return (added) => {
      sinceThen += added;
      if (sinceThen < keysPerPruning) return;
      const limit = Math.ceil((sinceThen * rowsPerPruning) / keysPerPruning);
      sinceThen = 0;
      // After a failure a later request prunes again.
      this.prune(database, limit).catch(() => undefined);
    };
  }

  /** Deletes expired keys. @param among the columns that they have */
  async prune(connection: Connection, limit: number, among: Record<string, Buffer> = {}): Promise<void> {
    const expired = connection(this.#table).where('expires_at', '<=', connection.raw(now));
    await expired.where(among).limit(limit).delete();
  }
}
