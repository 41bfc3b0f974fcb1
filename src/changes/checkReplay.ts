import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { parseBound, type BoundedReport } from '../replays/bound.js';
import { createReplay } from '../replays/replays.service.js';
import { findReplay } from '../replays/replays.store.js';
import { inTransaction } from '../storage/database.js';
import { noteReplay, type CheckOutcome, type ClaimedCheck } from './checks.store.js';
import { requireHead, updateHead } from './requests.store.js';
import { detailOf } from './runCheck.js';

export interface ReplayParts {
  readonly database: Knex;
  readonly runner: { wake(): void };
}

/**
 * Starts a replay of the environment's newest recorded executions on the version, or looks how far it is. Undefined while
 * it runs, or has to wait because others run.
 */
export async function checkReplay(
  { database, runner }: ReplayParts,
  check: ClaimedCheck,
): Promise<CheckOutcome | undefined> {
  const { workspaceId, shown } = check;
  if (shown.replayId === undefined) {
    await startReplay(database, check);
    runner.wake();
    return undefined;
  }
  const replay = await findReplay(database, { workspaceId, id: shown.replayId });
  if (replay?.status === 'RUNNING') return undefined;
  if (replay?.status !== 'COMPLETED') {
    const why = replay === undefined ? 'was removed' : `is ${replay.status}`;
    return { passed: false, detail: detailOf(check, `its replay ${why}`), report: null };
  }
  const report = JSON.parse(replay.report) as BoundedReport;
  const { replayed, changed } = report;
  const passed = parseBound(check.wanted)?.(report) === true;
  const counted = `of ${replayed} recorded executions ${changed} change (wanted: ${check.wanted})`;
  return { passed, detail: detailOf(check, counted), report: replay.report };
}

/** For the author of the request, who has caused it. Where too many run, it is tried again later. */
async function startReplay(database: Knex, check: ClaimedCheck): Promise<void> {
  const { workspaceId, changeRequestId, decisionId, version } = check;
  const place = { workspaceId, id: changeRequestId };
  const { environmentId, author } = await requireHead(database, place);
  const actor = { principal: author, requestId: null };
  try {
    const { id } = await createReplay({ database, actor }, workspaceId, {
      decisionId,
      environmentId,
      candidate: { version },
    });
    await inTransaction(database, async (transaction) => {
      await requireHead(transaction, place, 'locked');
      await noteReplay(transaction, check, id);
      await updateHead(transaction, place, {});
    });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'too_many_requests')) throw error;
  }
}
