import type { Knex } from 'knex';
import { mayReportFailure, queueEvents } from '../events/events.store.js';
import { Limiter } from '../rates/limiter.js';
import { inTransaction } from '../storage/database.js';
import type { ExecutionObserver, LiveExecution } from './liveExecution.js';

/** Events of a workspace. */
const rate = { burst: 1, perSecond: 1 };

/** Sends events of failed executions, at most one a second for a workspace, after they are recorded. No answer waits for it. */
export function createFailureEvents(database: Knex): ExecutionObserver {
  const limiter = new Limiter();
  return {
    offer(run) {
      if (run.status !== 'FAILED' || limiter.take(run.workspaceId, rate) > 0) return;
      // Where the event could not be queued, the next failure's is.
      tell(database, run).catch(() => limiter.giveBack(run.workspaceId, rate));
    },
  };
}

function tell(database: Knex, run: LiveExecution): Promise<void> {
  const { workspaceId, id: executionId, environmentId, deploymentId, decisionId, version } = run;
  return inTransaction(database, async (transaction) => {
    if (!(await mayReportFailure(transaction, workspaceId))) return;
    const data = { executionId, environmentId, deploymentId, decisionId, version };
    await queueEvents(transaction, [{ workspaceId, kind: 'execution.failed', data }]);
  });
}
