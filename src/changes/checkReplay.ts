import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { parseBound, resultKinds, type BoundedReport } from '../replays/bound.js';
import { createReplay } from '../replays/replays.service.js';
import { replays } from '../replays/replays.store.js';
import { inTransaction } from '../storage/database.js';
import { noteReplay, type CheckOutcome, type ClaimedCheck } from './checks.store.js';
import { requireHead, updateHead } from './requests.store.js';
import { detailOf } from './runCheck.js';

/** The replay runs, or the check waits to start it until fewer others run. */
export type ReplayUnderWay = 'runs' | 'waits';

/** Starts a replay of the environment's newest recorded executions on the version, or looks how far it is. */
export async function checkReplay(database: Knex, check: ClaimedCheck): Promise<CheckOutcome | ReplayUnderWay> {
  const { workspaceId, shown } = check;
  if (shown.replayId === undefined) return (await startReplay(database, check)) ? 'runs' : 'waits';
  const replay = await replays.find(database, { workspaceId, id: shown.replayId });
  if (replay?.status === 'RUNNING') return 'runs';
  if (replay?.status !== 'COMPLETED') {
    const why = replay === undefined ? 'was removed' : `is ${replay.status}`;
    return { passed: false, detail: detailOf(check, `its replay ${why}`), report: null };
  }
  const report = JSON.parse(replay.report) as BoundedReport;
  const { replayed, changed, skipped } = report;
  const counted = `of ${replayed} recorded executions ${changed} change (wanted: ${check.wanted})`;
  const left = Object.entries(skipped).map(([reason, count]) => `${reason}: ${count}`);
  const detail = left.length === 0 ? counted : `${counted}; skipped were ${left.join(', ')}`;
  return { passed: isKept(check.wanted, report), detail: detailOf(check, detail), report: replay.report };
}

/**
 * Whether a bound is kept. Executions in which the candidate read a secret or called a host could not be compared; they count as the
 * worst outcome, or a candidate could hide its changes by doing so.
 */
function isKept(wanted: string, report: BoundedReport): boolean {
  const keeps = parseBound(wanted);
  if (keeps?.(report) !== true) return false;
  const unseen = (report.skipped['secret'] ?? 0) + (report.skipped['http'] ?? 0);
  const replayed = report.replayed + unseen;
  return unseen === 0 || resultKinds.every((name) => keeps({ ...report, replayed, [name]: report[name] + unseen }));
}

/** Starts the replay in the name of the request's author. False where too many replays run already. */
async function startReplay(database: Knex, check: ClaimedCheck): Promise<boolean> {
  const { workspaceId, changeRequestId, decisionId, version } = check;
  const ref = { workspaceId, id: changeRequestId };
  const { environmentId, author } = await requireHead(database, ref);
  const actor = { principal: author, requestId: null };
  try {
    const { id } = await createReplay({ database, actor }, workspaceId, {
      decisionId,
      environmentId,
      candidate: { version },
    });
    await inTransaction(database, async (transaction) => {
      await requireHead(transaction, ref, 'locked');
      await noteReplay(transaction, check, id);
      await updateHead(transaction, ref, {});
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === 'too_many_requests') return false;
    throw error;
  }
}
