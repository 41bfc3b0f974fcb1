import type { Knex } from 'knex';

/** What a tenant queued within the last minute, by the database's clock: ids are times of the servers that made them. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE outbox ADD KEY outbox_created (tenant_id, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE outbox DROP KEY outbox_created');
}
