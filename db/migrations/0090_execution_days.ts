import type { Knex } from 'knex';

/**
 * Records lock their route, which needs no foreign key: in a new database it is dropped here, in others by
 * `verdict execution narrow`, as processes of the version before rely on it.
 */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  const [some] = (await knex('workspaces').select('id').limit(1)) as unknown[];
  if (some === undefined) await knex.raw('ALTER TABLE executions DROP FOREIGN KEY executions_route_fk');
}

export async function down(knex: Knex): Promise<void> {
  const [keys] = (await knex.raw(
    `SELECT CONSTRAINT_NAME AS name FROM information_schema.TABLE_CONSTRAINTS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions' AND CONSTRAINT_NAME = 'executions_route_fk'`,
  )) as [unknown[]];
  if (keys.length > 0) return;
  await knex.raw(
    `ALTER TABLE executions
       ADD CONSTRAINT executions_route_fk FOREIGN KEY (route) REFERENCES execution_routes (code)`,
  );
}
