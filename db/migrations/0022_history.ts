import type { Knex } from 'knex';

/**
 * The history over HTTP: each filter reads one index, in the order of ids. `reference` is the caller's own id of an
 * execution, visible ASCII; most have none, and rows without one stand at the end of their index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE executions
      ADD COLUMN reference VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
      ADD KEY executions_decision (workspace_id, decision_id, id),
      ADD KEY executions_version (workspace_id, version, id),
      ADD KEY executions_status (workspace_id, status, id),
      ADD KEY executions_reference (workspace_id, reference, id),
      ADD KEY executions_request (workspace_id, request_id, id)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE executions
      DROP KEY executions_decision,
      DROP KEY executions_version,
      DROP KEY executions_status,
      DROP KEY executions_reference,
      DROP KEY executions_request,
      DROP COLUMN reference`);
}
