import type { Knex } from 'knex';
import type { Configuration } from '../../workers/protocol.js';
import type { Encryption } from '../storage/encryption.js';
import type { Cache } from '../storage/redis.js';
import { createVersionedCache, type VersionedCache } from '../storage/versionedCache.js';
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
  /** Null when there is no such environment. Synchronous while fresh. */
  of(workspaceId: string, environmentId: string): LoadedConfiguration | null | Promise<LoadedConfiguration | null>;
  /**
   * To be awaited after the commit that gave the environment's configuration this revision: from then on this process
   * uses nothing older.
   */
  announce(place: { readonly workspaceId: string; readonly environmentId: string }, revision: number): Promise<void>;
  readonly hits: VersionedCache<LoadedConfiguration>['hits'];
}

const maxEntries = 10_000;

/** Reads variables through Redis, where they are ciphertext bound to workspace, environment and revision. */
export function createConfigurations({
  database,
  cache,
  encryption,
  maxAgeMs,
}: {
  database: Knex;
  cache: Cache | null;
  encryption: Encryption;
  maxAgeMs: number;
}): Configurations {
  // The 3 is the version of the form: what a release with another form wrote can't be decrypted, and is read from
  // MySQL.
  const context = (key: string, revision: number): string => `configuration 3/${key}/${revision}`;
  const configurations = createVersionedCache<LoadedConfiguration>({
    name: 'configuration',
    cache,
    maxAgeMs,
    maxEntries,
    async load(key) {
      const [workspaceId = '', environmentId = ''] = key.split('/');
      const loaded = await loadConfiguration({ database, encryption }, workspaceId, environmentId);
      if (loaded === undefined) return { revision: 0, value: null };
      const { revision, ...configuration } = loaded;
      return {
        revision,
        value: {
          id: `${environmentId}:${revision}`,
          revision,
          text: JSON.stringify(configuration satisfies Configuration),
        },
      };
    },
    encode: (key, { revision, value }) =>
      encryption.seal(JSON.stringify(value), context(key, revision)).toString('base64'),
    decode: (key, payload, revision) =>
      JSON.parse(encryption.open(Buffer.from(payload, 'base64'), context(key, revision))) as LoadedConfiguration | null,
  });
  return {
    hits: configurations.hits,
    announce: ({ workspaceId, environmentId }, revision) =>
      configurations.moved(`${workspaceId}/${environmentId}`, revision),
    of(workspaceId, environmentId) {
      const versioned = configurations.get(`${workspaceId}/${environmentId}`);
      return versioned instanceof Promise ? versioned.then(({ value }) => value) : versioned.value;
    },
  };
}
