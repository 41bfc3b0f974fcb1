import type { Knex } from 'knex';

/** Records that prove themselves. Without foreign keys: evidence outlives what it is of. */
export async function up(knex: Knex): Promise<void> {
  // frontier: the hashes of the tree's right edge, in base64. checkpoint: its head as a signed note. Everything up to a
  // cursor was looked at long after its commit. witnessed: the size of the head that the witness has.
  await knex.raw(`
    CREATE TABLE evidence_trees (
      workspace_id BINARY(16) NOT NULL,
      origin VARCHAR(512) NOT NULL,
      size BIGINT UNSIGNED NOT NULL,
      frontier VARCHAR(4096) CHARACTER SET ascii NOT NULL,
      checkpoint TEXT NOT NULL,
      execution_cursor BINARY(16) NOT NULL,
      audit_entry_cursor BINARY(16) NOT NULL,
      witnessed BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (workspace_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // subject_id: of the execution or the audit entry. salt: NULL once the subject was erased.
  await knex.raw(`
    CREATE TABLE evidence_leaves (
      workspace_id BINARY(16) NOT NULL,
      position BIGINT UNSIGNED NOT NULL,
      kind ENUM('execution', 'audit_entry') NOT NULL,
      subject_id BINARY(16) NOT NULL,
      hash BINARY(32) NOT NULL,
      salt BINARY(32) NULL,
      PRIMARY KEY (workspace_id, position),
      UNIQUE KEY evidence_leaves_subject (workspace_id, subject_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Complete subtrees of 256, 65,536, … leaves.
  await knex.raw(`
    CREATE TABLE evidence_nodes (
      workspace_id BINARY(16) NOT NULL,
      level TINYINT UNSIGNED NOT NULL,
      position BIGINT UNSIGNED NOT NULL,
      hash BINARY(32) NOT NULL,
      PRIMARY KEY (workspace_id, level, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Former heads, about one a minute.
  await knex.raw(`
    CREATE TABLE evidence_heads (
      workspace_id BINARY(16) NOT NULL,
      size BIGINT UNSIGNED NOT NULL,
      checkpoint TEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, size)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // private_key: sealed. Public keys stay for good: heads of any age are verified by them.
  await knex.raw(`
    CREATE TABLE evidence_keys (
      generation INT UNSIGNED NOT NULL,
      public_key BINARY(32) NOT NULL,
      private_key VARBINARY(255) NOT NULL,
      signs_at DATETIME(3) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (generation)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // The process that sequences, until its lease ends: one row.
  await knex.raw(`
    CREATE TABLE evidence_leases (
      id TINYINT UNSIGNED NOT NULL,
      holder BINARY(16) NOT NULL,
      leased_until DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['leases', 'keys', 'heads', 'nodes', 'leaves', 'trees'])
    await knex.schema.dropTable(`evidence_${table}`);
}
