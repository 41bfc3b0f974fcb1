import type { Knex } from 'knex';

/**
 * Replays: jobs that run recorded executions on another version. `request` is what was asked for, `tallies` what is counted
 * so far, `report` what is shown of that, all JSON. `position` is the last execution that is counted. `due_at` is when any
 * process may take the job up, and null when there is nothing left to do; a removed one stays until its differences are
 * gone. Their names for executions are not foreign keys: an execution may be pruned.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE replays (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      status ENUM('RUNNING', 'COMPLETED', 'CANCELLED', 'FAILED', 'REMOVED') NOT NULL,
      request MEDIUMTEXT NOT NULL,
      total INT UNSIGNED NULL,
      done INT UNSIGNED NOT NULL DEFAULT 0,
      position BINARY(16) NULL,
      tallies MEDIUMTEXT NOT NULL,
      report MEDIUMTEXT NOT NULL,
      difference_bytes INT UNSIGNED NOT NULL DEFAULT 0,
      error VARCHAR(1000) NULL,
      due_at DATETIME(3) NULL,
      fence INT UNSIGNED NOT NULL DEFAULT 0,
      attempts INT UNSIGNED NOT NULL DEFAULT 0,
      revision INT UNSIGNED NOT NULL DEFAULT 1,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY replays_workspace (workspace_id, id),
      KEY replays_status (workspace_id, status, id),
      KEY replays_due (due_at),
      CONSTRAINT replays_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    CREATE TABLE replay_differences (
      workspace_id BINARY(16) NOT NULL,
      replay_id BINARY(16) NOT NULL,
      execution_id BINARY(16) NOT NULL,
      reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
      changes MEDIUMTEXT NOT NULL,
      PRIMARY KEY (workspace_id, replay_id, execution_id),
      CONSTRAINT replay_differences_replay_fk FOREIGN KEY (workspace_id, replay_id)
        REFERENCES replays (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // By which place a difference is found; the place by the first bytes of its SHA-256.
  await knex.raw(`
    CREATE TABLE replay_places (
      workspace_id BINARY(16) NOT NULL,
      replay_id BINARY(16) NOT NULL,
      pointer_digest BINARY(16) NOT NULL,
      execution_id BINARY(16) NOT NULL,
      PRIMARY KEY (workspace_id, replay_id, pointer_digest, execution_id),
      CONSTRAINT replay_places_replay_fk FOREIGN KEY (workspace_id, replay_id) REFERENCES replays (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['replay_places', 'replay_differences', 'replays']) await knex.schema.dropTable(table);
}
