import type { Knex } from 'knex';

/**
 * Executions are divided by the time in their ids, so that old days are dropped, and records lock their route, as a divided
 * table has no foreign key. In a new database it is done here, in others by `verdict execution narrow`, as processes of the
 * version before rely on the foreign key.
 */
export const config = { transaction: false };

const dayMs = 24 * 60 * 60 * 1000;
/** As src/runs/days/days.ts does today; the first process that starts makes those that are missing by then. */
const daysAhead = 8;

export async function up(knex: Knex): Promise<void> {
  const [some] = (await knex('workspaces').select('id').limit(1)) as unknown[];
  if (some !== undefined) return;
  await knex.raw('ALTER TABLE executions DROP FOREIGN KEY executions_route_fk');
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const days = Array.from({ length: daysAhead }, (_, index) => today + (index + 1) * dayMs).map((until) => {
    const name = new Date(until).toISOString().slice(0, 10).replaceAll('-', '');
    const id = until.toString(16).padStart(12, '0').padEnd(32, '0');
    return `PARTITION until_${name} VALUES LESS THAN (X'${id}')`;
  });
  await knex.raw(`ALTER TABLE executions PARTITION BY RANGE COLUMNS (id) (
    ${days.join(', ')}, PARTITION rest VALUES LESS THAN (MAXVALUE))`);
}

export async function down(knex: Knex): Promise<void> {
  const [keys] = (await knex.raw(
    `SELECT CONSTRAINT_NAME AS name FROM information_schema.TABLE_CONSTRAINTS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions' AND CONSTRAINT_NAME = 'executions_route_fk'`,
  )) as [unknown[]];
  if (keys.length > 0) return;
  const [partitions] = (await knex.raw(
    `SELECT PARTITION_NAME FROM information_schema.PARTITIONS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions' AND PARTITION_NAME IS NOT NULL`,
  )) as [unknown[]];
  if (partitions.length > 0) await knex.raw('ALTER TABLE executions REMOVE PARTITIONING');
  await knex.raw(
    `ALTER TABLE executions
       ADD CONSTRAINT executions_route_fk FOREIGN KEY (route) REFERENCES execution_routes (code)`,
  );
}
