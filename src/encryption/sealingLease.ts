import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes, newId } from '../storage/ids.js';

/** A server process says in MySQL which master key it seals with, so that nobody removes a key that is in use. */
export interface SealingLease {
  /** Says so, and goes on saying so. Never rejects: a process that cannot reach MySQL seals nothing into it. */
  start(): Promise<void>;
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
  let renewal: Promise<unknown> | undefined;

  const renew = (): Promise<unknown> =>
    (renewal = database
      .raw(
        `INSERT INTO sealing_leases (id, key_id, leased_until)
        VALUES (?, ?, TIMESTAMPADD(SECOND, ?, UTC_TIMESTAMP(3)))
        ON DUPLICATE KEY UPDATE leased_until = VALUES(leased_until)`,
        [id, encryption.keyId, sealingLeaseS],
      )
      .catch(() => undefined));

  return {
    async start() {
      await renew();
      timer = setInterval(() => void renew(), renewMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      await renewal;
      // Of processes that were killed, too.
      await database('sealing_leases')
        .where({ id })
        .orWhere('leased_until', '<', database.raw('UTC_TIMESTAMP(3)'))
        .delete()
        .catch(() => undefined);
    },
  };
}

/** Processes that may seal with another key than the present one. */
export async function findOtherSealers(connection: Connection, { keyId }: Encryption): Promise<number> {
  const rows = (await connection('sealing_leases')
    .select('id')
    .whereNot('key_id', keyId)
    .where('leased_until', '>=', connection.raw('UTC_TIMESTAMP(3)'))) as unknown[];
  return rows.length;
}
