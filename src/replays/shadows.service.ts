import type { Writer } from '../audit/audit.store.js';
import type { Violation } from '../errors.js';
import { parseTimestamp } from '../formats.js';
import { settingsOf } from './replayPlan.js';
import { RunningResource } from './runningResource.js';
import { maxDays, type CreateShadow, type ShadowStatus } from './shadows.schema.js';
import { insertShadow, running, shadows, type StoredShadow } from './shadows.store.js';
import { Tallies } from './tallies.js';

const dayMs = 24 * 60 * 60 * 1000;

export const statusOf = ({ endedAt, expiresAt }: StoredShadow): ShadowStatus => {
  if (endedAt !== null) return 'CANCELLED';
  return expiresAt.getTime() <= Date.now() ? 'COMPLETED' : 'RUNNING';
};

/** That the time when a shadow is to end is over already, or too far away. */
export function findExpiryViolations({ expiresAt }: Readonly<Record<string, unknown>>): readonly Violation[] {
  const date = typeof expiresAt === 'string' ? parseTimestamp(expiresAt) : undefined;
  if (date === undefined) return [];
  const fromNow = date.getTime() - Date.now();
  if (fromNow > 0 && fromNow <= maxDays * dayMs) return [];
  return [{ in: 'body', pointer: '/expiresAt', message: `must be in the future, and at most ${maxDays} days away` }];
}

export const runningShadows = new RunningResource<StoredShadow>({
  type: 'shadow',
  maxRunning: 10,
  retryAfter: 60,
  version: '/version',
  running,
  rows: shadows,
  isRunning: (shadow) => statusOf(shadow) === 'RUNNING',
  cancel: (transaction, ref) => shadows.update(transaction, ref, { endedAt: new Date() }),
  remove: (...of) => shadows.delete(...of),
  stateOf: (shadow) => ({ id: shadow.id, status: statusOf(shadow), ...(JSON.parse(shadow.request) as object) }),
});

/** Starts a shadow. Rejects with `reference_not_found`, and with `too_many_requests` where too many run. */
export function createShadow(writer: Writer, workspaceId: string, request: CreateShadow): Promise<StoredShadow> {
  // By the schema.
  const expiresAt = parseTimestamp(request.expiresAt) ?? new Date(0);
  const requestText = JSON.stringify({ ...request, expiresAt: expiresAt.toISOString() });
  const report = new Tallies().report(settingsOf(request));
  return runningShadows.start(writer, workspaceId, request, (transaction, ref) =>
    insertShadow(transaction, { ...ref, request: requestText, report, expiresAt }),
  );
}
