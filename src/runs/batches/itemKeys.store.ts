import { type Connection, now } from '../../storage/database.js';
import { idFromBytes, idToBytes } from '../../storage/ids.js';
import { erasedStatus } from '../erase.store.js';
import { executionKeys } from '../idempotency.js';

/** What an item's key was used for. */
interface ItemKey {
  readonly digest: Buffer;
  readonly requestDigest: Buffer;
  readonly executionId: string;
  /** The model's own result, encrypted, where the record's is redacted. */
  readonly answer: Buffer | null;
}

/** A key with the record that it stands for. */
export interface UsedKey extends ItemKey {
  /** What the request was answered is gone. */
  readonly isErased: boolean;
  readonly record: RecordedOutcome;
}

export interface RecordedOutcome {
  readonly status: 'COMPLETED' | 'FAILED';
  readonly result: string;
  readonly error: string | null;
  readonly engineUs: number;
}

interface Row {
  readonly digest: Buffer;
  readonly request_digest: Buffer;
  readonly execution_id: Buffer;
  readonly answer: Buffer | null;
  readonly used_status: number | null;
  readonly status: RecordedOutcome['status'] | null;
  readonly result: string;
  readonly error: string | null;
  readonly engine_us: number;
}

/**
 * Of the keys with these digests, those that were used and whose record is still there. The others are free from now on:
 * their time is over, or their record was pruned.
 */
export async function takeUsedKeys(
  connection: Connection,
  workspaceId: string,
  digests: readonly Buffer[],
): Promise<UsedKey[]> {
  const workspace = idToBytes(workspaceId);
  const rows = (await connection('idempotency_keys as k')
    .select(
      'k.digest',
      'k.request_digest',
      'k.execution_id',
      'k.answer',
      'k.status as used_status',
      'e.status',
      'e.result',
      'e.error',
      'e.engine_us',
    )
    .leftJoin('executions as e', (join) =>
      join
        .on('e.id', 'k.execution_id')
        .andOn('e.workspace_id', 'k.workspace_id')
        .andOn('k.expires_at', '>', connection.raw(now)),
    )
    .where('k.workspace_id', workspace)
    .whereIn('k.digest', digests)) as Row[];
  const stale = rows.filter(({ status }) => status === null);
  if (stale.length > 0) {
    await connection('idempotency_keys')
      .where('workspace_id', workspace)
      .whereIn(
        'digest',
        stale.map((row) => row.digest),
      )
      // Another request may have used a key meanwhile.
      .whereIn(
        'execution_id',
        stale.map((row) => row.execution_id),
      )
      .delete();
  }
  return rows.flatMap((row) => {
    const { status, result, error, engine_us: engineUs } = row;
    if (status === null) return [];
    const { digest, request_digest: requestDigest, answer } = row;
    const executionId = idFromBytes(row.execution_id);
    const isErased = row.used_status === erasedStatus;
    return [{ digest, requestDigest, executionId, answer, isErased, record: { status, result, error, engineUs } }];
  });
}

/** Throws MySQL's error of a duplicate key where one of them was used meanwhile. */
export async function insertUsedKeys(connection: Connection, owner: string, keys: readonly ItemKey[]): Promise<void> {
  const rows = keys.map(({ executionId, answer, ...key }) => {
    const row = executionKeys.newRow(connection, { owner, ...key }, answer);
    // It was never claimed: its record is written with it.
    return { ...row, execution_id: idToBytes(executionId), status: 200 };
  });
  await connection('idempotency_keys').insert(rows);
}
