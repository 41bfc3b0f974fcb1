import type { Knex } from 'knex';

/**
 * What really happened to what was decided. `subject` is `e` and an execution's id, or `r` and a reference; neither is a foreign
 * key, since an outcome may be told before its execution is recorded, and outlive it. `value` is JSON, `digest` its hash.
 * A later value stands beside the earlier; the newest of a subject and name is the end of a range of the primary key.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE outcomes (
      workspace_id BINARY(16) NOT NULL,
      subject VARCHAR(256) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
      name VARCHAR(100) NOT NULL,
      at DATETIME(3) NOT NULL,
      digest BINARY(16) NOT NULL,
      value VARCHAR(2048) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, subject, name, at, digest),
      CONSTRAINT outcomes_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('outcomes');
}
