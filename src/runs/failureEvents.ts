import type { Knex } from 'knex';
import { Recent } from '../../workers/recent/index.js';
import { mayReportFailure, queueEvents } from '../events/events.store.js';
import { inTransaction } from '../storage/database.js';
import type { ExecutionRecord } from './recorder/record.js';

/** Workspaces whose last failure is remembered. */
const maxRemembered = 10_000;
/** A workspace gets at most one event in so many milliseconds. */
const everyMs = 1000;

/** Sends events of failed executions, at most one a second for a workspace, after they are recorded. No answer waits for it. */
export function createFailureEvents(database: Knex): (record: ExecutionRecord) => void {
  const lastAttempts = new Recent<number>({ maxCount: maxRemembered });
  return (record) => {
    const now = performance.now();
    if (now - (lastAttempts.get(record.workspaceId) ?? -Infinity) < everyMs) return;
    lastAttempts.set(record.workspaceId, now);
    // Where the event could not be queued, the next failure's is.
    tell(database, record).catch(() => lastAttempts.delete(record.workspaceId));
  };
}

function tell(database: Knex, record: ExecutionRecord): Promise<void> {
  const { workspaceId, id: executionId, environmentId, deploymentId, decisionId, version } = record;
  return inTransaction(database, async (transaction) => {
    if (!(await mayReportFailure(transaction, workspaceId))) return;
    const data = { executionId, environmentId, deploymentId, decisionId, version };
    await queueEvents(transaction, [{ workspaceId, kind: 'execution.failed', data }]);
  });
}
