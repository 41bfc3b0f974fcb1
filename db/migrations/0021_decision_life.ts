import type { Knex } from 'knex';

/** What decisions are shown, listed, compared and removed by over HTTP. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE workspaces ADD decisions_count INT UNSIGNED NOT NULL DEFAULT 0 AFTER decisions_revision');
  await knex.raw(`UPDATE workspaces SET decisions_count =
    (SELECT COUNT(*) FROM decisions WHERE decisions.workspace_id = workspaces.id)`);
  // sub_decisions: JSON list of the names that the content's decision nodes use, so that it need not be parsed for them.
  await knex.raw('ALTER TABLE contents ADD sub_decisions MEDIUMTEXT NULL AFTER body');
  await nameSubDecisions(knex);
  await knex.raw('ALTER TABLE contents MODIFY sub_decisions MEDIUMTEXT NOT NULL');
  // revision: the ETag. faults, warnings: how many of either the working copy has; with faults it can't become a version.
  await knex.raw(`ALTER TABLE decisions
    ADD faults INT UNSIGNED NOT NULL DEFAULT 0 AFTER content_hash,
    ADD warnings INT UNSIGNED NOT NULL DEFAULT 0 AFTER faults,
    ADD revision INT UNSIGNED NOT NULL DEFAULT 1 AFTER latest_version`);
  await knex.raw('UPDATE decisions SET faults = faulty');
  await knex.raw('ALTER TABLE decisions DROP faulty');
  await knex.raw(`ALTER TABLE versions
    ADD content_hash BINARY(32) NULL AFTER program_id,
    ADD message VARCHAR(4000) NULL AFTER manifest,
    ADD saved_by VARCHAR(255) NOT NULL DEFAULT 'operator:unknown' AFTER message`);
  await knex.raw(
    `UPDATE versions SET content_hash = UNHEX(JSON_UNQUOTE(JSON_EXTRACT(manifest, '$.entries[0].content')))`,
  );
  await knex.raw(`ALTER TABLE versions
    MODIFY content_hash BINARY(32) NOT NULL,
    MODIFY saved_by VARCHAR(255) NOT NULL`);
  // Which decisions a version pins, and by which keys they went: the manifest has contents alone. A decision that a
  // version pins can't be removed (1451). position: breadth-first from 1, as in the manifest.
  await knex.raw(`
    CREATE TABLE version_dependencies (
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      position INT UNSIGNED NOT NULL,
      workspace_id BINARY(16) NOT NULL,
      dependency_id BINARY(16) NOT NULL,
      dependency_key VARCHAR(512) NOT NULL,
      content_hash BINARY(32) NOT NULL,
      PRIMARY KEY (decision_id, version, position),
      KEY version_dependencies_dependency (workspace_id, dependency_id),
      CONSTRAINT version_dependencies_version_fk FOREIGN KEY (decision_id, version)
        REFERENCES versions (decision_id, version) ON DELETE CASCADE,
      CONSTRAINT version_dependencies_decision_fk FOREIGN KEY (workspace_id, dependency_id)
        REFERENCES decisions (workspace_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // A deployment that PATCH moved to another decision leaves its routings behind. They stay as long as the deployment,
  // and that as long as recorded executions name it: so this keeps every decision that an execution names.
  await knex.raw(`ALTER TABLE routings
    ADD KEY routings_decision (workspace_id, decision_id),
    ADD CONSTRAINT routings_decision_fk FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)`);
  // Evaluations are recorded when there is time for it, and keep no decision from being removed.
  await knex.raw('ALTER TABLE evaluations DROP FOREIGN KEY evaluations_decision_fk');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`DELETE FROM evaluations WHERE NOT EXISTS
    (SELECT 1 FROM decisions WHERE decisions.workspace_id = evaluations.workspace_id AND decisions.id = evaluations.decision_id)`);
  await knex.raw(`ALTER TABLE evaluations ADD CONSTRAINT evaluations_decision_fk
    FOREIGN KEY (workspace_id, decision_id) REFERENCES decisions (workspace_id, id)`);
  await knex.raw('ALTER TABLE routings DROP FOREIGN KEY routings_decision_fk, DROP KEY routings_decision');
  await knex.schema.dropTable('version_dependencies');
  await knex.raw('ALTER TABLE versions DROP content_hash, DROP message, DROP saved_by');
  await knex.raw('ALTER TABLE decisions ADD faulty BOOLEAN NOT NULL DEFAULT FALSE AFTER content_hash');
  await knex.raw('UPDATE decisions SET faulty = faults > 0');
  await knex.raw('ALTER TABLE decisions DROP faults, DROP warnings, DROP revision');
  await knex.raw('ALTER TABLE contents DROP sub_decisions');
  await knex.raw('ALTER TABLE workspaces DROP decisions_count');
}

/** Contents whose texts are in memory at once; one has 6 MiB at most. */
const pageSize = 20;

async function nameSubDecisions(knex: Knex): Promise<void> {
  for (let last: Buffer = Buffer.alloc(0); ;) {
    const rows = (await knex('contents')
      .select('hash', 'body')
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)) as { hash: Buffer; body: string }[];
    for (const { hash, body } of rows) {
      const names = JSON.stringify(subDecisionsOf(JSON.parse(body)));
      await knex('contents').where({ hash }).update({ sub_decisions: names });
      last = hash;
    }
    if (rows.length < pageSize) return;
  }
}

function subDecisionsOf(model: unknown): string[] {
  const { nodes } = model as { nodes?: unknown };
  if (!Array.isArray(nodes)) return [];
  const names = (nodes as ({ type?: unknown; content?: { key?: unknown } | null } | null)[])
    .filter((node) => node?.type === 'decisionNode')
    .map((node) => (typeof node?.content?.key === 'string' ? node.content.key : ''));
  return [...new Set(names)];
}
