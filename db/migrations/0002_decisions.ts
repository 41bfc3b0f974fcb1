import type { Knex } from 'knex';

/** What is decided: models stored once per content hash, decisions that point at them, and immutable versions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE contents (
      hash BINARY(32) NOT NULL,
      body MEDIUMTEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (hash)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // content_hash is the working copy (version 0); faulty: stored with --force, so it can't be saved as a version.
  await knex.raw(`
    CREATE TABLE decisions (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      decision_key VARCHAR(512) NOT NULL,
      content_hash BINARY(32) NOT NULL,
      faulty BOOLEAN NOT NULL DEFAULT FALSE,
      latest_version INT UNSIGNED NOT NULL DEFAULT 0,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY decisions_workspace (workspace_id, id),
      UNIQUE KEY decisions_key (workspace_id, decision_key),
      KEY decisions_content (content_hash),
      CONSTRAINT decisions_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id),
      CONSTRAINT decisions_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // manifest: JSON of every content that the version can reach and how they name one another; program_id is its SHA-256.
  await knex.raw(`
    CREATE TABLE versions (
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      program_id BINARY(32) NOT NULL,
      manifest MEDIUMTEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (decision_id, version),
      KEY versions_workspace (workspace_id, decision_id),
      CONSTRAINT versions_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['versions', 'decisions', 'contents']) await knex.schema.dropTable(table);
}
