import type { Knex } from 'knex';
import { every } from '../clock/timers.js';
import { settleJob, type Lease } from '../jobs/jobs.store.js';
import { leasedIds, takeEndedLeases, takeLease } from '../jobs/leases.store.js';
import { inTransaction, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes, newId } from '../storage/ids.js';

/**
 * A server process says in MySQL which master key it seals with and which ones it opens, so that nobody removes a key
 * that is in use, or seals with one that a server does not know. Each renewal also shows that MySQL can be written.
 */
export interface SealingLease {
  /** Writes the lease, and goes on renewing it. Never rejects: a process that cannot reach MySQL seals nothing into it. */
  start(): Promise<void>;
  /** Why it could not be written; undefined when it was. Tries again where the last renewal failed. */
  failure(): Promise<unknown>;
  stop(): Promise<void>;
}

const renewMs = 5000;
/** A process that was killed counts as alive for so long. */
export const sealingLeaseMs = 20_000;

export function createSealingLease({
  database,
  encryption,
}: {
  readonly database: Knex;
  readonly encryption: Encryption;
}): SealingLease {
  const id = newId();
  const opens = encryption.keyIds.map(hex).join(' ');
  let stopRenewing = (): void => undefined;
  let last: unknown;
  let renewal: Promise<void> | undefined;
  let lease: Lease | undefined;

  async function write(): Promise<void> {
    lease = await takeLease(database, { kind: 'sealing', id }, sealingLeaseMs, lease);
    // Each time: another process may have taken this one for dead.
    await database('sealers')
      .insert({ id: idToBytes(id), key_id: encryption.keyId, opens })
      .onConflict()
      .ignore();
  }
  const renew = (): Promise<void> =>
    (renewal ??= write()
      .then(
        () => (last = undefined),
        (error: unknown) => (last = error),
      )
      .then(() => (renewal = undefined)));

  return {
    async start() {
      await renew();
      stopRenewing = every(renewMs, renew);
    },
    async failure() {
      if (last !== undefined) await renew();
      return last;
    },
    async stop() {
      stopRenewing();
      await renewal;
      await forget().catch(() => undefined);
    },
  };

  /** Deletes what this process wrote, and what those did that were killed: of nobody else, as others begin meanwhile. */
  function forget(): Promise<void> {
    return inTransaction(database, async (transaction) => {
      const ended = await takeEndedLeases(transaction, 'sealing');
      await transaction('sealers')
        .whereIn('id', [...ended, idToBytes(id)])
        .delete();
      if (lease !== undefined) await settleJob(transaction, lease, { kind: 'over' });
    });
  }
}

const hex = (keyId: Buffer): string => keyId.toString('hex');

interface LiveLease {
  readonly key_id: Buffer;
  readonly opens: string;
}

const liveLeases = async (connection: Connection): Promise<LiveLease[]> =>
  connection('sealers')
    .select<LiveLease[]>('key_id', 'opens')
    .whereIn('id', await leasedIds(connection, 'sealing'));

/** How many processes may seal with another key than the present one. */
export async function countOtherSealers(connection: Connection, { keyId }: Encryption): Promise<number> {
  return (await liveLeases(connection)).filter((lease) => !lease.key_id.equals(keyId)).length;
}

/** How many processes could not open what the present key seals. */
export async function countNotOpening(connection: Connection, { keyId }: Encryption): Promise<number> {
  return (await liveLeases(connection)).filter(({ opens }) => !opens.split(' ').includes(hex(keyId))).length;
}
