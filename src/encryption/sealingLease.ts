import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { presently } from '../storage/databaseClock.js';
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
export const sealingLeaseS = 20;

export function createSealingLease({
  database,
  encryption,
}: {
  readonly database: Knex;
  readonly encryption: Encryption;
}): SealingLease {
  const id = idToBytes(newId());
  let timer: NodeJS.Timeout | undefined;
  let last: unknown;
  let renewal: Promise<void> | undefined;

  const write = (): Promise<unknown> =>
    database.raw(
      `INSERT INTO sealing_leases (id, key_id, opens, leased_until)
      VALUES (?, ?, ?, TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3)))
      ON DUPLICATE KEY UPDATE leased_until = VALUES(leased_until)`,
      [id, encryption.keyId, encryption.keyIds.map(hex).join(' '), sealingLeaseS],
    );
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
      timer = setInterval(() => void renew(), renewMs);
      timer.unref();
    },
    async failure() {
      if (last !== undefined) await renew();
      return last;
    },
    async stop() {
      clearInterval(timer);
      await renewal;
      // Leases of processes that were killed are removed, too.
      await database('sealing_leases')
        .where({ id })
        .orWhere('leased_until', '<', presently(database))
        .delete()
        .catch(() => undefined);
    },
  };
}

const hex = (keyId: Buffer): string => keyId.toString('hex');

interface LiveLease {
  readonly key_id: Buffer;
  readonly opens: string;
}

const liveLeases = async (connection: Connection): Promise<LiveLease[]> =>
  (await connection('sealing_leases')
    .select('key_id', 'opens')
    .where('leased_until', '>=', presently(connection))) as LiveLease[];

/** How many processes may seal with another key than the present one. */
export async function countOtherSealers(connection: Connection, { keyId }: Encryption): Promise<number> {
  return (await liveLeases(connection)).filter((lease) => !lease.key_id.equals(keyId)).length;
}

/** How many processes could not open what the present key seals. */
export async function countNotOpening(connection: Connection, { keyId }: Encryption): Promise<number> {
  return (await liveLeases(connection)).filter(({ opens }) => !opens.split(' ').includes(hex(keyId))).length;
}
