import type { Knex } from 'knex';
import { Owners } from '../admission/owners.js';
import { Problem } from '../errors.js';
import type { Answer, Claim } from './idempotency.js';
import { inTransaction } from '../storage/database.js';
import { isConnectionLoss, isContention } from '../storage/mysqlErrors.js';
import { RecordCodes, type Codes } from './recorder/codes.js';
import { GroupWriter, type Row } from './recorder/groupWriter.js';
import { createInsert, createStatements } from './recorder/insert.js';
import type { RecorderCounts, RecorderOptions } from './recorder/options.js';
import type { ExecutionRecord, RunRecord } from './recorder/record.js';
import {
  evaluationColumns,
  evaluationValues,
  executionColumns,
  executionValues,
  isRouteGone,
  lockRoutes,
  weigh,
} from './recorder/rows.js';

export interface Recorder {
  /**
   * Admission, to be called before a run. Throws `dependency_unavailable` when its record could not be written soon.
   */
  admit(): void;
  /**
   * Returns once the row is durable. Throws `routing_not_found` when the deployment or the environment was removed
   * meanwhile, `dependency_unavailable` when MySQL can't take it.
   */
  recordExecution(record: ExecutionRecord): Promise<void>;
  /** The same, and in one transaction with it the answer of the claimed key. Rejects with `ClaimLost`, too. */
  recordClaimed(record: ExecutionRecord, claim: Pick<Claim, 'settle'>, answer: Answer): Promise<void>;
  /**
   * The same for many, in statements of their own: what refused each of them, undefined where it is durable. Never rejects.
   * @param repeated they may be written already, in an attempt whose outcome is not known
   */
  recordExecutions(
    records: readonly ExecutionRecord[],
    options: { readonly repeated: boolean },
  ): Promise<readonly unknown[]>;
  /** Writes them and something else in one transaction. Rejects with the database's error. */
  writeExecutions(
    records: readonly ExecutionRecord[],
    write: (transaction: Knex.Transaction) => Promise<void>,
  ): Promise<void>;
  /**
   * Best effort: no response waits for it, and under pressure it is dropped and counted. Resolves once the record is no
   * longer in memory.
   */
  recordEvaluation(record: RunRecord): Promise<void>;
  /** To be called where a record that was refused is found to be durable; of all others the recorder tells by itself. */
  tell(record: ExecutionRecord): void;
  /** Resolves when nothing is left to write. */
  drain(): Promise<void>;
  readonly counts: Readonly<RecorderCounts>;
  /** Executions that wait for their statement. */
  readonly waiting: number;
}

/** Connections that the recorder uses at once. */
export const recorderConnections = 6;
/**
 * Larger rows take a long statement each; they have a connection of their own, so that small ones do not wait for them, and are
 * bulk work.
 */
const largeRowBytes = 64 * 1024;
/** Rows of a statement of executions that came in batches. */
const batchRows = 256;
/** Evaluations of one workspace that may wait to be recorded; further ones are dropped. */
const maxWaitingEvaluations = 500;

export function createRecorder({
  database,
  records,
  recordFacts,
  giveUpAfterMs,
  scheduler,
  owners = new Owners(),
  observer,
  observers = [],
}: RecorderOptions): Recorder {
  const counts: RecorderCounts = {
    flushes: 0,
    rows: 0,
    bisections: 0,
    losses: 0,
    contentions: 0,
    refusedExecutions: 0,
    droppedEvaluations: 0,
  };
  const codes = new RecordCodes(database);
  const events = {
    committed: (rows: number, ms: number) => {
      counts.flushes++;
      counts.rows += rows;
      observer?.flushed(rows, ms);
    },
    bisected: () => counts.bisections++,
    lost: () => {
      counts.losses++;
      // Another server may answer next, which has other numbers where it lost what came last.
      codes.clear();
    },
    contended: () => counts.contentions++,
  };
  const insert = createInsert(records, 'executions', executionColumns, lockRoutes);
  const statementOf = createStatements('executions', executionColumns, lockRoutes);
  const executions = new GroupWriter({ insert, flushers: 2, gatherMs: 0, giveUpAfterMs, events });
  const largeExecutions = new GroupWriter({ insert, flushers: 1, gatherMs: 0, giveUpAfterMs, events });
  // Large groups cost less a row; single executions do not wait for those.
  const batches = new GroupWriter({ insert, flushers: 2, gatherMs: 0, giveUpAfterMs, events, maxRows: batchRows });
  const evaluations = new GroupWriter({
    insert: createInsert(records, 'evaluations', evaluationColumns),
    flushers: 1,
    // No response waits for these, so that groups may grow.
    gatherMs: 10,
    giveUpAfterMs,
    events,
  });
  const reachable = (): boolean => executions.reachable && largeExecutions.reachable && batches.reachable;

  /** What is to be written of a record. Rejects where its deployment is gone. */
  function rowOf(record: ExecutionRecord, repeated = false): Row | Promise<Row> {
    const { workspaceId, deploymentId: group } = record;
    const rowWith = (of: Codes): Row => ({
      values: executionValues(record, recordFacts, of),
      bytes: weigh(record),
      owner: owners.of(workspaceId),
      group,
      repeated,
    });
    const found = codes.of(record);
    return found instanceof Promise ? found.then(rowWith, away) : rowWith(found);
  }

  function insertRows(transaction: Knex.Transaction, rows: readonly Row[]): PromiseLike<unknown> {
    const { sql, values } = statementOf(rows.map((row) => row.values));
    return transaction.raw(sql, values as Knex.RawBinding[]);
  }

  function away(error: unknown): never {
    if (isConnectionLoss(error)) executions.refuse();
    throw error;
  }

  /** The error as the caller is to see it. A deployment that is gone is not remembered. */
  function refused(record: ExecutionRecord, error: unknown): unknown {
    if (isRouteGone(error)) codes.forget(record);
    return explained(error);
  }

  function tell(record: ExecutionRecord): void {
    for (const observer of observers) observer.offer(record);
  }

  const isLarge = ({ bytes }: Row): boolean => bytes >= largeRowBytes;
  const writerOf = (row: Row, usual: GroupWriter): GroupWriter => (isLarge(row) ? largeExecutions : usual);
  /** A large row is bulk work. */
  const paced = (row: Row, write: () => Promise<void>): Promise<void> =>
    isLarge(row) ? scheduler.yieldToLive(row.owner.workspaceId, write) : write();

  async function recordOne(
    record: ExecutionRecord,
    write: (row: Row) => Promise<void>,
    repeated?: boolean,
  ): Promise<void> {
    try {
      const found = rowOf(record, repeated);
      await write(found instanceof Promise ? await found : found);
    } catch (error) {
      throw refused(record, error);
    }
    tell(record);
  }

  return {
    counts,
    tell,
    get waiting() {
      return executions.waiting + largeExecutions.waiting + batches.waiting;
    },
    admit() {
      if (reachable()) return;
      counts.refusedExecutions++;
      throw unavailable('The database cannot be reached right now. Nothing was run.');
    },
    recordExecution: (record) => recordOne(record, (row) => paced(row, () => writerOf(row, executions).write(row))),
    recordClaimed: (record, claim, answer) =>
      recordOne(record, (row) =>
        paced(row, () =>
          inTransaction(database, async (transaction) => {
            await insertRows(transaction, [row]);
            await claim.settle(transaction, answer);
          }),
        ),
      ),
    // Their chunk has the slot of bulk work already.
    recordExecutions: (records, { repeated }) =>
      Promise.all(
        records.map((record) =>
          recordOne(record, (row) => writerOf(row, batches).write(row), repeated).then(
            () => undefined,
            (error: unknown) => error,
          ),
        ),
      ),
    async writeExecutions(records, write) {
      try {
        const rows: Row[] = [];
        for (const record of records) rows.push(await rowOf(record));
        await inTransaction(database, async (transaction) => {
          await insertRows(transaction, rows);
          await write(transaction);
        });
      } catch (error) {
        if (isRouteGone(error)) for (const record of records) codes.forget(record);
        throw error;
      }
      for (const record of records) tell(record);
    },
    async recordEvaluation(record) {
      const owner = owners.of(record.workspaceId);
      try {
        if (!evaluations.reachable || !reachable() || evaluations.waitingOf(owner) >= maxWaitingEvaluations)
          throw new Error('too many wait');
        const row = {
          values: evaluationValues(record, recordFacts),
          bytes: weigh(record),
          owner,
          group: record.decisionId,
        };
        await paced(row, () => evaluations.write(row));
      } catch {
        counts.droppedEvaluations++;
      }
    },
    async drain() {
      await codes.drain();
      await Promise.all([executions, largeExecutions, batches, evaluations].map((writer) => writer.drain()));
    },
  };
}

function explained(error: unknown): unknown {
  if (isRouteGone(error)) {
    return new Problem('routing_not_found', 'The deployment was removed while the decision ran.', { cause: error });
  }
  if (isConnectionLoss(error) || isContention(error)) {
    return unavailable('The database did not take the record of this execution in time.', error);
  }
  return error;
}

const unavailable = (detail: string, cause?: unknown): Problem =>
  new Problem('dependency_unavailable', detail, { retryAfter: 1, cause });
