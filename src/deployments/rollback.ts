import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import type { NewAuditEntry } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import type { Revised } from '../storage/resourceTable.js';
import type { Deployment } from './deployments.schema.js';
import { isRollBack } from './rollBackTarget.js';
import { pairColumns, readRoute, type Pair, type RoutingChange } from './routing.js';

/**
 * Refuses what is no rollback: another saved version than the present one, which was in force there before. The working
 * copy is none, since it is not what it was.
 * @throws Problem `approval_required`
 */
export async function requireRollback(transaction: Knex.Transaction, pair: Pair, version: number): Promise<void> {
  const { value: present } = await readRoute(transaction, pair);
  if (version > 0 && present?.version !== version && (await wasInForce(transaction, pair, version))) return;
  throw new Problem(
    'approval_required',
    `The environment ${pair.environmentId} is protected: only a version that was in force there before may be deployed ` +
      'directly; open a change request for another.',
  );
}

/** Whether it takes back what is in force now: by a page, by the command line, or by whoever deploys what was there before. */
export async function goesBack(transaction: Knex.Transaction, pair: Pair, version: number): Promise<boolean> {
  if (version === 0) return false;
  const newest = (await transaction('routings')
    .select('version')
    .where(pairColumns(pair))
    .orderBy('seq', 'desc')
    .limit(mostSteps)) as { readonly version: number }[];
  return isRollBack(newest, version);
}

/** Further back nobody rolls; a pipeline may have deployed for years. */
const mostSteps = 1000;

async function wasInForce(transaction: Knex.Transaction, pair: Pair, version: number): Promise<boolean> {
  const rows = (await transaction('routings')
    .select('seq')
    .where({ ...pairColumns(pair), version })
    .limit(1)) as unknown[];
  return rows.length > 0;
}

/** What a deployment has made, and the route that follows from it, to be published after the commit. */
export interface Deployed {
  readonly stored: Revised<Deployment>;
  readonly change: RoutingChange;
}

/** Says apart from the deployment that it goes back, or that nobody had to approve it in a protected environment. */
export const rollbackEntry = (actor: Actor, { stored, change }: Deployed): NewAuditEntry => ({
  actor,
  workspaceId: stored.workspaceId,
  action: 'deployment.rollback',
  resource: { type: 'deployment', id: stored.id },
  before: change.before,
  after: {
    deploymentId: stored.id,
    version: stored.version,
    decisionId: stored.decisionId,
    environmentId: stored.environmentId,
  },
});
