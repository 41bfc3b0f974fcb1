import type { Knex } from 'knex';

/**
 * Who changed what. Without foreign keys: an entry outlives what it tells of. `before_state` and `after_state` are JSON,
 * without secrets. workspace_id is NULL for what belongs to a tenant as a whole. The time is in the id (UUIDv7).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_entries (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NULL,
      workspace_id BINARY(16) NULL,
      principal VARCHAR(255) NOT NULL,
      request_id BINARY(16) NULL,
      action VARCHAR(64) NOT NULL,
      resource_type VARCHAR(32) NOT NULL,
      resource_id VARCHAR(255) NOT NULL,
      resource_key VARCHAR(512) NULL,
      before_state MEDIUMTEXT NULL,
      after_state MEDIUMTEXT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY audit_entries_workspace (workspace_id, id),
      KEY audit_entries_resource (workspace_id, resource_id, id),
      KEY audit_entries_type (workspace_id, resource_type, id),
      KEY audit_entries_principal (workspace_id, principal, id),
      KEY audit_entries_action (workspace_id, action, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_entries');
}
