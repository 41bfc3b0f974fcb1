import type { ModelWork } from '../../../workers/models/index.js';
import type { TakesTurns } from '../../turns/largeWork.js';

/** Has a piece of a workspace's work done when its turn has come. */
export type InTurn = <T>(piece: () => Promise<T>) => Promise<T>;

/** The turns of one workspace, for what has begun and is not refused any more. */
export const inTurnOf =
  (large: TakesTurns, workspaceId: string): InTurn =>
  (piece) =>
    large.during(workspaceId, piece, { patient: true });

/** Work of which there may be ten thousand pieces: each waits for its turn. */
export const modelWorkInTurns = (work: ModelWork, large: TakesTurns): ModelWork => ({
  work: (workspaceId, task) => inTurnOf(large, workspaceId)(() => work.work(workspaceId, task)),
});
