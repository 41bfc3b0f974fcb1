import type { Knex } from 'knex';

/** What workspaces hear of by HTTP. */
export async function up(knex: Knex): Promise<void> {
  // kinds: joined by commas. secret: sealed. failure_at: when the last failed execution was told of, which is sampled.
  await knex.raw(`
    CREATE TABLE workspace_callbacks (
      workspace_id BINARY(16) NOT NULL,
      url VARCHAR(2048) NOT NULL,
      kinds VARCHAR(1000) NOT NULL,
      secret BLOB NOT NULL,
      failure_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id),
      CONSTRAINT workspace_callbacks_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Written with what they tell of, and moved to the outbox, sealed, soon afterwards. data: JSON, of ids, keys and names.
  await knex.raw(`
    CREATE TABLE events (
      id BINARY(16) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      kind VARCHAR(64) NOT NULL,
      data TEXT NOT NULL,
      created_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY events_workspace (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    ALTER TABLE outbox
      MODIFY inquiry_id BINARY(16) NULL,
      MODIFY channel ENUM('SMS', 'EMAIL', 'WEBHOOK', 'EVENT') NOT NULL`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("DELETE FROM outbox WHERE channel = 'EVENT'");
  // MySQL 9 makes no column of a foreign key NOT NULL.
  await knex.raw('ALTER TABLE outbox DROP FOREIGN KEY outbox_inquiry_fk');
  await knex.raw(`
    ALTER TABLE outbox
      MODIFY inquiry_id BINARY(16) NOT NULL,
      MODIFY channel ENUM('SMS', 'EMAIL', 'WEBHOOK') NOT NULL,
      ADD CONSTRAINT outbox_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
        REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE`);
  await knex.schema.dropTable('events');
  await knex.schema.dropTable('workspace_callbacks');
}
