import type { Knex } from 'knex';

/**
 * What ran. The composite foreign keys with RESTRICT decide the race of a DELETE with an execution in both orders:
 * 1451 on the delete is 409, 1452 on the insert is 404.
 */
export async function up(knex: Knex): Promise<void> {
  // engine_us: engine time alone, in microseconds. error: the fault as JSON. fact, result: JSON text as run, secrets redacted.
  await knex.raw(`
    CREATE TABLE executions (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      environment_id BINARY(16) NOT NULL,
      deployment_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      status ENUM('COMPLETED', 'FAILED') NOT NULL,
      fact MEDIUMTEXT NULL,
      result MEDIUMTEXT NOT NULL,
      error TEXT NULL,
      trace MEDIUMTEXT NULL,
      engine_us INT UNSIGNED NOT NULL,
      request_id BINARY(16) NOT NULL,
      principal VARCHAR(255) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY executions_workspace (workspace_id, id),
      KEY executions_environment (workspace_id, environment_id, id),
      KEY executions_deployment (workspace_id, deployment_id, id),
      CONSTRAINT executions_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE RESTRICT,
      CONSTRAINT executions_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
        REFERENCES deployments (workspace_id, id) ON DELETE RESTRICT
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    CREATE TABLE evaluations (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      status ENUM('COMPLETED', 'FAILED') NOT NULL,
      fact MEDIUMTEXT NULL,
      result MEDIUMTEXT NOT NULL,
      error TEXT NULL,
      engine_us INT UNSIGNED NOT NULL,
      request_id BINARY(16) NOT NULL,
      principal VARCHAR(255) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY evaluations_decision (workspace_id, decision_id, id),
      CONSTRAINT evaluations_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // digest: SHA-256 of principal and key. request_digest: of path and body. answer: AES-256-GCM of the body sent, as it
  // may hold what the record must not. A running claim is abandoned when its lease has passed.
  await knex.raw(`
    CREATE TABLE idempotency_keys (
      workspace_id BINARY(16) NOT NULL,
      digest BINARY(32) NOT NULL,
      request_digest BINARY(32) NOT NULL,
      execution_id BINARY(16) NOT NULL,
      status SMALLINT UNSIGNED NULL,
      answer MEDIUMBLOB NULL,
      leased_until DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, digest),
      KEY idempotency_keys_expiry (expires_at),
      CONSTRAINT idempotency_keys_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['idempotency_keys', 'evaluations', 'executions']) await knex.schema.dropTable(table);
}
