import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import type { Place } from '../storage/resourceTable.js';
import type { Review } from './changes.schema.js';

interface Row {
  readonly change_request_id: Buffer;
  readonly principal: string;
  readonly verdict: Review['verdict'];
  readonly digest: Buffer;
  readonly message: string | null;
  readonly created_at: Date;
}

const columns = ['change_request_id', 'principal', 'verdict', 'digest', 'message', 'created_at'];

const mapRow = (row: Row): Review => ({
  principal: row.principal,
  verdict: row.verdict,
  digest: row.digest.toString('hex'),
  message: row.message,
  at: row.created_at.toISOString(),
});

export async function insertReview(
  connection: Connection,
  { workspaceId, id }: Place,
  { principal, verdict, digest, message }: Omit<Review, 'at'>,
): Promise<void> {
  await connection('change_reviews').insert({
    id: idToBytes(newId()),
    change_request_id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    principal,
    verdict,
    digest: Buffer.from(digest, 'hex'),
    message,
    created_at: new Date(),
  });
}

/** The reviews of requests, oldest first. */
export async function readReviews(
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Review[]>> {
  const found = new Map<string, Review[]>();
  for (const batch of batches(ids)) {
    const rows = (await connection('change_reviews')
      .select(columns)
      .where('workspace_id', idToBytes(workspaceId))
      .whereIn('change_request_id', batch.map(idToBytes))
      .orderBy(['change_request_id', 'id'])) as Row[];
    for (const row of rows) {
      const id = idFromBytes(row.change_request_id);
      found.set(id, [...(found.get(id) ?? []), mapRow(row)]);
    }
  }
  return found;
}
