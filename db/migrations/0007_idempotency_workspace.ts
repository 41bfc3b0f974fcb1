import type { Knex } from 'knex';

/**
 * An idempotency key took a shared lock on its workspace's row, and waited for whoever wrote decisions there. The row
 * cannot vanish from under it: nothing removes workspaces.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE idempotency_keys DROP FOREIGN KEY idempotency_keys_workspace_fk');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE idempotency_keys
    ADD CONSTRAINT idempotency_keys_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)`);
}
