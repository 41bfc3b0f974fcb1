import type { Knex } from 'knex';

/** Whether a version was ever in force for a pair is asked by replays, for a pair that was deployed to any number of times. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE routings
    ADD KEY routings_version (workspace_id, environment_id, decision_id, version, seq)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE routings DROP KEY routings_version');
}
