import type { Knex } from 'knex';
import type { Writer } from '../../audit/audit.store.js';
import { createPruneTrail, type Owner, type PruneTrail } from '../../audit/prune.js';
import { inTransaction } from '../../storage/database.js';
import { alterDays, dayMs, readDays, type Day } from './days.js';

/** Records are committed later than the moment in their ids. */
const lateMs = dayMs / 2;

/** Audit entries of days that could not be dropped yet, by name: a table that is read all the time lets go of a day later. */
export type PruneTrails = Map<string, PruneTrail>;

interface Removal {
  /** Days that end later stay. */
  readonly before: Date;
  /** Whether somebody keeps records of the day. */
  readonly isKept: (day: Day) => Promise<boolean>;
  /** Whose records go, each of which has an audit entry: workspaces' when left out. */
  readonly ownersIn?: (day: Day) => Promise<readonly Owner[]>;
  readonly onRemoving?: (day: Day) => Promise<void>;
  readonly trails?: PruneTrails;
  /** How many days go at most. */
  readonly most?: number;
}

/**
 * Removes days as a whole, each workspace that loses records having an audit entry. After an interruption an entry may be
 * written twice.
 * @returns how many days went
 */
export async function removeDays(
  { database, actor }: Writer,
  {
    before,
    isKept,
    ownersIn = (day) => workspacesIn(database, day),
    onRemoving,
    trails = new Map(),
    most = Infinity,
  }: Removal,
): Promise<number> {
  const latest = Math.min(before.getTime(), Date.now() - lateMs);
  let removed = 0;
  let from: Date | undefined;
  for (const day of await readDays(database)) {
    const begin = from;
    from = day.until;
    if (day.until.getTime() > latest || removed === most) break;
    if (await isKept(day)) {
      await takeBack(database, trails, day);
      continue;
    }
    const owners = await ownersIn(day);
    const trail = trails.get(day.name) ?? createPruneTrail(actor, 'execution', { from: begin, before: day.until });
    await inTransaction(database, (transaction) => trail.append(transaction, owners));
    trail.committed(owners);
    trails.set(day.name, trail);
    await onRemoving?.(day);
    await alterDays(database, `DROP PARTITION ${day.name}`);
    trails.delete(day.name);
    removed++;
  }
  return removed;
}

/** A drop that was given up, of a day that is kept since: records of it that are missing are not excused by what was told of the drop. */
async function takeBack(database: Knex, trails: PruneTrails, { name }: Day): Promise<void> {
  const trail = trails.get(name);
  if (trail === undefined) return;
  await inTransaction(database, (transaction) => trail.takeBack(transaction));
  trails.delete(name);
}

/** The rows of a day, by one of the table's indexes. */
export const inDay = (database: Knex, { name }: Day, index: string): Knex.QueryBuilder =>
  database(database.raw('executions PARTITION (??) FORCE INDEX (??)', [name, index]));

/** The workspaces that have records of a day: a look for each. */
async function workspacesIn(database: Knex, day: Day): Promise<Owner[]> {
  const owners: Owner[] = [];
  for (let after = Buffer.alloc(16); ;) {
    const [row] = (await inDay(database, day, 'executions_workspace')
      .select('workspace_id')
      .where('workspace_id', '>', after)
      .orderBy('workspace_id')
      .limit(1)) as { workspace_id: Buffer }[];
    if (row === undefined) return owners;
    after = Buffer.from(row.workspace_id);
    owners.push({ ...row, tenant_id: null });
  }
}

/** What records of a day were executed in. */
interface Route {
  readonly workspace_id: Buffer;
  readonly environment_id: Buffer;
}

/** The routes of the records of a day, a look for each; undefined for one that is gone. */
async function* routesIn(database: Knex, day: Day): AsyncGenerator<Route | undefined> {
  const ofDay = (): Knex.QueryBuilder => inDay(database, day, 'executions_route').select('route').limit(1);
  for (let after = 0; ;) {
    const [row] = (await ofDay().where('route', '>', after).orderBy('route')) as { route: number }[];
    if (row === undefined) return;
    const [route] = (await database('execution_routes')
      .select('workspace_id', 'environment_id')
      .where('code', row.route)) as Route[];
    yield route;
    after = row.route;
  }
}

/**
 * Whether an environment keeps records of a day. The settings that say no stay as they are until the transaction ends; it reads no
 * records, as a drop would wait for that.
 */
export async function isRetained(database: Knex, day: Day, held: Knex.Transaction): Promise<boolean> {
  for await (const route of routesIn(database, day)) {
    if (route === undefined) return true;
    const setting = held('retentions').where('environment_id', route.environment_id).forShare();
    const [row] = await setting.select<{ days: number }[]>('days');
    if (row === undefined || day.until.getTime() > Date.now() - row.days * dayMs) return true;
  }
  return false;
}

/**
 * The environments that have records of a day. Each lets go of its own alone: what is gone of another one by then is excused by no
 * entry, or who can write the database could have its records pass for those that a retention removed.
 */
export async function environmentsIn(database: Knex, day: Day): Promise<Owner[]> {
  const owners = new Map<string, Owner>();
  for await (const route of routesIn(database, day)) {
    if (route === undefined) continue;
    const { workspace_id, environment_id } = route;
    owners.set(environment_id.toString('hex'), { workspace_id, environment_id, tenant_id: null });
  }
  return [...owners.values()];
}
