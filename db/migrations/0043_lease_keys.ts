import type { Knex } from 'knex';

/** The master keys that each server process opens, so that a rotation can tell who could not read what it seals. */
export async function up(knex: Knex): Promise<void> {
  // Ids in hex with spaces between; null: of a release that did not say, which counts as opening `key_id` alone.
  await knex.raw('ALTER TABLE sealing_leases ADD COLUMN opens VARCHAR(4096) CHARACTER SET ascii NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sealing_leases DROP COLUMN opens');
}
