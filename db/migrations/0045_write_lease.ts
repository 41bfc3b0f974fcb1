import type { Knex } from 'knex';

/** Who alone may write a workspace's decisions for a while. */
export async function up(knex: Knex): Promise<void> {
  // writer: random for each attempt to write. NULL while nobody has the lease, as nearly always.
  await knex.raw('ALTER TABLE workspaces ADD writer BINARY(16) NULL, ADD writer_until DATETIME(3) NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE workspaces DROP writer, DROP writer_until');
}
