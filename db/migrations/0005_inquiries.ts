import type { Knex } from 'knex';

/** Inquiries with their prerequisites, where tenants hear of them, and the outbox of everything that is to be sent. */
export async function up(knex: Knex): Promise<void> {
  // The tenant is part of the primary key, so that every statement takes the one way to a row: with a unique key beside
  // it, two of them can lock the two indexes in opposite orders. person_id, authorization_code, notifications (a JSON
  // list, replaced as a whole): AES-256-GCM. revision: the ETag.
  await knex.raw(`
    CREATE TABLE inquiries (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      person_id BLOB NOT NULL,
      url VARCHAR(2048) NOT NULL,
      external_id VARCHAR(255) NULL,
      skip_consent_messages BOOLEAN NOT NULL,
      redirect_on_success VARCHAR(2048) NULL,
      redirect_on_error VARCHAR(2048) NULL,
      notifications MEDIUMBLOB NULL,
      authorization_code BLOB NULL,
      completed BOOLEAN NOT NULL,
      revision INT UNSIGNED NOT NULL DEFAULT 1,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (tenant_id, id),
      KEY inquiries_id (id),
      CONSTRAINT inquiries_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`
    CREATE TABLE prerequisites (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      inquiry_id BINARY(16) NOT NULL,
      type VARCHAR(64) NOT NULL,
      url VARCHAR(2048) NOT NULL,
      completed BOOLEAN NOT NULL,
      PRIMARY KEY (id),
      KEY prerequisites_inquiry (tenant_id, inquiry_id, id),
      CONSTRAINT prerequisites_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
        REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Secrets: AES-256-GCM. The previous one signs too until it expires, so that a receiver can change over in peace.
  await knex.raw(`
    CREATE TABLE callbacks (
      tenant_id BINARY(16) NOT NULL,
      url VARCHAR(2048) NOT NULL,
      secret BLOB NOT NULL,
      previous_secret BLOB NULL,
      previous_expires_at DATETIME(3) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (tenant_id),
      CONSTRAINT callbacks_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // due_at is null unless the message is pending; while one is being sent it is the end of the lease, after which
  // whoever asks may have it. outbox_due therefore holds a tenant's waiting messages of a channel in the order of
  // their times, and gives each tenant's first one without reading the others. fence grows with every claim: a result
  // counts only with the fence that the message was claimed with. content: AES-256-GCM, emptied once delivered.
  await knex.raw(`
    CREATE TABLE outbox (
      id BINARY(16) NOT NULL,
      tenant_id BINARY(16) NOT NULL,
      inquiry_id BINARY(16) NOT NULL,
      channel ENUM('SMS', 'EMAIL', 'WEBHOOK') NOT NULL,
      state ENUM('pending', 'delivered', 'dead') NOT NULL,
      content MEDIUMBLOB NOT NULL,
      attempts SMALLINT UNSIGNED NOT NULL DEFAULT 0,
      fence INT UNSIGNED NOT NULL DEFAULT 0,
      due_at DATETIME(3) NULL,
      error VARCHAR(255) NULL,
      created_at DATETIME(3) NOT NULL,
      updated_at DATETIME(3) NOT NULL,
      PRIMARY KEY (id),
      KEY outbox_due (tenant_id, channel, due_at),
      KEY outbox_state (state, id),
      KEY outbox_inquiry (tenant_id, inquiry_id),
      CONSTRAINT outbox_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
        REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['outbox', 'callbacks', 'prerequisites', 'inquiries']) await knex.schema.dropTable(table);
}
