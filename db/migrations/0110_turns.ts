import type { Knex } from 'knex';

/** Work that all processes share. */
const jobs = ['erasures', 'monitors', 'replays', 'retentions', 'change_checks'];

/** Tenants take turns at what works in the background: each job says whose it is. */
export async function up(knex: Knex): Promise<void> {
  for (const table of jobs) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN tenant_id BINARY(16) NULL`);
    await knex.raw(
      `UPDATE ${table} JOIN workspaces ON workspaces.id = ${table}.workspace_id SET ${table}.tenant_id = workspaces.tenant_id`,
    );
    await knex.raw(
      `ALTER TABLE ${table} MODIFY COLUMN tenant_id BINARY(16) NOT NULL, ADD KEY ${table}_tenant (tenant_id, due_at)`,
    );
  }
  // weight: how many executions it names, and at least what an erasure takes in any case.
  await knex.raw('ALTER TABLE erasures ADD COLUMN weight INT UNSIGNED NOT NULL DEFAULT 100');
  // Of an execution's environment: it outlives the execution.
  await knex.raw('ALTER TABLE evidence_leaves ADD COLUMN environment_mac BINARY(16) NULL');
  // The limited client that made it, whose requests its own are counted with. No foreign key: that one may be deleted.
  await knex.raw('ALTER TABLE clients ADD COLUMN bucket_id BINARY(16) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE clients DROP COLUMN bucket_id');
  await knex.raw('ALTER TABLE evidence_leaves DROP COLUMN environment_mac');
  await knex.raw('ALTER TABLE erasures DROP COLUMN weight');
  for (const table of jobs) await knex.raw(`ALTER TABLE ${table} DROP KEY ${table}_tenant, DROP COLUMN tenant_id`);
}
