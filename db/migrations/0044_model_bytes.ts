import type { Knex } from 'knex';

/** How large models are: of one content, and of all that a workspace has stored. */
export async function up(knex: Knex): Promise<void> {
  // 0: written by a server of the version before, which did not know it. A generated column would be no help: MariaDB reads
  // the whole body to give it.
  await knex.raw('ALTER TABLE contents ADD bytes INT UNSIGNED NOT NULL DEFAULT 0');
  await knex.raw('UPDATE contents SET bytes = LENGTH(body)');
  await knex.raw('ALTER TABLE workspaces ADD model_bytes BIGINT UNSIGNED NOT NULL DEFAULT 0 AFTER decisions_count');
  // Each content that a workspace has stored, once, whatever names it; `workspaces.model_bytes` is their sum.
  await knex.raw(`
    CREATE TABLE workspace_contents (
      workspace_id BINARY(16) NOT NULL,
      content_hash BINARY(32) NOT NULL,
      bytes INT UNSIGNED NOT NULL,
      PRIMARY KEY (workspace_id, content_hash),
      CONSTRAINT workspace_contents_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspaces (id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  const naming = ['decisions', 'versions', 'version_dependencies', 'kept_program_contents'];
  const named = naming.map((table) => `SELECT workspace_id, content_hash FROM ${table}`).join(' UNION ');
  await knex.raw(`INSERT INTO workspace_contents (workspace_id, content_hash, bytes)
    SELECT named.workspace_id, named.content_hash, contents.bytes
    FROM (${named}) named JOIN contents ON contents.hash = named.content_hash`);
  await knex.raw(`UPDATE workspaces SET model_bytes = COALESCE(
    (SELECT SUM(bytes) FROM workspace_contents WHERE workspace_contents.workspace_id = workspaces.id), 0)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('workspace_contents');
  await knex.raw('ALTER TABLE workspaces DROP model_bytes');
  await knex.raw('ALTER TABLE contents DROP bytes');
}
