import type { Knex } from 'knex';
import { findVersion, listDependencies, type Version } from '../decisions/versions.store.js';
import { readRoute } from '../deployments/routing.js';
import { findClient, isActive } from '../oauth/clients.store.js';
import type { Protection } from '../protections/protections.schema.js';
import { idToBytes, lowestIdAt } from '../storage/ids.js';
import { grantsOf } from '../workspaces/grants.store.js';
import type { Approving } from './approvals.js';
import type { Review } from './changes.schema.js';
import type { Target } from './references.js';
import type { Head } from './requests.store.js';

interface Reviewed {
  readonly head: Pick<Head, 'workspaceId' | 'environmentId' | 'author'>;
  readonly targets: readonly Target[];
  readonly reviews: readonly Review[];
  readonly digest: string;
  readonly protection: Protection;
}

export async function approvingOf(
  transaction: Knex.Transaction,
  { head, targets, reviews, digest, protection }: Reviewed,
): Promise<Approving> {
  const interested = new Set([head.author, ...targets.map(({ savedBy }) => savedBy)]);
  for (const target of targets)
    for (const principal of await writersOf(transaction, head, target)) interested.add(principal);
  const lapsed = await lapsedOf(transaction, head.workspaceId, reviews);
  return { digest, reviews, protection, interested: [...interested], lapsed };
}

/** The clocks of processes may differ by so much: rather one writer too many than one too few. */
const slackMs = 1000;

/** Who wrote or saved any content that a version would newly bring into force, as the audit trail tells. */
async function writersOf(
  transaction: Knex.Transaction,
  { workspaceId, environmentId }: Reviewed['head'],
  { decisionId, version }: Target,
): Promise<string[]> {
  const found = await findVersion(transaction, workspaceId, decisionId, version);
  if (found === undefined) return [];
  const route = (await readRoute(transaction, { workspaceId, environmentId, decisionId })).value;
  // A working copy that is in force is written all the time: then everything is new.
  const present = route === null ? undefined : await findVersion(transaction, workspaceId, decisionId, route.version);
  const known = present === undefined ? new Map<string, string>() : await contentsOf(transaction, workspaceId, present);
  const added = [...(await contentsOf(transaction, workspaceId, found))].filter(([id, hash]) => known.get(id) !== hash);
  if (added.length === 0) return [];
  const entries = transaction(transaction.raw('audit_entries FORCE INDEX (audit_entries_resource)'))
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn(
      'resource_id',
      added.map(([id]) => id),
    )
    .whereIn('action', ['decision.create', 'decision.update', 'version.create'])
    .where('id', '<', lowestIdAt(new Date(found.createdAt.getTime() + slackMs)))
    // A new key is no content.
    .whereRaw("NOT (JSON_EXTRACT(before_state, '$.contentHash') <=> JSON_EXTRACT(after_state, '$.contentHash'))");
  if (present !== undefined && present.createdAt < found.createdAt) {
    // What it did not reach is new whenever it was written.
    const since = lowestIdAt(new Date(present.createdAt.getTime() - slackMs));
    const reachedFirst = added.map(([id]) => id).filter((id) => !known.has(id));
    void entries.where((row) => void row.where('id', '>=', since).orWhereIn('resource_id', reachedFirst));
  }
  return (await entries.distinct('principal').pluck('principal')) as string[];
}

async function contentsOf(
  transaction: Knex.Transaction,
  workspaceId: string,
  { decisionId, version, contentHash }: Version,
): Promise<Map<string, string>> {
  const reached = await listDependencies(transaction, workspaceId, decisionId, version);
  return new Map([[decisionId, contentHash], ...reached.map((one) => [one.decisionId, one.contentHash] as const)]);
}

const clientName = /^client:([0-9a-f-]{36})$/;

/** Clients that have reviewed, and might not any more: they are gone, or have lost the scope or the workspace. */
async function lapsedOf(
  transaction: Knex.Transaction,
  workspaceId: string,
  reviews: readonly Review[],
): Promise<string[]> {
  const lapsed: string[] = [];
  for (const principal of new Set(reviews.map((review) => review.principal))) {
    const [, id] = clientName.exec(principal) ?? [];
    if (id === undefined) continue;
    const client = await findClient(transaction, id);
    const granted = client === undefined ? [] : ((await grantsOf(transaction, client.tenantId, [id])).get(id) ?? []);
    const mayReview =
      client !== undefined &&
      isActive(client) &&
      client.scopes.includes('change:review') &&
      granted.includes(workspaceId);
    if (!mayReview) lapsed.push(principal);
  }
  return lapsed;
}
