import type { Knex } from 'knex';

/**
 * What executions say over and over stands once, and records name it by a number. This is the first of two steps: what
 * processes of the version before write and read stays. `verdict execution narrow` takes the second one once they are gone;
 * in a new database it is taken here.
 *
 * It may be interrupted, and goes on where it was. All of it runs beside executions.
 */
export const config = { transaction: false };

export async function up(knex: Knex): Promise<void> {
  // status belongs to it, so that the few failed ones are found. A route goes with its deployment; executions keep it:
  // this decides the race of a DELETE with an execution. used_at: renewed each hour while it is used.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS execution_routes (
      code INT UNSIGNED NOT NULL AUTO_INCREMENT,
      workspace_id BINARY(16) NOT NULL,
      environment_id BINARY(16) NOT NULL,
      deployment_id BINARY(16) NOT NULL,
      decision_id BINARY(16) NOT NULL,
      version INT UNSIGNED NOT NULL,
      status ENUM('COMPLETED', 'FAILED') NOT NULL,
      used_at DATETIME(3) NOT NULL,
      PRIMARY KEY (code),
      UNIQUE KEY execution_routes_deployment
        (workspace_id, deployment_id, environment_id, decision_id, version, status),
      KEY execution_routes_environment (workspace_id, environment_id),
      KEY execution_routes_decision (workspace_id, decision_id),
      CONSTRAINT execution_routes_environment_fk FOREIGN KEY (workspace_id, environment_id)
        REFERENCES environments (workspace_id, id) ON DELETE CASCADE,
      CONSTRAINT execution_routes_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
        REFERENCES deployments (workspace_id, id) ON DELETE CASCADE
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // context: src/runs/recorder/runContext.ts. used_at: renewed each hour, so that no record that names it is much younger.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS execution_settings (
      code INT UNSIGNED NOT NULL AUTO_INCREMENT,
      workspace_id BINARY(16) NOT NULL,
      context BINARY(40) NOT NULL,
      principal VARCHAR(255) NOT NULL,
      used_at DATETIME(3) NOT NULL,
      PRIMARY KEY (code),
      UNIQUE KEY execution_settings_own (workspace_id, context, principal),
      KEY execution_settings_age (workspace_id, used_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  // Whether processes write what the version before reads no more: one row.
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS execution_layout (
      id TINYINT UNSIGNED NOT NULL,
      narrow BOOLEAN NOT NULL,
      PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`);
  await knex.raw('INSERT IGNORE INTO execution_layout (id, narrow) VALUES (1, FALSE)');
  await widen(knex);
  const [some] = (await knex('workspaces').select('id').limit(1)) as unknown[];
  if (some === undefined) await narrow(knex);
  else await fillRoutes(knex);
}

/** New columns, and nothing in the former ones where a record names it by number: rebuilt by the database, beside writers. */
async function widen(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('executions', 'route')) return;
  await withoutChecks(knex, async (connection) => {
    await connection.raw(`
      ALTER TABLE executions
        ADD COLUMN route INT UNSIGNED NULL,
        ADD COLUMN setting INT UNSIGNED NULL,
        ADD COLUMN run_context BINARY(11) NULL,
        MODIFY environment_id BINARY(16) NULL,
        MODIFY deployment_id BINARY(16) NULL,
        MODIFY decision_id BINARY(16) NULL,
        MODIFY version INT UNSIGNED NULL,
        MODIFY principal VARCHAR(255) NULL,
        MODIFY created_at DATETIME(3) NULL,
        MODIFY updated_at DATETIME(3) NULL,
        ADD KEY executions_route (route, id),
        ADD CONSTRAINT executions_route_fk FOREIGN KEY (route) REFERENCES execution_routes (code),
        ALGORITHM=INPLACE, LOCK=NONE`);
  });
}

/** A foreign key is added beside writers only while it is not checked, which it need not be: there is nothing in it yet. */
async function withoutChecks(knex: Knex, work: (connection: Knex.Transaction) => Promise<void>): Promise<void> {
  await knex.transaction(async (connection) => {
    await connection.raw('SET SESSION foreign_key_checks = 0');
    try {
      await work(connection);
    } finally {
      await connection.raw('SET SESSION foreign_key_checks = 1');
    }
  });
}

const fillSize = 1000;

/** Gives each record its route, a piece at a time, in the order of ids. */
async function fillRoutes(knex: Knex): Promise<void> {
  const began = Date.now();
  let filled = 0;
  for (let after: Buffer | undefined = Buffer.alloc(16); after !== undefined;) {
    const [rows] = (await knex.raw(
      'SELECT id FROM executions FORCE INDEX (executions_route) WHERE route IS NULL AND id > ? ORDER BY id LIMIT ?',
      [after, fillSize],
    )) as [{ id: Buffer }[]];
    const last = rows.at(-1)?.id;
    if (last !== undefined) {
      await fillPiece(
        knex,
        rows.map(({ id }) => id),
      );
    }
    filled += rows.length;
    after = last;
    if (filled > 0 && filled % (fillSize * 10) === 0) tell(filled, began);
  }
  if (filled > 0) tell(filled, began);
}

/** As src/runs/narrow.ts does today; a migration stays as it is. */
async function fillPiece(knex: Knex, ids: Buffer[]): Promise<void> {
  const places = ids.map(() => '?').join();
  await knex.raw(
    `INSERT INTO execution_routes (workspace_id, environment_id, deployment_id, decision_id, version, status, used_at)
       SELECT workspace_id, environment_id, deployment_id, decision_id, version, status, MAX(created_at)
         FROM executions WHERE id IN (${places}) AND route IS NULL
        GROUP BY workspace_id, environment_id, deployment_id, decision_id, version, status
     ON DUPLICATE KEY UPDATE used_at = GREATEST(execution_routes.used_at, VALUES(used_at))`,
    ids,
  );
  await knex.raw(
    `UPDATE executions e JOIN execution_routes r ON r.workspace_id = e.workspace_id AND r.deployment_id = e.deployment_id
         AND r.environment_id = e.environment_id AND r.decision_id = e.decision_id AND r.version = e.version
         AND r.status = e.status
        SET e.route = r.code WHERE e.id IN (${places}) AND e.route IS NULL`,
    ids,
  );
}

const tell = (filled: number, began: number): boolean =>
  process.stderr.write(`executions: ${filled} have their routes, ${Math.round((Date.now() - began) / 1000)} s\n`);

/** As `verdict execution narrow` does (src/runs/narrow.ts), where there is nothing yet. */
async function narrow(knex: Knex): Promise<void> {
  await knex('execution_layout').update({ narrow: true });
  await knex.raw(`ALTER TABLE executions
    DROP FOREIGN KEY executions_environment_fk,
    DROP FOREIGN KEY executions_deployment_fk`);
  await knex.raw(`ALTER TABLE executions
    DROP KEY executions_environment,
    DROP KEY executions_deployment,
    DROP KEY executions_decision,
    DROP KEY executions_version,
    DROP KEY executions_status`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    UPDATE executions e JOIN execution_routes r ON r.code = e.route
       SET e.environment_id = r.environment_id, e.deployment_id = r.deployment_id, e.decision_id = r.decision_id,
           e.version = r.version`);
  await knex.raw(`
    UPDATE executions e JOIN execution_settings s ON s.code = e.setting
       SET e.circumstances = CONCAT(SUBSTR(s.context, 1, 38), SUBSTR(e.run_context, 1, 10), SUBSTR(s.context, 39, 2),
             SUBSTR(e.run_context, 11, 1)),
           e.principal = COALESCE(e.principal, s.principal)`);
  const idTime =
    "TIMESTAMPADD(MICROSECOND, CAST(CONV(HEX(SUBSTR(id, 1, 6)), 16, 10) AS SIGNED) * 1000, '1970-01-01 00:00:00')";
  await knex.raw(`UPDATE executions SET created_at = ${idTime} WHERE created_at IS NULL`);
  await knex.raw('UPDATE executions SET updated_at = created_at WHERE updated_at IS NULL');
  const [layout] = (await knex('execution_layout').select('narrow').limit(1)) as { narrow: number }[];
  const isNarrow = layout?.narrow === 1;
  await withoutChecks(knex, async (connection) => {
    await connection.raw(`
      ALTER TABLE executions
        DROP FOREIGN KEY executions_route_fk,
        DROP KEY executions_route,
        DROP COLUMN route,
        DROP COLUMN setting,
        DROP COLUMN run_context,
        MODIFY environment_id BINARY(16) NOT NULL,
        MODIFY deployment_id BINARY(16) NOT NULL,
        MODIFY decision_id BINARY(16) NOT NULL,
        MODIFY version INT UNSIGNED NOT NULL,
        MODIFY principal VARCHAR(255) NOT NULL,
        MODIFY created_at DATETIME(3) NOT NULL,
        MODIFY updated_at DATETIME(3) NOT NULL`);
    if (isNarrow) {
      // In the order that they had.
      await connection.raw('ALTER TABLE executions DROP KEY executions_reference, DROP KEY executions_request');
      await connection.raw(`
        ALTER TABLE executions
          ADD KEY executions_environment (workspace_id, environment_id, id),
          ADD KEY executions_deployment (workspace_id, deployment_id, id),
          ADD KEY executions_decision (workspace_id, decision_id, id),
          ADD KEY executions_version (workspace_id, version, id),
          ADD KEY executions_status (workspace_id, status, id),
          ADD KEY executions_reference (workspace_id, reference, id),
          ADD KEY executions_request (workspace_id, request_id, id),
          ADD CONSTRAINT executions_environment_fk FOREIGN KEY (workspace_id, environment_id)
            REFERENCES environments (workspace_id, id),
          ADD CONSTRAINT executions_deployment_fk FOREIGN KEY (workspace_id, deployment_id)
            REFERENCES deployments (workspace_id, id)`);
    }
  });
  for (const table of ['execution_layout', 'execution_settings', 'execution_routes'])
    await knex.schema.dropTable(table);
}
