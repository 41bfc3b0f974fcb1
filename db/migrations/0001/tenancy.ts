/** Who there is: tenants, their workspaces and clients, and what a client and an end user may do. */
export const tenancy = {
  tenants: `
    id BINARY(16) NOT NULL,
    name VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id)`,
  // decisions_revision counts writes of decisions: what was resolved from working copies is stale when it has moved.
  // model_bytes: the sum of workspace_contents. http_hosts, config_revision: as those of an environment, for evaluations. rate_*: NULL where there is no limit.
  workspaces: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    name VARCHAR(255) NOT NULL,
    decisions_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
    decisions_count INT UNSIGNED NOT NULL DEFAULT 0,
    model_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    http_hosts TEXT NULL,
    config_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
    rate_per_second INT UNSIGNED NULL,
    rate_burst INT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY workspaces_tenant (tenant_id, id),
    CONSTRAINT workspaces_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)`,
  // scopes: space separated. roles: JSON {name: "scopes"}. resources: JSON [uri]. rate_*: NULL where there is no limit.
  clients: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    name VARCHAR(255) NOT NULL,
    scopes TEXT NOT NULL,
    roles TEXT NOT NULL,
    resources TEXT NOT NULL,
    disabled_at DATETIME(3) NULL,
    expires_at DATETIME(3) NULL,
    rate_per_second INT UNSIGNED NULL,
    rate_burst INT UNSIGNED NULL,
    bucket_id BINARY(16) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY clients_tenant (tenant_id, id),
    CONSTRAINT clients_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)`,
  // HMAC-SHA-256 of a 256-bit random secret; two may live at once while a client rotates.
  client_secrets: `
    id BINARY(16) NOT NULL,
    client_id BINARY(16) NOT NULL,
    digest BINARY(32) NOT NULL,
    expires_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY client_secrets_client (client_id),
    CONSTRAINT client_secrets_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE`,
  // tenant_id in both foreign keys: a grant across tenants cannot be stored.
  grants: `
    client_id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (client_id, workspace_id),
    KEY grants_client (tenant_id, client_id),
    KEY grants_workspace (tenant_id, workspace_id),
    CONSTRAINT grants_client_fk FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT grants_workspace_fk FOREIGN KEY (tenant_id, workspace_id)
      REFERENCES workspaces (tenant_id, id) ON DELETE CASCADE`,
  // subjects, roles, scopes: JSON lists of strings.
  policies: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    effect ENUM('allow', 'deny') NOT NULL,
    subjects TEXT NOT NULL,
    roles TEXT NOT NULL,
    scopes TEXT NOT NULL,
    expires_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY policies_workspace (workspace_id, id),
    CONSTRAINT policies_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE`,
  // Whom policies name, by a hash, so that the workspaces of a user are found without reading the policies of all others.
  policy_names: `
    name BINARY(32) NOT NULL,
    policy_id BINARY(16) NOT NULL,
    PRIMARY KEY (name, policy_id),
    KEY policy_names_policy (policy_id),
    CONSTRAINT policy_names_policy_fk FOREIGN KEY (policy_id) REFERENCES policies (id) ON DELETE CASCADE`,
};
