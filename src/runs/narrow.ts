import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';

import { divide, type Divided } from './days/divide.js';

/** How often a process looks whether the layout of records is still wide (layout.ts). */
export const layoutPollMs = 1000;

/** Records that are given their routes in one statement. */
const fillSize = 500;

/** How many records have no route yet, which processes of the version before have written. */
export async function countWithoutRoute(database: Knex): Promise<number> {
  const rows = database(database.raw('executions FORCE INDEX (executions_route)')).whereNull('route');
  const [row] = await rows.count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

/** Gives some records their routes, the first after an id; undefined where there are none. */
export async function fillRoutes(
  database: Knex,
  after: Buffer,
): Promise<{ readonly filled: number; readonly last: Buffer } | undefined> {
  const rows = (await database(database.raw('executions FORCE INDEX (executions_route)'))
    .select('id')
    .whereNull('route')
    .where('id', '>', after)
    .orderBy('id')
    .limit(fillSize)) as { id: Buffer }[];
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const ids = rows.map(({ id }) => id);
  const bindings = ids.map(() => '?').join();
  await database.raw(
    `INSERT INTO execution_routes (workspace_id, environment_id, deployment_id, decision_id, version, status, used_at)
       SELECT workspace_id, environment_id, deployment_id, decision_id, version, status, MAX(created_at)
         FROM executions WHERE id IN (${bindings}) AND route IS NULL
        GROUP BY workspace_id, environment_id, deployment_id, decision_id, version, status
     ON DUPLICATE KEY UPDATE used_at = GREATEST(execution_routes.used_at, VALUES(used_at))`,
    ids,
  );
  await database.raw(
    `UPDATE executions e JOIN execution_routes r ON r.workspace_id = e.workspace_id AND r.deployment_id = e.deployment_id
         AND r.environment_id = e.environment_id AND r.decision_id = e.decision_id AND r.version = e.version
         AND r.status = e.status
        SET e.route = r.code WHERE e.id IN (${bindings}) AND e.route IS NULL`,
    ids,
  );
  return { filled: ids.length, last };
}

/** Processes have seen it by then, and written what they had begun to write before. */
const settledMs = 10 * layoutPollMs;

/**
 * Lets processes write narrow records, drops what only those of the version before need, and divides the table into days:
 * none of those may run any more.
 * All of it runs beside executions, and may be interrupted and begun again.
 */
export async function narrow(
  database: Knex,
  onFilled: (rows: number) => void,
  { mayWait }: { readonly mayWait: boolean } = { mayWait: false },
): Promise<Divided> {
  await database('execution_layout').update({ narrow: true });
  for (let after: Buffer = Buffer.alloc(16); ;) {
    const piece = await fillRoutes(database, after);
    if (piece === undefined) break;
    onFilled(piece.filled);
    after = piece.last;
  }
  await sleep(settledMs);
  // A record without a route would lose what keeps its deployment.
  while ((await fillRoutes(database, Buffer.alloc(16))) !== undefined);
  await dropFormer(database);
  return divide(database, mayWait);
}

const formerKeys = ['environment', 'deployment', 'decision', 'version', 'status'].map((name) => `executions_${name}`);
const formerConstraints = ['executions_environment_fk', 'executions_deployment_fk', 'executions_route_fk'];

async function dropFormer(database: Knex): Promise<void> {
  const [constraints] = (await database.raw(
    `SELECT CONSTRAINT_NAME AS name FROM information_schema.TABLE_CONSTRAINTS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions'`,
  )) as [{ name: string }[]];
  const left = formerConstraints.filter((one) => constraints.some(({ name }) => name === one));
  if (left.length > 0)
    await alter(
      database,
      left.map((name) => `DROP FOREIGN KEY ${name}`),
    );
  const [keys] = (await database.raw(
    `SELECT DISTINCT INDEX_NAME AS name FROM information_schema.STATISTICS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions'`,
  )) as [{ name: string }[]];
  const unused = formerKeys.filter((one) => keys.some(({ name }) => name === one));
  if (unused.length > 0)
    await alter(
      database,
      unused.map((name) => `DROP KEY ${name}`),
    );
}

const alter = (database: Knex, changes: readonly string[]): PromiseLike<unknown> =>
  database.raw(`ALTER TABLE executions ${changes.join(', ')}, ALGORITHM=INPLACE, LOCK=NONE`);
