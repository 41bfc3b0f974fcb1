import type { Knex } from 'knex';

/** Who there is: tenants, their workspaces and clients, what a client and an end user may do, and the keys that sign tokens. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE tenants (
      id BINARY(16) NOT NULL,
      name VARCHAR(255) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // decisions_revision counts writes of decisions: what was resolved from working copies is stale when it has moved.
  await knex.raw(`
    CREATE TABLE workspaces (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      name VARCHAR(255) NOT NULL,
      decisions_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY workspaces_tenant (tenant_id, id),
      CONSTRAINT workspaces_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // scopes: space separated. roles: JSON {name: "scopes"}. resources: JSON [uri].
  await knex.raw(`
    CREATE TABLE clients (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      name VARCHAR(255) NOT NULL,
      scopes TEXT NOT NULL,
      roles TEXT NOT NULL,
      resources TEXT NOT NULL,
      disabled_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      UNIQUE KEY clients_tenant (tenant_id, id),
      CONSTRAINT clients_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // HMAC-SHA-256 of a 256-bit random secret; two may live at once while a client rotates.
  await knex.raw(`
    CREATE TABLE client_secrets (
      id BINARY(16) NOT NULL,
      client_id BINARY(16) NOT NULL,
      digest BINARY(32) NOT NULL,
      expires_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY client_secrets_client (client_id),
      CONSTRAINT client_secrets_client_fk FOREIGN KEY (client_id) REFERENCES clients (id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // tenant_id in both foreign keys: a grant across tenants cannot be stored.
  await knex.raw(`
    CREATE TABLE grants (
      client_id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (client_id, workspace_id),
      KEY grants_client (tenant_id, client_id),
      KEY grants_workspace (tenant_id, workspace_id),
      CONSTRAINT grants_client_fk FOREIGN KEY (tenant_id, client_id) REFERENCES clients (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT grants_workspace_fk FOREIGN KEY (tenant_id, workspace_id) REFERENCES workspaces (tenant_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // subjects, roles, scopes: JSON lists of strings.
  await knex.raw(`
    CREATE TABLE policies (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      effect ENUM('allow', 'deny') NOT NULL,
      subjects TEXT NOT NULL,
      roles TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY policies_workspace (workspace_id, id),
      CONSTRAINT policies_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // kid: RFC 7638 thumbprint. A key is published at once, signs from signs_at, and is published until expires_at.
  // generation: the newest one that may sign does; unique, so that of two processes that make a key at once one loses.
  await knex.raw(`
    CREATE TABLE signing_keys (
      kid VARCHAR(64) NOT NULL,
      generation INT UNSIGNED NOT NULL,
      algorithm VARCHAR(16) NOT NULL,
      public_jwk TEXT NOT NULL,
      private_jwk BLOB NOT NULL,
      signs_at DATETIME(3) NOT NULL,
      expires_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (kid),
      UNIQUE KEY signing_keys_generation (generation)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['signing_keys', 'policies', 'grants', 'client_secrets', 'clients', 'workspaces', 'tenants']) {
    await knex.schema.dropTable(table);
  }
}
