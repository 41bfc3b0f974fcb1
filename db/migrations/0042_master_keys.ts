import type { Knex } from 'knex';

/** What a change of the master key needs: digests that outlive it, and which keys are in use. */
export async function up(knex: Knex): Promise<void> {
  // The keys of the digests of client secrets, sealed. id: of the master key that each was derived from at first.
  await knex.raw(`
    CREATE TABLE digest_keys (
      id BINARY(4) NOT NULL,
      digest_key VARBINARY(255) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Server processes, and the master key that each seals with until its lease ends. id: random.
  await knex.raw(`
    CREATE TABLE sealing_leases (
      id BINARY(16) NOT NULL,
      key_id BINARY(4) NOT NULL,
      leased_until DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['sealing_leases', 'digest_keys']) await knex.schema.dropTable(table);
}
