import type { Knex } from 'knex';

/** additions: how often the process that has the row has added to it, so that a repeated addition counts nothing twice. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE measures ADD COLUMN additions INT UNSIGNED NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE measures DROP COLUMN additions');
}
