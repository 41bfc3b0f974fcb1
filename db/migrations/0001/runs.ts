/** What ran: executions and evaluations, the keys by which they are repeated, and how long they are kept. */
export const runs = {
  // What many executions have in common stands once, and each names it by number. status belongs to it, so that the few failed
  // ones are found. A route goes with its deployment, which an execution keeps: it locks its route until it is committed, and a
  // removal locks the routes first. used_at: renewed each hour while it is used.
  execution_routes: `
    code INT UNSIGNED NOT NULL AUTO_INCREMENT,
    workspace_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    deployment_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    version INT UNSIGNED NOT NULL,
    status ENUM('COMPLETED', 'FAILED') NOT NULL,
    used_at DATETIME(3) NOT NULL,
    PRIMARY KEY (code),
    UNIQUE KEY execution_routes_deployment
      (workspace_id, deployment_id, environment_id, decision_id, version, status),
    KEY execution_routes_environment (workspace_id, environment_id),
    KEY execution_routes_decision (workspace_id, decision_id),
    CONSTRAINT execution_routes_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT execution_routes_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
      REFERENCES deployments (workspace_id, id) ON DELETE CASCADE`,
  // context: src/runs/recorder/runContext.ts. used_at: renewed each hour, so that no record that names it is much younger.
  execution_settings: `
    code INT UNSIGNED NOT NULL AUTO_INCREMENT,
    workspace_id BINARY(16) NOT NULL,
    context BINARY(40) NOT NULL,
    principal VARCHAR(255) NOT NULL,
    used_at DATETIME(3) NOT NULL,
    PRIMARY KEY (code),
    UNIQUE KEY execution_settings_own (workspace_id, context, principal),
    KEY execution_settings_age (workspace_id, used_at)`,
  // Divided by the time in the ids (src/runs/days), so that old days are dropped; a divided table has no foreign key. fact,
  // result: JSON text as run, secrets redacted. error: the fault as JSON. engine_us: engine time alone, in microseconds.
  // reference: the caller's own id of it. run_context: src/runs/recorder/runContext.ts. principal: NULL where the setting tells
  // it. created_at: NULL where it is the time in the id. selection: the decisions of a DMN model that were asked for, as JSON. Most rows
  // have none of the last six.
  executions: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    status ENUM('COMPLETED', 'FAILED') NOT NULL,
    fact MEDIUMTEXT NULL,
    result MEDIUMTEXT NOT NULL,
    engine_us INT UNSIGNED NOT NULL,
    request_id BINARY(16) NOT NULL,
    route INT UNSIGNED NOT NULL,
    setting INT UNSIGNED NOT NULL,
    run_context BINARY(11) NOT NULL,
    error TEXT NULL,
    principal VARCHAR(255) NULL,
    created_at DATETIME(3) NULL,
    trace MEDIUMTEXT NULL,
    reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    selection TEXT NULL,
    PRIMARY KEY (id),
    KEY executions_workspace (workspace_id, id),
    KEY executions_reference (workspace_id, reference, id),
    KEY executions_request (workspace_id, request_id, id),
    KEY executions_route (route, id)`,
  // One row. Whoever holds its lock may change the days of executions.
  execution_days: `
    id TINYINT UNSIGNED NOT NULL,
    PRIMARY KEY (id)`,
  // Recorded when there is time for it; they keep no decision from being removed.
  evaluations: `
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
    KEY evaluations_decision (workspace_id, decision_id, id)`,
  // digest: SHA-256 of principal and key. request_digest: of path and body. answer: the body sent, sealed, as it may hold what
  // the record must not. status: NULL of a claim, whose request runs; it expires once that must be over, and an answered key a day
  // later. No foreign key to the workspace: it would lock that row, and wait for whoever writes decisions there; nothing removes
  // workspaces. idempotency_keys_execution: for what is erased with an execution, without the workspace, so that nothing else is
  // read by it.
  idempotency_keys: `
    workspace_id BINARY(16) NOT NULL,
    digest BINARY(32) NOT NULL,
    request_digest BINARY(32) NOT NULL,
    execution_id BINARY(16) NOT NULL,
    status SMALLINT UNSIGNED NULL,
    answer MEDIUMBLOB NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (workspace_id, digest),
    KEY idempotency_keys_expiry (expires_at),
    KEY idempotency_keys_execution (execution_id)`,
  // How long the executions of an environment are kept; without a row for ever.
  retentions: `
    environment_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    days SMALLINT UNSIGNED NOT NULL,
    PRIMARY KEY (environment_id),
    KEY retentions_environment (workspace_id, environment_id),
    CONSTRAINT retentions_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE`,
};
