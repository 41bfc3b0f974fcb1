import type { Connection } from '../storage/database.js';
import { idToBytes, newId } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import type { Review } from './changes.schema.js';
import { rowsByRequest } from './rowsByRequest.js';

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
  { workspaceId, id }: ResourceRef,
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
export const readReviews = (
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Review[]>> =>
  rowsByRequest(connection, { workspaceId, ids }, { table: 'change_reviews', columns, order: 'id', mapRow });
