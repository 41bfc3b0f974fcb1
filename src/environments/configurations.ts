import type { Knex } from 'knex';
import { formatJson } from '../../workers/json/index.js';
import type { Configuration } from '../../workers/protocol.js';
import { createSharedCache, type SharedCache } from '../cache/sharedCache.js';
import type { Encryption } from '../storage/encryption.js';
import type { Cache } from '../storage/redis.js';
import { readHosts, type HostsOwner } from './hosts.store.js';
import { loadConfiguration } from './variables.store.js';

/** An environment's configuration as a worker gets it. */
export interface LoadedConfiguration {
  /** Environment and revision, so that a changed configuration has another id. */
  readonly id: string;
  readonly revision: number;
  /** `Configuration` as JSON text. */
  readonly text: string;
}

export interface Configurations {
  /**
   * Null when there is no such environment. Synchronous while fresh.
   * @param since the least revision, where one is known
   */
  of(
    workspaceId: string,
    environmentId: string,
    since?: number,
  ): LoadedConfiguration | null | Promise<LoadedConfiguration | null>;
  /** What evaluations in a workspace run with: hosts alone; null where there are none. Synchronous while fresh. */
  ofEvaluations(workspaceId: string): LoadedConfiguration | null | Promise<LoadedConfiguration | null>;
  /**
   * To be awaited after the commit that gave the owner's configuration this revision: from then on this process uses
   * nothing older.
   */
  publish(owner: HostsOwner, revision: number): Promise<void>;
  readonly hits: SharedCache<LoadedConfiguration>['hits'];
}

const maxEntries = 10_000;
/** UTF-16 units of all configurations in memory together. */
const maxUnits = 64 * 1024 * 1024;

/** Reads variables through Redis, where they are ciphertext bound to workspace, environment and revision. */
export function createConfigurations({
  database,
  cache,
  encryption,
  privateHosts,
  maxAgeMs,
}: {
  database: Knex;
  cache: Cache | null;
  encryption: Encryption;
  /** `host:port` entries that may stand at a private address, where a list of hosts names them. */
  privateHosts: readonly string[];
  maxAgeMs: number;
}): Configurations {
  // The 4 is the version of the form: what a release with another form wrote can't be decrypted, and is read from
  // MySQL.
  const context = (key: string, revision: number): string => `configuration 4/${key}/${revision}`;
  const configurations = createSharedCache<LoadedConfiguration>({
    name: 'configuration',
    redis: cache,
    maxAgeMs,
    maxCount: maxEntries,
    maxWeight: maxUnits,
    weigh: ({ value }) => value?.text.length ?? 0,
    async load(key, known) {
      const [workspaceId = '', environmentId = ''] = key.split('/');
      const loaded = await (environmentId === ofEvaluations
        ? hostsAlone(database, workspaceId)
        : loadConfiguration({ database, encryption }, workspaceId, environmentId, known?.value ?? undefined));
      if (loaded === undefined) return { revision: 0, value: null };
      if ('text' in loaded) return { revision: loaded.revision, value: loaded };
      const { revision, ...configuration } = loaded;
      if (environmentId === ofEvaluations && configuration.httpHosts.length === 0) return { revision, value: null };
      const owner = environmentId === ofEvaluations ? `${workspaceId}/${ofEvaluations}` : environmentId;
      const named = configuration.httpHosts.filter((host) => privateHosts.includes(host));
      const whole: Configuration = { ...configuration, privateHosts: named };
      return { revision, value: { id: `${owner}:${revision}`, revision, text: formatJson(whole) } };
    },
    encode: (key, { revision, value }) =>
      encryption.seal(JSON.stringify(value), context(key, revision)).toString('base64'),
    decode: (key, payload, revision) =>
      JSON.parse(encryption.open(Buffer.from(payload, 'base64'), context(key, revision))) as LoadedConfiguration | null,
  });
  const of: Configurations['of'] = (workspaceId, environmentId, since) => {
    const key = `${workspaceId}/${environmentId}`;
    if (since !== undefined) configurations.outdate(key, since);
    const versioned = configurations.get(key);
    return versioned instanceof Promise ? versioned.then(({ value }) => value) : versioned.value;
  };
  return {
    hits: configurations.hits,
    of,
    ofEvaluations: (workspaceId) => of(workspaceId, ofEvaluations),
    publish: ({ workspaceId, environmentId = ofEvaluations }, revision) =>
      configurations.invalidate(`${workspaceId}/${environmentId}`, revision),
  };
}

/** Stands in keys for the environment of evaluations. */
const ofEvaluations = 'evaluations';

/** No variables, so that `$env` is empty. */
async function hostsAlone(database: Knex, workspaceId: string): Promise<Configuration & { revision: number }> {
  const { hosts, revision } = await readHosts(database, { workspaceId });
  return { revision, variables: {}, secrets: [], httpHosts: hosts };
}
