import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { type Connection, deleteByPrimaryKey, inMs, now } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { isContention } from '../storage/mysqlErrors.js';
import { renewJob, type Lease, type LeaseKind } from './jobs.store.js';

// Leases are rows of `jobs` that no loop claims: a process takes one by its kind and id, and renews it and gives it back like a job.

/** The id of a lease of which the whole service has one. */
const onlyId = '00000000-0000-0000-0000-000000000000';
const nobody = Buffer.alloc(16);

/** Takes a lease, or keeps it for longer. Undefined where another has it. @param own which this process has had until now */
export async function takeLease(
  connection: Connection,
  { kind, id = onlyId }: { readonly kind: LeaseKind; readonly id?: string },
  leaseMs: number,
  own?: Lease,
): Promise<Lease | undefined> {
  if (own !== undefined && (await renewJob(connection, own, leaseMs))) return own;
  return take(connection, { kind, id }, leaseMs).catch((error: unknown) => {
    // Of processes that take it at once MySQL may end one as a deadlock.
    if (isContention(error)) return undefined;
    throw error;
  });
}

async function take(
  connection: Connection,
  { kind, id }: { readonly kind: LeaseKind; readonly id: string },
  leaseMs: number,
): Promise<Lease | undefined> {
  const fence = randomInt(2 ** 32);
  const lease = { kind, id, fence };
  const end = inMs(connection, leaseMs);
  const [{ affectedRows }] = (await connection.raw(
    'INSERT IGNORE INTO jobs (kind, id, tenant_id, workspace_id, due_at, fence) VALUES (?, ?, ?, ?, ?, ?)',
    [kind, idToBytes(id), nobody, nobody, end, fence],
  )) as [{ affectedRows: number }];
  if (affectedRows === 1) return lease;
  const ended = connection('jobs')
    .where({ kind, id: idToBytes(id) })
    .whereRaw(`due_at <= ${now}`);
  return (await ended.update({ due_at: end, fence })) === 1 ? lease : undefined;
}

/** A condition of a query: nobody has the lease, unless it is `own`. */
export const unlessLeased =
  (connection: Connection, { kind, id }: { readonly kind: LeaseKind; readonly id: string }, own: Lease | undefined) =>
  (query: Knex.QueryBuilder): void => {
    const others = connection('jobs')
      .where({ kind, id: idToBytes(id) })
      .whereRaw(`due_at > ${now}`);
    if (own !== undefined) others.whereNot('fence', own.fence);
    query.whereNotExists(others);
  };

/** The ids of all leases of a kind that somebody has. */
export const leasedIds = (connection: Connection, kind: LeaseKind): Promise<Buffer[]> =>
  connection('jobs').where({ kind }).whereRaw(`due_at > ${now}`).pluck('id');

/** Deletes leases that ended without being given back: their processes were killed. Resolves with their ids, which nobody takes meanwhile. */
export async function takeEndedLeases(transaction: Knex.Transaction, kind: LeaseKind): Promise<Buffer[]> {
  const ended = transaction('jobs').where({ kind }).whereRaw(`due_at <= ${now}`);
  const ids = (await ended.forUpdate().pluck('id')) as Buffer[];
  await deleteByPrimaryKey(transaction, 'jobs', ids, { kind });
  return ids;
}
