import type { Knex } from 'knex';

/**
 * Checks are taken by workspaces in turn. `due` is null of those that are over, so that the next workspace is found without
 * passing by them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE change_checks
      ADD COLUMN due BOOLEAN GENERATED ALWAYS AS (IF(due_at IS NULL, NULL, 1)) STORED,
      ADD KEY change_checks_turn (due, workspace_id, due_at),
      DROP KEY change_checks_due`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE change_checks
      DROP KEY change_checks_turn,
      DROP COLUMN due,
      ADD KEY change_checks_due (due_at)`);
}
