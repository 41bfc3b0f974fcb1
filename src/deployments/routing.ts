import type { Knex } from 'knex';
import { createSharedCache, type SharedCache, type Versioned } from '../cache/sharedCache.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Cache } from '../storage/redis.js';

/** A decision within an environment of a workspace: the key of a routing. */
export interface Pair {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
}

/** The routing row in force. */
export interface Route {
  readonly deploymentId: string;
  readonly version: number;
}

/** A route as executions get it: with the revision that its environment's configuration had when it was read. */
export interface RouteInForce extends Route {
  readonly configuration: number;
}

/** A pair whose routing changed, with the revision that its route has by it. */
export interface RoutingChange extends Pair {
  readonly revision: number;
  /** The route in force before; null when there was none. */
  readonly before: Route | null;
}

const keyOf = (pair: Pair): string => `${pair.workspaceId}/${pair.environmentId}/${pair.decisionId}`;

function pairOf(key: string): Pair {
  const [workspaceId = '', environmentId = '', decisionId = ''] = key.split('/');
  return { workspaceId, environmentId, decisionId };
}

const maxEntries = 50_000;

/**
 * Which deployment a pair's executions run. Every change takes the next revision of the pair's head row, in the
 * transaction of its cause, which holds the environment; after the commit the change is published, and only then is the
 * request answered. The revision of a route is the sum of the head's and the configuration's, so that a route which was
 * read before a change of either is known to be old.
 */
export class Routing {
  readonly #routes: SharedCache<RouteInForce>;

  constructor({ database, cache, maxAgeMs }: { database: Knex; cache: Cache | null; maxAgeMs: number }) {
    this.#routes = createSharedCache<RouteInForce>({
      name: 'route',
      redis: cache,
      maxAgeMs,
      maxCount: maxEntries,
      async load(key) {
        const { head, configuration, value } = await readRoute(database, pairOf(key));
        return { revision: head + configuration, value: value && { ...value, configuration } };
      },
      encode: (_key, { value }) => JSON.stringify(value),
      decode: (_key, payload) => JSON.parse(payload) as RouteInForce | null,
    });
  }

  get hits(): SharedCache<RouteInForce>['hits'] {
    return this.#routes.hits;
  }

  /** Null when nothing is deployed there. Synchronous while fresh. */
  routeOf(pair: Pair): Versioned<RouteInForce> | Promise<Versioned<RouteInForce>> {
    return this.#routes.get(keyOf(pair));
  }

  /** The route at a moment when the environment's configuration had this revision, or later. @param known an older one */
  routeSince(
    pair: Pair,
    { revision, value }: Versioned<RouteInForce>,
    configuration: number,
  ): Versioned<RouteInForce> | Promise<Versioned<RouteInForce>> {
    this.#routes.outdate(keyOf(pair), revision + configuration - (value?.configuration ?? 0));
    return this.routeOf(pair);
  }

  /** Reads MySQL, bypassing the cache; for a route whose deployment turned out to be gone. */
  reread(pair: Pair): Promise<Versioned<RouteInForce>> {
    return this.#routes.reread(keyOf(pair));
  }

  /** To be awaited after the commit of changes: from then on this process uses nothing older. */
  async publish(changes: readonly RoutingChange[]): Promise<void> {
    await Promise.all(changes.map((change) => this.#routes.invalidate(keyOf(change), change.revision)));
  }
}

/** Adds the row that is in force from the commit on. */
export async function addRoute(transaction: Knex.Transaction, pair: Pair, route: Route): Promise<RoutingChange> {
  const change = await takeRevision(transaction, pair);
  await transaction('routings').insert({
    ...pairColumns(pair),
    deployment_id: idToBytes(route.deploymentId),
    version: route.version,
    created_at: new Date(),
  });
  return change;
}

/** Takes the next revision of every pair that the deployment has rows in; for its DELETE. */
export async function changeRoutesOfDeployment(
  transaction: Knex.Transaction,
  workspaceId: string,
  deploymentId: string,
): Promise<RoutingChange[]> {
  const rows = (await transaction('routings')
    .distinct('environment_id', 'decision_id')
    .where({ workspace_id: idToBytes(workspaceId), deployment_id: idToBytes(deploymentId) })
    .orderBy(['environment_id', 'decision_id'])) as PairRow[];
  return changeEach(transaction, workspaceId, rows);
}

/** Takes the next revision of every pair that loses rows with the environment and its deployments; for its DELETE. */
export async function changeRoutesOfEnvironment(
  transaction: Knex.Transaction,
  workspaceId: string,
  environmentId: string,
): Promise<RoutingChange[]> {
  const owner = { workspace_id: idToBytes(workspaceId), environment_id: idToBytes(environmentId) };
  // Routing rows of a deployment that PATCH moved here still belong to its former environment; they are deleted with it.
  const left = transaction('routings as r')
    .select('r.environment_id', 'r.decision_id')
    .join('deployments as d', { 'd.workspace_id': 'r.workspace_id', 'd.id': 'r.deployment_id' })
    .where({ 'd.workspace_id': owner.workspace_id, 'd.environment_id': owner.environment_id });
  const rows = (await transaction('routing_heads')
    .select('environment_id', 'decision_id')
    .where(owner)
    .union(left)
    .orderBy(['environment_id', 'decision_id'])) as PairRow[];
  return changeEach(transaction, workspaceId, rows);
}

interface PairRow {
  readonly environment_id: Buffer;
  readonly decision_id: Buffer;
}

export const pairColumns = (pair: Pair): Record<'workspace_id' | 'environment_id' | 'decision_id', Buffer> => ({
  workspace_id: idToBytes(pair.workspaceId),
  environment_id: idToBytes(pair.environmentId),
  decision_id: idToBytes(pair.decisionId),
});

/** Locks the heads in a fixed order, so that transactions on the same pairs wait instead of deadlocking. */
async function changeEach(
  transaction: Knex.Transaction,
  workspaceId: string,
  rows: readonly PairRow[],
): Promise<RoutingChange[]> {
  const changes: RoutingChange[] = [];
  for (const row of rows) {
    const pair = {
      workspaceId,
      environmentId: idFromBytes(row.environment_id),
      decisionId: idFromBytes(row.decision_id),
    };
    changes.push(await takeRevision(transaction, pair));
  }
  return changes;
}

/** The head row's lock also serialises the writers of a pair, so that the order of `seq` is the order of commits. */
async function takeRevision(transaction: Knex.Transaction, pair: Pair): Promise<RoutingChange> {
  const head = pairColumns(pair);
  await transaction.raw(
    `INSERT INTO routing_heads (workspace_id, environment_id, decision_id, revision) VALUES (?, ?, ?, 1)
     ON DUPLICATE KEY UPDATE revision = revision + 1`,
    [head.workspace_id, head.environment_id, head.decision_id],
  );
  const { head: own, configuration, value: before } = await readRoute(transaction, pair);
  return { ...pair, revision: own + configuration, before };
}

/**
 * The environments with routing rows of a deployment, or of any deployment of an environment: those of one that a PATCH
 * moved still belong to its former environment, and are deleted with it.
 */
export async function environmentsRoutedBy(
  connection: Connection,
  workspaceId: string,
  of: { readonly deploymentId: string } | { readonly environmentId: string },
): Promise<string[]> {
  const rows = connection('routings as r').distinct('r.environment_id').where('r.workspace_id', idToBytes(workspaceId));
  if ('deploymentId' in of) void rows.where('r.deployment_id', idToBytes(of.deploymentId));
  else {
    void rows
      .join('deployments as d', { 'd.workspace_id': 'r.workspace_id', 'd.id': 'r.deployment_id' })
      .where('d.environment_id', idToBytes(of.environmentId));
  }
  return ((await rows) as Pick<PairRow, 'environment_id'>[]).map((row) => idFromBytes(row.environment_id));
}

interface ReadRoute {
  /** The revision of the pair's head row. */
  readonly head: number;
  /** The revision of the environment's configuration. */
  readonly configuration: number;
  readonly value: Route | null;
}

/** The route in force with the revisions that belong to it, in one statement, so that they are consistent. */
export async function readRoute(connection: Connection, pair: Pair): Promise<ReadRoute> {
  const head = pairColumns(pair);
  const [rows] = (await connection.raw(
    `SELECT h.revision, e.config_revision, r.deployment_id, r.version
       FROM routing_heads h
       LEFT JOIN environments e ON e.workspace_id = h.workspace_id AND e.id = h.environment_id
       LEFT JOIN routings r ON r.seq = (
         SELECT n.seq FROM routings n FORCE INDEX (routings_pair)
          WHERE n.workspace_id = h.workspace_id AND n.environment_id = h.environment_id AND n.decision_id = h.decision_id
          ORDER BY n.seq DESC LIMIT 1)
      WHERE h.workspace_id = ? AND h.environment_id = ? AND h.decision_id = ?`,
    [head.workspace_id, head.environment_id, head.decision_id],
  )) as [RouteRow[]];
  const [row] = rows;
  if (row === undefined) return { head: 0, configuration: 0, value: null };
  const { revision, config_revision: configuration, deployment_id: deployment, version } = row;
  return {
    head: revision,
    configuration: Number(configuration),
    value: deployment && { deploymentId: idFromBytes(deployment), version },
  };
}

interface RouteRow {
  readonly revision: number;
  /** Null when the environment is gone. */
  readonly config_revision: number | string | null;
  readonly deployment_id: Buffer | null;
  readonly version: number;
}
