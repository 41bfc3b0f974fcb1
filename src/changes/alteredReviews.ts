import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import type { Review } from './changes.schema.js';
import { readReviews } from './reviews.store.js';

const pageSize = 200;

/**
 * The change requests of a workspace whose reviews are not those that the audit trail tells of: each entry of a request has
 * all of its reviews until then, and has a leaf itself. What has no entry any more is not compared.
 */
export async function* requestsWithOtherReviews(connection: Connection, workspaceId: string): AsyncGenerator<string> {
  const rows = connection('change_requests').select('id').where('workspace_id', idToBytes(workspaceId));
  for await (const page of inPages<{ readonly id: Buffer }>(rows, pageSize))
    for (const id of page.map((row) => idFromBytes(row.id))) {
      // Somebody may review it at this very moment: then the second look is as told.
      if ((await isAsTold(connection, workspaceId, id)) || (await isAsTold(connection, workspaceId, id))) continue;
      yield id;
    }
}

async function isAsTold(connection: Connection, workspaceId: string, id: string): Promise<boolean> {
  const reviews = (await readReviews(connection, workspaceId, [id])).get(id) ?? [];
  const [entry] = (await connection(connection.raw('audit_entries FORCE INDEX (audit_entries_resource)'))
    .select('after_state')
    .where({ workspace_id: idToBytes(workspaceId), resource_id: id, resource_type: 'change_request' })
    .orderBy('id', 'desc')
    .limit(1)) as { after_state: string | null }[];
  if (entry === undefined) return true;
  const { reviews: told = [] } = JSON.parse(entry.after_state ?? '{}') as { readonly reviews?: readonly Review[] };
  return textOf(reviews) === textOf(told);
}

const textOf = (reviews: readonly Review[]): string =>
  JSON.stringify(
    reviews.map(({ principal, verdict, digest, message, at }) => [principal, verdict, digest, message ?? null, at]),
  );
