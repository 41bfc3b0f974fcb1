import type { Knex } from 'knex';

/** Answers to updates with an Idempotency-Key. They hold what the inquiry holds, sealed, and go when it goes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE inquiry_answers (
      tenant_id BINARY(16) NOT NULL,
      digest BINARY(32) NOT NULL,
      inquiry_id BINARY(16) NOT NULL,
      request_digest BINARY(32) NOT NULL,
      answer MEDIUMBLOB NOT NULL,
      expires_at DATETIME(3) NOT NULL,
      PRIMARY KEY (tenant_id, digest),
      KEY inquiry_answers_inquiry (tenant_id, inquiry_id),
      KEY inquiry_answers_expiry (expires_at),
      CONSTRAINT inquiry_answers_inquiry_fk FOREIGN KEY (tenant_id, inquiry_id)
        REFERENCES inquiries (tenant_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('inquiry_answers');
}
