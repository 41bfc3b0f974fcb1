import type { Knex } from 'knex';

/**
 * Monitors of what is counted. `request` is what was asked for, JSON. `tripped` is what was told last, and `value` what was
 * measured last; null before there was enough. `due_at` is when any process may look again, `fence` grows with each claim.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE monitors (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      environment_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      request TEXT NOT NULL,
      tripped BOOLEAN NOT NULL DEFAULT FALSE,
      value DOUBLE NULL,
      changed_at DATETIME(3) NULL,
      looked_at DATETIME(3) NULL,
      due_at DATETIME(3) NOT NULL,
      fence INT UNSIGNED NOT NULL DEFAULT 0,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY monitors_workspace (workspace_id, id),
      KEY monitors_due (due_at),
      KEY monitors_environment (workspace_id, environment_id),
      KEY monitors_decision (workspace_id, decision_id),
      CONSTRAINT monitors_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT monitors_decision_fk FOREIGN KEY (workspace_id, decision_id)
        REFERENCES decisions (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('monitors');
}
