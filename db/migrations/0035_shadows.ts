import type { Knex } from 'knex';

/**
 * Shadows: versions that live executions are also run on. `request` is what was asked for, `tallies` what all processes
 * have counted so far, `report` what is shown of that, all JSON. `ended_at` is null while it runs, up to `expires_at`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE shadows (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      request MEDIUMTEXT NOT NULL,
      tallies MEDIUMTEXT NOT NULL,
      report MEDIUMTEXT NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      ended_at DATETIME(3) NULL,
      revision INT UNSIGNED NOT NULL DEFAULT 1,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY shadows_workspace (workspace_id, id),
      KEY shadows_running (ended_at, expires_at),
      CONSTRAINT shadows_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('shadows');
}
