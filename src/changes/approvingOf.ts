import { findVersion, listDependencies, type Version } from '../decisions/versions.store.js';
import { findClient, isActive } from '../oauth/clients.store.js';
import { userNamed } from '../oauth/principal.js';
import type { Protection } from '../protections/protections.schema.js';
import type { Connection } from '../storage/database.js';
import { idToBytes, lowestIdAt } from '../storage/ids.js';
import { grantsOf } from '../workspaces/grants.store.js';
import { mayHave } from '../workspaces/policies.js';
import { listPolicies } from '../workspaces/policies.store.js';
import type { Approving } from './approvals.js';
import type { Change, Review } from './changes.schema.js';
import { isOpen, type StoredRequest } from './requests.store.js';

/** What a request is judged by where that is not as it is stored. */
interface Judged<P extends Protection | undefined> {
  readonly protection: P;
  readonly digest?: string;
  readonly reviews?: readonly Review[];
  /** In place of what each change comes. */
  readonly replaced?: readonly Change['replaces'][];
}

/** What decides now whether a request is approved; of one that has ended, who could review it once is taken to be able yet. */
export async function approvingOf<P extends Protection | undefined>(
  connection: Connection,
  { head, items, resource }: StoredRequest,
  {
    protection,
    digest = head.digest,
    reviews = resource.reviews,
    replaced = resource.changes.map(inPlaceOf),
  }: Judged<P>,
): Promise<Approving & { readonly protection: P }> {
  const interested = new Map<string, string>();
  for (const [at, { detail }] of items.entries()) {
    if (detail.type !== 'deploy') continue;
    const found = await findVersion(connection, head.workspaceId, detail.decisionId, detail.version);
    if (found === undefined) continue;
    for (const principal of await writersOf(connection, head.workspaceId, found, replaced[at]?.version))
      interested.set(principal, 'by who wrote what it brings into force');
    interested.set(found.savedBy, 'by who saved the version');
  }
  interested.set(head.author, 'by who asked for it');
  const lapsed = isOpen(head) ? await lapsedOf(connection, head.workspaceId, reviews) : [];
  return { digest, reviews, protection, interested, lapsed };
}

const inPlaceOf = ({ replaces }: Change): Change['replaces'] => replaces;

/** The clocks of processes may differ by so much: rather one writer too many than one too few. */
const slackMs = 1000;

/**
 * Who wrote or saved any content that a version would newly bring into force, as the audit trail tells: of it and of each
 * decision that it reaches, unless the version that it replaces reaches the same content.
 */
async function writersOf(
  connection: Connection,
  workspaceId: string,
  found: Version,
  replaced: number | undefined,
): Promise<string[]> {
  const { decisionId } = found;
  // A working copy that is in force is written all the time: then everything is new.
  const present = replaced === undefined ? undefined : await findVersion(connection, workspaceId, decisionId, replaced);
  const known = present === undefined ? new Map<string, string>() : await contentsOf(connection, workspaceId, present);
  const added = [...(await contentsOf(connection, workspaceId, found))].filter(([id, hash]) => known.get(id) !== hash);
  if (added.length === 0) return [];
  const entries = connection(connection.raw('audit_entries FORCE INDEX (audit_entries_resource)'))
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn(
      'resource_id',
      added.map(([id]) => id),
    )
    .whereIn('action', ['decision.create', 'decision.update', 'version.create'])
    .where('id', '<', lowestIdAt(new Date(found.createdAt.getTime() + slackMs)))
    // A new key is no content.
    .whereRaw("NOT (JSON_EXTRACT(before_state, '$.contentHash') <=> JSON_EXTRACT(after_state, '$.contentHash'))");
  // Who wrote what is in force already wrote nothing new by that, however shortly before its version was saved.
  for (const [id, hash] of known) {
    if (!added.some(([one]) => one === id)) continue;
    void entries.whereRaw(
      "NOT (resource_id = ? AND COALESCE(JSON_UNQUOTE(JSON_EXTRACT(after_state, '$.contentHash')), '') = ?)",
      [id, hash],
    );
  }
  if (present !== undefined && present.createdAt < found.createdAt) {
    // What it did not reach is new whenever it was written.
    const since = lowestIdAt(new Date(present.createdAt.getTime() - slackMs));
    const reachedFirst = added.map(([id]) => id).filter((id) => !known.has(id));
    void entries.where((row) => void row.where('id', '>=', since).orWhereIn('resource_id', reachedFirst));
  }
  return (await entries.distinct('principal').pluck('principal')) as string[];
}

/** The contents of a version and of all that it reaches, by decision. */
async function contentsOf(
  connection: Connection,
  workspaceId: string,
  { decisionId, version, contentHash }: Version,
): Promise<Map<string, string>> {
  const reached = await listDependencies(connection, workspaceId, decisionId, version);
  return new Map([[decisionId, contentHash], ...reached.map((one) => [one.decisionId, one.contentHash] as const)]);
}

const clientName = /^client:([0-9a-f-]{36})$/;

/** Who has reviewed, and might not any more: clients that are gone, or users and clients that lost the scope or the workspace. */
async function lapsedOf(connection: Connection, workspaceId: string, reviews: readonly Review[]): Promise<string[]> {
  const lapsed: string[] = [];
  for (const principal of new Set(reviews.map((review) => review.principal))) {
    const [, id] = clientName.exec(principal) ?? [];
    const user = userNamed(principal);
    const mayReview =
      id !== undefined
        ? await mayClientReview(connection, workspaceId, id)
        : user === undefined || mayHave(await listPolicies(connection, workspaceId), 'change:review', user);
    if (!mayReview) lapsed.push(principal);
  }
  return lapsed;
}

async function mayClientReview(connection: Connection, workspaceId: string, id: string): Promise<boolean> {
  const client = await findClient(connection, id);
  if (client === undefined || !isActive(client) || !client.scopes.includes('change:review')) return false;
  const granted = (await grantsOf(connection, client.tenantId, [id])).get(id) ?? [];
  return granted.includes(workspaceId);
}
