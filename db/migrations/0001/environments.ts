/** Where decisions run: environments with their variables, deployments, and the routing that follows from them. */
export const environments = {
  // revision: the ETag. config_revision: counts writes of the variables, so that caches can tell old from new.
  // config_kept_from: configurations of earlier revisions can't be put together any more.
  environments: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    name VARCHAR(255) NOT NULL,
    description VARCHAR(4000) NULL,
    color VARCHAR(7) NOT NULL,
    revision INT UNSIGNED NOT NULL DEFAULT 1,
    config_revision BIGINT UNSIGNED NOT NULL DEFAULT 1,
    config_kept_from BIGINT UNSIGNED NOT NULL DEFAULT 0,
    http_hosts TEXT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY environments_workspace (workspace_id, id),
    CONSTRAINT environments_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`,
  // value: the JSON text, sealed, of every variable, secret or not. revision: of the environment's configuration, from which on
  // the value is in force.
  variables: `
    environment_id BINARY(16) NOT NULL,
    name VARCHAR(128) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    value MEDIUMBLOB NOT NULL,
    secret BOOLEAN NOT NULL,
    revision BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, name),
    KEY variables_workspace (workspace_id, environment_id),
    CONSTRAINT variables_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE`,
  // Values that were replaced or removed, sealed as they were, in force from from_revision until before until_revision: an
  // execution is explained by the variables that it saw.
  variable_history: `
    environment_id BINARY(16) NOT NULL,
    until_revision BIGINT UNSIGNED NOT NULL,
    from_revision BIGINT UNSIGNED NOT NULL,
    name VARCHAR(128) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    value MEDIUMBLOB NOT NULL,
    secret BOOLEAN NOT NULL,
    replaced_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, until_revision, from_revision, name),
    KEY variable_history_age (workspace_id, environment_id, replaced_at),
    CONSTRAINT variable_history_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE`,
  deployments: `
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
    CONSTRAINT deployments_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)`,
  // The row of a pair with the highest seq is in force. A deployment that PATCH moved to another decision leaves its routings
  // behind. They stay as long as the deployment, and that as long as recorded executions name it: so they keep every decision
  // that an execution names. routings_version: replays ask whether a version was ever in force for a pair.
  routings: `
    seq BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    workspace_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    deployment_id BINARY(16) NOT NULL,
    version INT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (seq),
    KEY routings_pair (workspace_id, environment_id, decision_id, seq),
    KEY routings_version (workspace_id, environment_id, decision_id, version, seq),
    KEY routings_deployment (workspace_id, deployment_id),
    KEY routings_decision (workspace_id, decision_id),
    CONSTRAINT routings_environment_fk FOREIGN KEY (workspace_id, environment_id)
      REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT routings_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
      REFERENCES deployments (workspace_id, id) ON DELETE CASCADE,
    CONSTRAINT routings_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)`,
  // A counter of a pair's routing changes, deletes included. Without foreign keys: it outlives what it counts, as a cache must
  // be able to tell "removed" from "not yet seen".
  routing_heads: `
    workspace_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    decision_id BINARY(16) NOT NULL,
    revision BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (workspace_id, environment_id, decision_id)`,
};
