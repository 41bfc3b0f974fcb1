import type { Knex } from 'knex';

/** Hosts of evaluations, limits of rates, lives of clients and policies, and indexes for lists of inquiries. */
export async function up(knex: Knex): Promise<void> {
  // http_hosts, config_revision: as those of an environment, for evaluations. rate_*: null where there is no limit.
  await knex.raw(`
    ALTER TABLE workspaces
      ADD COLUMN http_hosts TEXT NULL,
      ADD COLUMN config_revision BIGINT UNSIGNED NOT NULL DEFAULT 0,
      ADD COLUMN rate_per_second INT UNSIGNED NULL,
      ADD COLUMN rate_burst INT UNSIGNED NULL`);
  await knex.raw(`
    ALTER TABLE clients
      ADD COLUMN expires_at DATETIME(3) NULL,
      ADD COLUMN rate_per_second INT UNSIGNED NULL,
      ADD COLUMN rate_burst INT UNSIGNED NULL`);
  await knex.raw('ALTER TABLE policies ADD COLUMN expires_at DATETIME(3) NULL');
  await knex.raw(`
    ALTER TABLE inquiries
      ADD KEY inquiries_external (tenant_id, external_id, id),
      ADD KEY inquiries_completed (tenant_id, completed, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE inquiries DROP KEY inquiries_external, DROP KEY inquiries_completed');
  await knex.raw('ALTER TABLE policies DROP COLUMN expires_at');
  await knex.raw('ALTER TABLE clients DROP COLUMN expires_at, DROP COLUMN rate_per_second, DROP COLUMN rate_burst');
  await knex.raw(`ALTER TABLE workspaces
    DROP COLUMN http_hosts, DROP COLUMN config_revision, DROP COLUMN rate_per_second, DROP COLUMN rate_burst`);
}
