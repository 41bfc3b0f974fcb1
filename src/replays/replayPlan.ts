import type { ComparisonSettings } from '../../workers/models/index.js';
import { parseTimestamp } from '../formats.js';
import { idTime, lowestIdAt } from '../storage/ids.js';
import type { Candidate } from './comparer.js';
import type { ComparisonFields } from './comparisons.schema.js';
import type { RecordScope } from './records.store.js';
import { defaultLimit, type CreateReplay } from './replays.schema.js';

/** How results are compared, as a request says. @param reach whether it is counted what of the model is reached */
export const settingsOf = (fields: ComparisonFields, reach = false): ComparisonSettings => {
  const { ignore = [], tolerance = 0, measures = [], outcomes = [], result: stated = null } = fields;
  return { ignore, tolerance, measures, outcomes, stated, reach };
};

/** What a request for a replay means. */
export interface ReplayPlan {
  readonly candidate: Candidate;
  readonly scope: RecordScope;
  /** Executions are replayed from the newest one before that id on. */
  readonly before: Buffer;
  readonly limit: number;
}

/** @param id of the replay: executions that come later are not in it */
export function planOf(workspaceId: string, id: string, request: CreateReplay): ReplayPlan {
  const { decisionId, environmentId, candidate, from, to, filter, limit = defaultLimit } = request;
  const until = lowestIdAt(new Date(idTime(id).getTime() + 1));
  const bound = to === undefined ? until : lowestIdAt(parseTimestamp(to) ?? new Date(0));
  return {
    candidate: {
      workspaceId,
      environmentId,
      decisionId,
      version: candidate.version,
      settings: settingsOf(request, true),
    },
    scope: {
      workspaceId,
      decisionId,
      environmentId,
      status: filter?.status,
      version: filter?.version,
      from: from === undefined ? undefined : parseTimestamp(from),
    },
    before: Buffer.compare(bound, until) < 0 ? bound : until,
    limit,
  };
}
