import type { Connection } from '../storage/database.js';
import { inMs, now } from '../storage/databaseClock.js';
import { idToBytes } from '../storage/ids.js';

/**
 * Takes or renews the lease of the one process that sequences, which spares the others the work; two at once would do no
 * harm, because each grows a tree under its lock. False where another process has it.
 */
export async function holdLease(connection: Connection, holder: string, leaseMs: number): Promise<boolean> {
  const of = { holder: idToBytes(holder), leased_until: inMs(connection, leaseMs) };
  const taken = await connection('evidence_leases')
    .where('id', 1)
    .where((free) => void free.where({ holder: of.holder }).orWhereRaw(`leased_until < ${now}`))
    .update(of);
  if (taken > 0) return true;
  const [{ affectedRows }] = (await connection.raw(
    'INSERT IGNORE INTO evidence_leases (id, holder, leased_until) VALUES (1, ?, ?)',
    [of.holder, of.leased_until],
  )) as [{ affectedRows: number }];
  return affectedRows === 1;
}

/** Lets others have it at once. */
export async function releaseLease(connection: Connection, holder: string): Promise<void> {
  await connection('evidence_leases')
    .where({ id: 1, holder: idToBytes(holder) })
    .delete();
}
