import type { Writer } from '../audit/audit.store.js';
import { cancelReplay, insertReplay, removeReplay, replays, running, type StoredReplay } from './replays.store.js';
import type { CreateReplay } from './replays.schema.js';
import { settingsOf } from './replayPlan.js';
import { RunningResource } from './runningResource.js';
import { Tallies } from './tallies.js';

export const runningReplays = new RunningResource<StoredReplay>({
  type: 'replay',
  maxRunning: 2,
  retryAfter: 10,
  version: '/candidate/version',
  running,
  rows: replays,
  isRunning: ({ status }) => status === 'RUNNING',
  cancel: cancelReplay,
  remove: removeReplay,
  stateOf: ({ id, status, done, total, request }) => ({
    id,
    status,
    done,
    total,
    request: JSON.parse(request) as object,
  }),
});

/** Starts a replay. Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
export function createReplay(writer: Writer, workspaceId: string, request: CreateReplay): Promise<StoredReplay> {
  const { decisionId, environmentId, candidate } = request;
  const references = { decisionId, environmentId, version: candidate.version };
  const report = new Tallies().report(settingsOf(request));
  return runningReplays.start(writer, workspaceId, references, (transaction, ref) =>
    insertReplay(transaction, { ...ref, request: JSON.stringify(request), report }),
  );
}
