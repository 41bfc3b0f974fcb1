import { Fields, hex, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idToBytes, newId } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import type { Review } from './changes.schema.js';
import { rowsByRequest } from './rowsByRequest.js';

const fields = new Fields<Review>({
  principal: plain('principal'),
  verdict: plain('verdict'),
  digest: hex('digest'),
  message: plain('message'),
  at: time('created_at'),
});
const columns = ['change_request_id', ...fields.names];

export async function insertReview(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
  given: Omit<Review, 'at'>,
): Promise<Review> {
  const review = { ...given, at: new Date().toISOString() };
  await connection('change_reviews').insert({
    id: idToBytes(newId()),
    change_request_id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    ...fields.toRow(review),
  });
  return review;
}

/** The reviews of requests, oldest first. */
export const readReviews = (
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Review[]>> =>
  rowsByRequest(
    connection,
    { workspaceId, ids },
    { table: 'change_reviews', columns, order: 'id', mapRow: fields.map },
  );
