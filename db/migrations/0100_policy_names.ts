import type { Knex } from 'knex';

/**
 * policy_names: whom policies name, by a hash, so that the workspaces of a user are found without reading the policies of all
 * others. is_filed: whether a policy's names stand there; those of the version before are filed when they are first needed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE policy_names (
      name BINARY(32) NOT NULL,
      policy_id BINARY(16) NOT NULL,
      PRIMARY KEY (name, policy_id),
      KEY policy_names_policy (policy_id),
      CONSTRAINT policy_names_policy_fk FOREIGN KEY (policy_id) REFERENCES policies (id) ON DELETE CASCADE
    )`);
  await knex.raw(`
    ALTER TABLE policies
      ADD COLUMN is_filed BOOLEAN NOT NULL DEFAULT FALSE,
      ADD KEY policies_filed (is_filed, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE policy_names');
  await knex.raw('ALTER TABLE policies DROP KEY policies_filed, DROP COLUMN is_filed');
}
