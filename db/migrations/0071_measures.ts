import type { Knex } from 'knex';

/** What was counted of executions while they ran, by hour, and which fields of results are. */
export async function up(knex: Knex): Promise<void> {
  // Each process writes rows (part_id) of its own, with all that it has counted there so far: whoever reads adds them up,
  // and a statement that is repeated counts nothing twice. times and fields: JSON.
  await knex.raw(`
    CREATE TABLE measures (
      workspace_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      hour DATETIME NOT NULL,
      environment_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      part_id BINARY(16) NOT NULL,
      count INT UNSIGNED NOT NULL,
      failed INT UNSIGNED NOT NULL,
      times TEXT NOT NULL,
      fields MEDIUMTEXT NULL,
      PRIMARY KEY (workspace_id, decision_id, hour, environment_id, version, part_id),
      CONSTRAINT measures_decision_fk FOREIGN KEY (workspace_id, decision_id)
        REFERENCES decisions (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // pointers: JSON.
  await knex.raw(`
    CREATE TABLE measured_fields (
      workspace_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      pointers TEXT NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, decision_id),
      CONSTRAINT measured_fields_decision_fk FOREIGN KEY (workspace_id, decision_id)
        REFERENCES decisions (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('measured_fields');
  await knex.schema.dropTable('measures');
}
