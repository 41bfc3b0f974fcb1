import type { Knex } from 'knex';

/** What of executions is to be erased. A row goes when nothing of it is left to do. */
export async function up(knex: Knex): Promise<void> {
  // reference: of the executions; NULL where they are named one by one. erased: how many were so far. due_at: when any
  // process may take it up.
  await knex.raw(`
    CREATE TABLE erasures (
      workspace_id BINARY(16) NOT NULL,
      id BINARY(16) NOT NULL,
      reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
      principal VARCHAR(255) NOT NULL,
      request_id BINARY(16) NULL,
      erased INT UNSIGNED NOT NULL DEFAULT 0,
      due_at DATETIME(3) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, id),
      KEY erasures_due (due_at),
      CONSTRAINT erasures_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    CREATE TABLE erasure_executions (
      workspace_id BINARY(16) NOT NULL,
      erasure_id BINARY(16) NOT NULL,
      execution_id BINARY(16) NOT NULL,
      PRIMARY KEY (workspace_id, erasure_id, execution_id),
      CONSTRAINT erasure_executions_erasure_fk FOREIGN KEY (workspace_id, erasure_id)
        REFERENCES erasures (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // What is to be erased with an execution. Without the workspace, so that nothing else is read by them.
  await knex.raw('ALTER TABLE idempotency_keys ADD KEY idempotency_keys_execution (execution_id)');
  await knex.raw('ALTER TABLE replay_differences ADD KEY replay_differences_execution (execution_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE replay_differences DROP KEY replay_differences_execution');
  await knex.raw('ALTER TABLE idempotency_keys DROP KEY idempotency_keys_execution');
  await knex.schema.dropTable('erasure_executions');
  await knex.schema.dropTable('erasures');
}
