import type { Knex } from 'knex';

/** How long the executions of an environment are kept; without a row for ever. */
export async function up(knex: Knex): Promise<void> {
  // due_at: when older executions are looked for again, or when the lease of the process that removes them ends.
  await knex.raw(`
    CREATE TABLE retentions (
      environment_id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      days SMALLINT UNSIGNED NOT NULL,
      due_at DATETIME(3) NOT NULL,
      PRIMARY KEY (environment_id),
      KEY retentions_due (due_at, environment_id),
      KEY retentions_environment (workspace_id, environment_id),
      CONSTRAINT retentions_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('retentions');
}
