import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { mayTellOfFailure, queueEvents } from '../events/events.store.js';
import { inTransaction } from '../storage/database.js';
import type { ExecutionRecord } from './recorder/record.js';

/** Workspaces whose last failure is remembered. */
const maxRemembered = 10_000;
/** A workspace hears of one failure in so many milliseconds. */
const everyMs = 1000;

/** Tells workspaces' callbacks of failed executions, some of them, after they are recorded. No answer waits for it. */
export function createFailureEvents(database: Knex): (record: ExecutionRecord) => void {
  const asked = new LRUCache<string, number>({ max: maxRemembered });
  return (record) => {
    const now = performance.now();
    if (now - (asked.get(record.workspaceId) ?? -Infinity) < everyMs) return;
    asked.set(record.workspaceId, now);
    // Where it could not be told, the next one is.
    tell(database, record).catch(() => asked.delete(record.workspaceId));
  };
}

function tell(database: Knex, record: ExecutionRecord): Promise<void> {
  const { workspaceId, id: executionId, environmentId, deploymentId, decisionId, version } = record;
  return inTransaction(database, async (transaction) => {
    if (!(await mayTellOfFailure(transaction, workspaceId))) return;
    const data = { executionId, environmentId, deploymentId, decisionId, version };
    await queueEvents(transaction, [{ workspaceId, kind: 'execution.failed', data }]);
  });
}
