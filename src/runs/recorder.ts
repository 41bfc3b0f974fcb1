import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { mysqlErrno, mysqlErrors } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** What is kept of every run. Texts are JSON with secrets redacted. */
export interface RunRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  /** Null when facts are not kept (RECORD_FACTS=false) or the thread that could redact them is gone. */
  readonly fact: string | null;
  readonly result: string;
  readonly error: string | null;
  readonly engineUs: number;
  readonly requestId: string;
  readonly principal: string;
  readonly createdAt: Date;
}

export interface ExecutionRecord extends RunRecord {
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly trace: string | null;
}

/** Work to be done in the transaction that writes an execution. */
export type Alongside = (transaction: Knex.Transaction) => Promise<void>;

export interface Recorder {
  /**
   * Returns once the row is durable. Throws `routing_not_found` when the deployment or the environment was removed
   * meanwhile, `dependency_unavailable` when MySQL can't take it.
   */
  recordExecution(record: ExecutionRecord, alongside?: Alongside): Promise<void>;
  /** Best effort: nobody waits for it, and under pressure it is dropped and counted. */
  recordEvaluation(record: RunRecord): void;
  /** Resolves when nothing is left to write. */
  drain(): Promise<void>;
  readonly droppedEvaluations: number;
}

/** Evaluations that may wait to be written. */
const maxPendingEvaluations = 64;

export function createRecorder({ database, recordFacts }: { database: Knex; recordFacts: boolean }): Recorder {
  const pending = new Set<Promise<void>>();
  let droppedEvaluations = 0;

  const common = (record: RunRecord): Record<string, string | number | Buffer | Date | null> => ({
    id: idToBytes(record.id),
    workspace_id: idToBytes(record.workspaceId),
    decision_id: idToBytes(record.decisionId),
    version: record.version,
    status: record.status,
    fact: recordFacts ? record.fact : null,
    result: record.result,
    error: record.error,
    engine_us: Math.min(record.engineUs, 4_294_967_295),
    request_id: idToBytes(record.requestId),
    principal: record.principal.slice(0, 255),
    created_at: record.createdAt,
  });

  async function insertExecution(record: ExecutionRecord, alongside: Alongside | undefined): Promise<void> {
    const row = {
      ...common(record),
      environment_id: idToBytes(record.environmentId),
      deployment_id: idToBytes(record.deploymentId),
      trace: record.trace,
      updated_at: record.createdAt,
    };
    if (alongside === undefined) await database('executions').insert(row);
    else
      await database.transaction(async (transaction) => {
        await transaction('executions').insert(row);
        await alongside(transaction);
      });
  }

  return {
    get droppedEvaluations() {
      return droppedEvaluations;
    },
    async recordExecution(record, alongside) {
      try {
        await insertExecution(record, alongside);
      } catch (error) {
        if (mysqlErrno(error) !== mysqlErrors.noReferencedRow) throw error;
        throw new Problem('routing_not_found', 'The deployment was removed while the decision ran.', { cause: error });
      }
    },
    recordEvaluation(record) {
      if (pending.size >= maxPendingEvaluations) {
        droppedEvaluations++;
        return;
      }
      const writing: Promise<void> = database('evaluations')
        .insert(common(record))
        .then(
          () => undefined,
          () => {
            droppedEvaluations++;
          },
        )
        .finally(() => pending.delete(writing));
      pending.add(writing);
    },
    async drain() {
      await Promise.all(pending);
    },
  };
}
