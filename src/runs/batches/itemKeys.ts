import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { RunStopped } from '../../../workers/protocol.js';
import { Problem } from '../../errors.js';
import { isConnectionLoss, isContention, mysqlErrno, mysqlErrors } from '../../storage/mysqlErrors.js';
import type { Encryption } from '../../storage/encryption.js';
import { sha256 } from '../../storage/usedKeys.js';
import { executionKeys, type Idempotency } from '../idempotency.js';
import type { Recorder } from '../recorder.js';
import { isRouteGone } from '../recorder/rows.js';
import { recordedAnswer, unrecordedAnswer, type ItemAnswer } from './answers.js';
import type { Batch } from './batch.js';
import type { Item } from './item.js';
import { insertUsedKeys, takeUsedKeys, type UsedKey, type RecordedOutcome } from './itemKeys.store.js';
import { answerOfRun, refusalOf, type ItemRun } from './itemRun.js';
import { retryWhileOverloaded } from '../../storage/retryWhileOverloaded.js';

export interface ItemKeysDependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly recorder: Recorder;
  readonly idempotency: Idempotency;
  readonly log: Pick<Logger, 'error'>;
}

const attempts = 5;

/** The answers of a chunk's items, by index. */
export type Answers = Map<number, ItemAnswer>;

/** Rounds of items with different keys each: of items with the same key the first runs, and the others get its answer. */
export function* roundsOf(keys: ItemKeys, items: readonly Item[]): Generator<readonly Item[], void> {
  for (let left = items; left.length > 0;) {
    const first = new Map<string, Item>();
    for (const item of left) {
      const digest = keys.digestOf(item).toString('hex');
      if (!first.has(digest)) first.set(digest, item);
    }
    const chosen = [...first.values()];
    yield chosen;
    left = left.filter((item) => !chosen.includes(item));
  }
}

/** The keys of a chunk's items, of a batch with an Idempotency-Key: each item runs once, however often the batch is repeated. */
export class ItemKeys {
  readonly #parts: ItemKeysDependencies;
  readonly #batch: Batch;
  readonly #answers: Answers;

  /** @param answers gets the answers of the items */
  constructor(parts: ItemKeysDependencies, batch: Batch, answers: Answers) {
    this.#parts = parts;
    this.#batch = batch;
    this.#answers = answers;
  }

  /** Items without a key are told apart by their indexes. */
  digestOf({ key, index }: Item): Buffer {
    const { origin, idempotencyKey = '' } = this.#batch;
    return sha256(origin.principal.name, idempotencyKey, ...(key === null ? ['index', String(index)] : [key]));
  }

  /** Answers the items whose key has a record already; returns the others. @param items of one chunk */
  answerRepeated(items: readonly Item[]): Promise<Item[]> {
    return retryWhileOverloaded(this.#batch.over, () => this.#answerRepeated(items, []));
  }

  /** @param own runs of these items, which may be recorded already */
  async #answerRepeated(items: readonly Item[], own: readonly ItemRun[]): Promise<Item[]> {
    const { workspaceId } = this.#batch.origin;
    const digests = items.map((item) => this.digestOf(item));
    const used = await takeUsedKeys(this.#parts.database, workspaceId, digests);
    const byDigest = new Map(used.map((key) => [key.digest.toString('hex'), key]));
    return items.filter((item, at) => {
      const key = byDigest.get(digests[at]?.toString('hex') ?? '');
      if (key === undefined) return true;
      const run = own.find(({ record }) => record.id === key.executionId);
      if (run !== undefined) this.#parts.recorder.tell(run.record);
      this.#answers.set(item.index, run === undefined ? this.#repeated(item, key) : answerOfRun(run));
      return false;
    });
  }

  #repeated(item: Item, used: UsedKey): ItemAnswer {
    if (!used.requestDigest.equals(this.#requestDigest(item))) {
      return unrecordedAnswer(item, {
        code: 'idempotency_key_reused',
        message: 'This key was used for another item with this Idempotency-Key.',
      });
    }
    if (used.isErased)
      return unrecordedAnswer(item, { code: 'record_erased', message: 'What this item was answered was erased.' });
    const { record, answer, executionId: id, digest } = used;
    const key = { owner: this.#batch.origin.workspaceId, digest };
    const result = answer === null ? record.result : executionKeys.open(this.#parts.encryption, key, answer);
    return recordedAnswer(item, { ...record, id, result, stopped: stoppedBy(record) });
  }

  #requestDigest({ text }: Item): Buffer {
    return sha256(this.#batch.path, text);
  }

  /** Records runs with their keys, and answers their items; those that another request recorded meanwhile from its record. */
  async record(runs: readonly ItemRun[]): Promise<void> {
    let left = runs;
    let attempt = 0;
    await retryWhileOverloaded(this.#batch.over, async () => {
      for (; left.length > 0; attempt++) {
        if (attempt > 0) left = await this.#unknown(left);
        try {
          await this.#write(left);
          for (const run of left) this.#answers.set(run.item.index, answerOfRun(run));
          left = [];
        } catch (error) {
          if (mysqlErrno(error) !== mysqlErrors.duplicateKey || attempt === attempts)
            left = await this.#refused(left, error);
        }
      }
    });
  }

  async #unknown(runs: readonly ItemRun[]): Promise<ItemRun[]> {
    const items = await this.#answerRepeated(
      runs.map(({ item }) => item),
      runs,
    );
    return runs.filter(({ item }) => items.includes(item));
  }

  /** Throws what passes; a row that the database refuses is found by writing each alone. Gives what is left to be written. */
  async #refused(runs: readonly ItemRun[], error: unknown): Promise<ItemRun[]> {
    if (isConnectionLoss(error) || isContention(error)) throw error;
    const [only] = runs;
    if (isRouteGone(error)) {
      const gone = new Problem('routing_not_found', 'The deployment was removed while the decision ran.');
      for (const run of runs) this.#answers.set(run.item.index, refusalOf(run, gone, this.#parts.log));
    } else if (only !== undefined && runs.length === 1) {
      this.#answers.set(only.item.index, refusalOf(only, error, this.#parts.log));
    } else {
      for (const run of runs) await this.record([run]);
    }
    return [];
  }

  async #write(runs: readonly ItemRun[]): Promise<void> {
    const { encryption, recorder, idempotency } = this.#parts;
    const { workspaceId } = this.#batch.origin;
    const keys = runs.map(({ item, reply, record }) => {
      const digest = this.digestOf(item);
      const differs = reply.kind === 'done' && reply.recordedResult !== null;
      return {
        digest,
        requestDigest: this.#requestDigest(item),
        executionId: record.id,
        answer: differs ? executionKeys.seal(encryption, { owner: workspaceId, digest }, reply.result) : null,
      };
    });
    idempotency.prune(keys.length);
    await recorder.writeExecutions(
      runs.map(({ record }) => record),
      (transaction) => insertUsedKeys(transaction, workspaceId, keys),
    );
  }
}

/** Of a run that a limit stopped, the record's error is what stopped it (responseBody.ts). */
function stoppedBy({ status, error }: RecordedOutcome): RunStopped['reason'] | null {
  if (status === 'COMPLETED' || error === null) return null;
  const { code } = JSON.parse(error) as { code?: unknown };
  return reasons.find((reason) => reason === code) ?? null;
}

const reasons: readonly RunStopped['reason'][] = ['timeout', 'memory', 'crash'];
