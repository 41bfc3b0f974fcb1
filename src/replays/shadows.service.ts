import type { Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { parseTimestamp } from '../formats.js';
import { settingsOf } from './planOf.js';
import { RunningResource } from './runningResource.js';
import { maxDays, type CreateShadow, type ShadowStatus } from './shadows.schema.js';
import { insertShadow, running, shadows, type StoredShadow } from './shadows.store.js';
import { Tallies } from './tallies.js';

const dayMs = 24 * 60 * 60 * 1000;

export const statusOf = ({ endedAt, expiresAt }: StoredShadow): ShadowStatus => {
  if (endedAt !== null) return 'CANCELLED';
  return expiresAt.getTime() <= Date.now() ? 'COMPLETED' : 'RUNNING';
};

/** When a shadow is to end. Throws `validation_failed` where that is over already, or too far away. */
export function expiryOf({ expiresAt }: Pick<CreateShadow, 'expiresAt'>): Date {
  const date = parseTimestamp(expiresAt) ?? new Date(0);
  const fromNow = date.getTime() - Date.now();
  if (fromNow > 0 && fromNow <= maxDays * dayMs) return date;
  const message = `must be in the future, and at most ${maxDays} days away`;
  throw new Problem('validation_failed', 'The body breaks its schema.', {
    errors: [{ in: 'body', pointer: '/expiresAt', message }],
  });
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
export function createShadow(
  writer: Writer,
  workspaceId: string,
  { request, expiresAt }: { readonly request: CreateShadow; readonly expiresAt: Date },
): Promise<StoredShadow> {
  const requestText = JSON.stringify({ ...request, expiresAt: expiresAt.toISOString() });
  const report = new Tallies().report(settingsOf(request));
  return runningShadows.start(writer, workspaceId, request, (transaction, ref) =>
    insertShadow(transaction, { ...ref, request: requestText, report, expiresAt }),
  );
}
