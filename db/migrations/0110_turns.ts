import type { Knex } from 'knex';

/** Work that all processes share, and the index by which the oldest was found whoever's it was. */
const jobs = [
  ['erasures', 'erasures_due'],
  ['monitors', 'monitors_due'],
  ['replays', 'replays_due'],
  ['retentions', 'retentions_due'],
  ['change_checks', 'change_checks_turn'],
] as const;

/** Tenants take turns at what works in the background: each job says whose it is. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, index] of jobs) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN tenant_id BINARY(16) NULL`);
    await knex.raw(
      `UPDATE ${table} JOIN workspaces ON workspaces.id = ${table}.workspace_id SET ${table}.tenant_id = workspaces.tenant_id`,
    );
    await knex.raw(`ALTER TABLE ${table} MODIFY COLUMN tenant_id BINARY(16) NOT NULL, DROP KEY ${index}`);
  }
  await knex.raw('ALTER TABLE change_checks DROP COLUMN due');
  // weight: how many executions it names, and at least what an erasure takes in any case.
  await knex.raw('ALTER TABLE erasures DROP COLUMN erased, ADD COLUMN weight INT UNSIGNED NOT NULL DEFAULT 100');
  for (const [table] of jobs) await knex.raw(`ALTER TABLE ${table} ADD KEY ${table}_turn (tenant_id, due_at)`);
  // Of an execution's environment: it outlives the execution.
  await knex.raw('ALTER TABLE evidence_leaves ADD COLUMN environment_mac BINARY(16) NULL');
  // The limited client that made it, whose requests its own are counted with. No foreign key: that one may be deleted.
  await knex.raw('ALTER TABLE clients ADD COLUMN bucket_id BINARY(16) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE clients DROP COLUMN bucket_id');
  await knex.raw('ALTER TABLE evidence_leaves DROP COLUMN environment_mac');
  await knex.raw('ALTER TABLE erasures DROP COLUMN weight, ADD COLUMN erased INT UNSIGNED NOT NULL DEFAULT 0');
  for (const [table] of jobs) await knex.raw(`ALTER TABLE ${table} DROP KEY ${table}_turn, DROP COLUMN tenant_id`);
  await knex.raw(`
    ALTER TABLE change_checks
      ADD COLUMN due BOOLEAN GENERATED ALWAYS AS (IF(due_at IS NULL, NULL, 1)) STORED,
      ADD KEY change_checks_turn (due, workspace_id, due_at)`);
  await knex.raw('ALTER TABLE retentions ADD KEY retentions_due (due_at, environment_id)');
  for (const table of ['erasures', 'monitors', 'replays'])
    await knex.raw(`ALTER TABLE ${table} ADD KEY ${table}_due (due_at)`);
}
