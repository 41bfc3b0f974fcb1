import type { Knex } from 'knex';

/** Where decisions run: environments with their variables, deployments, and the routing that follows from them. */
export async function up(knex: Knex): Promise<void> {
  // revision: the ETag. config_revision: counts writes of the variables, so that caches can tell old from new.
  await knex.raw(`
    CREATE TABLE environments (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      name VARCHAR(255) NOT NULL,
      description VARCHAR(4000) NULL,
      color VARCHAR(7) NOT NULL,
      revision INT UNSIGNED NOT NULL DEFAULT 1,
      config_revision BIGINT UNSIGNED NOT NULL DEFAULT 1,
      http_hosts TEXT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY environments_workspace (workspace_id, id),
      CONSTRAINT environments_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // value: AES-256-GCM of the JSON text, for every variable, secret or not.
  await knex.raw(`
    CREATE TABLE variables (
      environment_id BINARY(16) NOT NULL,
      name VARCHAR(128) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      value MEDIUMBLOB NOT NULL,
      secret BOOLEAN NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (environment_id, name),
      KEY variables_workspace (workspace_id, environment_id),
      CONSTRAINT variables_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    CREATE TABLE deployments (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      environment_id BINARY(16) NOT NULL,
      name VARCHAR(255) NOT NULL,
      message VARCHAR(4000) NULL,
      deployed_by VARCHAR(255) NOT NULL,
      revision INT UNSIGNED NOT NULL DEFAULT 1,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY deployments_workspace (workspace_id, id),
      KEY deployments_environment (workspace_id, environment_id),
      KEY deployments_decision (workspace_id, decision_id),
      CONSTRAINT deployments_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT deployments_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // The row of a pair with the highest seq is in force.
  await knex.raw(`
    CREATE TABLE routings (
      seq BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
      workspace_id BINARY(16) NOT NULL,
      environment_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      deployment_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (seq),
      KEY routings_pair (workspace_id, environment_id, decision_id, seq),
      KEY routings_deployment (workspace_id, deployment_id),
      CONSTRAINT routings_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT routings_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
        REFERENCES deployments (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // A counter of a pair's routing changes, deletes included. Without foreign keys: it outlives what it counts, as a
  // cache must be able to tell "removed" from "not yet seen".
  await knex.raw(`
    CREATE TABLE routing_heads (
      workspace_id BINARY(16) NOT NULL,
      environment_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      revision BIGINT UNSIGNED NOT NULL,
      PRIMARY KEY (workspace_id, environment_id, decision_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['routing_heads', 'routings', 'deployments', 'variables', 'environments']) {
    await knex.schema.dropTable(table);
  }
}
