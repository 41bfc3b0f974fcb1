import type { Knex } from 'knex';

/** What a recorded execution needs to be run again: what it saw besides its fact, and all that it names. */
export async function up(knex: Knex): Promise<void> {
  // circumstances: src/runs/recorder/circumstances.ts. NULL in records that were made before there was such a column.
  await knex.raw('ALTER TABLE executions ADD COLUMN circumstances BINARY(51) NULL');
  // revision: of the environment's configuration, from which on the value is in force; 0 for what was there before.
  await knex.raw('ALTER TABLE variables ADD COLUMN revision BIGINT UNSIGNED NOT NULL DEFAULT 0');
  // config_kept_from: configurations of earlier revisions can't be put together any more.
  await knex.raw('ALTER TABLE environments ADD COLUMN config_kept_from BIGINT UNSIGNED NOT NULL DEFAULT 0');
  // Values of variables that were replaced or removed, sealed as they were, in force from `from_revision` until before
  // `until_revision`.
  await knex.raw(`
    CREATE TABLE variable_history (
      environment_id BINARY(16) NOT NULL,
      until_revision BIGINT UNSIGNED NOT NULL,
      from_revision BIGINT UNSIGNED NOT NULL,
      name VARCHAR(128) NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      value MEDIUMBLOB NOT NULL,
      secret BOOLEAN NOT NULL,
      replaced_at DATETIME(3) NOT NULL,
      PRIMARY KEY (environment_id, until_revision, from_revision, name),
      KEY variable_history_age (workspace_id, environment_id, replaced_at),
      CONSTRAINT variable_history_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Working copies as they were executed; versions keep their own manifests. used_at: renewed while it is in use, so that
  // no record that names the program is much younger.
  await knex.raw(`
    CREATE TABLE kept_programs (
      workspace_id BINARY(16) NOT NULL,
      program_id BINARY(32) NOT NULL,
      manifest MEDIUMTEXT NOT NULL,
      used_at DATETIME(3) NOT NULL,
      PRIMARY KEY (workspace_id, program_id),
      KEY kept_programs_age (workspace_id, used_at),
      CONSTRAINT kept_programs_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // What names a content keeps it, by foreign keys; decisions have theirs already.
  await knex.raw(`
    CREATE TABLE kept_program_contents (
      workspace_id BINARY(16) NOT NULL,
      program_id BINARY(32) NOT NULL,
      content_hash BINARY(32) NOT NULL,
      PRIMARY KEY (workspace_id, program_id, content_hash),
      KEY kept_program_contents_content (content_hash),
      CONSTRAINT kept_program_contents_program_fk FOREIGN KEY (workspace_id, program_id)
        REFERENCES kept_programs (workspace_id, program_id) ON DELETE CASCADE,
      CONSTRAINT kept_program_contents_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw(`ALTER TABLE versions
    ADD KEY versions_content (content_hash),
    ADD CONSTRAINT versions_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`);
  await knex.raw(`ALTER TABLE version_dependencies
    ADD KEY version_dependencies_content (content_hash),
    ADD CONSTRAINT version_dependencies_content_fk FOREIGN KEY (content_hash) REFERENCES contents (hash)`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['version_dependencies', 'versions']) {
    await knex.raw('ALTER TABLE ?? DROP FOREIGN KEY ??', [table, `${table}_content_fk`]);
    await knex.raw('ALTER TABLE ?? DROP KEY ??', [table, `${table}_content`]);
  }
  for (const table of ['kept_program_contents', 'kept_programs', 'variable_history'])
    await knex.schema.dropTable(table);
  await knex.raw('ALTER TABLE environments DROP COLUMN config_kept_from');
  await knex.raw('ALTER TABLE variables DROP COLUMN revision');
  await knex.raw('ALTER TABLE executions DROP COLUMN circumstances');
}
