/** Inquiries with their prerequisites, where tenants and workspaces hear of them, and the outbox of everything that is sent. */
export const inquiries = {
  // The tenant is part of the primary key, so that every statement takes the one way to a row: with a unique key beside it, two
  // of them can lock the two indexes in opposite orders. person_id, url, authorization_code, notifications (a JSON list, replaced
  // as a whole): sealed. revision: the ETag.
  inquiries: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    person_id BLOB NOT NULL,
    url BLOB NOT NULL,
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
    KEY inquiries_external (tenant_id, external_id, id),
    KEY inquiries_completed (tenant_id, completed, id),
    CONSTRAINT inquiries_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id)`,
  prerequisites: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    inquiry_id BINARY(16) NOT NULL,
    type VARCHAR(64) NOT NULL,
    url VARCHAR(2048) NOT NULL,
    completed BOOLEAN NOT NULL,
    PRIMARY KEY (id),
    KEY prerequisites_inquiry (tenant_id, inquiry_id, id),
    CONSTRAINT prerequisites_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
      REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE`,
  // Answers to requests with an Idempotency-Key. They hold what the inquiry holds, sealed, and go when it goes: then the key, of no
  // inquiry and without an answer, stays used.
  inquiry_answers: `
    tenant_id BINARY(16) NOT NULL,
    digest BINARY(32) NOT NULL,
    inquiry_id BINARY(16) NULL,
    request_digest BINARY(32) NOT NULL,
    answer MEDIUMBLOB NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (tenant_id, digest),
    KEY inquiry_answers_inquiry (tenant_id, inquiry_id),
    KEY inquiry_answers_expiry (expires_at),
    CONSTRAINT inquiry_answers_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
      REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE`,
  // Where a tenant hears of its inquiries, or a workspace of its events: owner_id is the id of the one that is set. kinds: those
  // that a workspace hears of, joined by commas. Secrets are sealed; the previous one signs too until it expires, so that a
  // receiver can change over in peace. failure_at: when the last failed execution was told of, which is sampled.
  callbacks: `
    owner_id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NULL,
    workspace_id BINARY(16) NULL,
    url VARCHAR(2048) NOT NULL,
    kinds VARCHAR(1000) NOT NULL,
    secret BLOB NOT NULL,
    previous_secret BLOB NULL,
    previous_expires_at DATETIME(3) NULL,
    failure_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (owner_id),
    CONSTRAINT callbacks_tenant_fk FOREIGN KEY (tenant_id) REFERENCES tenants (id) ON DELETE CASCADE,
    CONSTRAINT callbacks_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE`,
  // Written with what they tell of, and moved to the outbox, sealed, soon afterwards. data: JSON, of ids, keys and names.
  events: `
    id BINARY(16) NOT NULL,
    workspace_id BINARY(16) NOT NULL,
    kind VARCHAR(64) NOT NULL,
    data TEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY events_workspace (workspace_id, id)`,
  // A message that is pending has a job (src/jobs), whose kind is its channel. attempts: how often it was sent, once it is not
  // pending any more. listed: a notification that its inquiry names, so that its row stays. content: sealed, emptied once delivered.
  // outbox_created: what a tenant queued within the last minute, by the database's clock; ids are times of the servers that made
  // them. outbox_ended: for deleting what nobody names and nobody has to send.
  outbox: `
    id BINARY(16) NOT NULL,
    tenant_id BINARY(16) NOT NULL,
    inquiry_id BINARY(16) NULL,
    channel ENUM('SMS', 'EMAIL', 'WEBHOOK', 'EVENT') CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state ENUM('pending', 'delivered', 'dead', 'logged', 'replaced') NOT NULL,
    content MEDIUMBLOB NOT NULL,
    attempts SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    listed BOOLEAN NOT NULL DEFAULT FALSE,
    error VARCHAR(255) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY outbox_state (state, id),
    KEY outbox_ended (listed, state, id),
    KEY outbox_tenant (tenant_id, id),
    KEY outbox_created (tenant_id, created_at),
    KEY outbox_inquiry (tenant_id, inquiry_id),
    CONSTRAINT outbox_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
      REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE`,
};
