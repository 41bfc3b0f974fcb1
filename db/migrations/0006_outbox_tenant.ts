import type { Knex } from 'knex';

/** A tenant's messages page by page: without it, a page of a tenant with few reads everybody's. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE outbox ADD KEY outbox_tenant (tenant_id, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE outbox DROP KEY outbox_tenant');
}
