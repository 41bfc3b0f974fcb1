import calculateSlot from 'cluster-key-slot';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** Time limits of Redis. */
export interface RedisTimeouts {
  /** The time for one command, including redirections of a cluster. */
  readonly commandMs: number;
  /** The time to connect, and the longest silence on a connection. */
  readonly connectionMs: number;
}

/** Beyond these limits MySQL serves a request sooner. */
export const defaultTimeouts: RedisTimeouts = { commandMs: 75, connectionMs: 500 };
/** A cluster that moves a slot answers MOVED, then perhaps ASK. */
const maxRedirections = 3;

/** Grows from 50 ms to a second, with jitter. */
export const retryDelayMs = (times: number): number =>
  Math.min(1000, 50 * 2 ** Math.min(times, 5)) * (0.75 + Math.random() / 4);

/** Options of every connection. */
export const optionsOf = ({ connectionMs }: RedisTimeouts) =>
  ({
    lazyConnect: true,
    connectTimeout: connectionMs,
    socketTimeout: connectionMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: retryDelayMs,
  }) satisfies RedisOptions;

/** One server, or a cluster behind the same interface. */
interface RedisClient {
  readonly commands: Redis | Cluster;
  /** The number of the database; a cluster has 0 alone. */
  readonly database: number;
  /** Which server has the key, as far as is known. */
  readonly ownerOf: (key: string) => string;
  /** All servers that own keys; undefined of a single one. */
  readonly owners: () => ReadonlySet<string> | undefined;
  /** Any server that is connected, for commands without a key. */
  readonly any: () => Redis | Cluster;
  /** Asks a server, as `ownerOf` names it, whether it is there. */
  readonly ping: (server: string) => Promise<unknown>;
  /** Resolves when every connection is established or has failed. */
  readonly connected: () => Promise<unknown>;
}

/** @param urls the server, or some nodes of a cluster */
export function createClient(urls: readonly string[], timeouts: RedisTimeouts): RedisClient {
  const base = optionsOf(timeouts);
  const commandTimeout = timeouts.commandMs;
  const [first = ''] = urls;
  if (urls.length === 1) {
    const commands = new Redis(first, { ...base, commandTimeout });
    return {
      commands,
      database: commands.options.db ?? 0,
      ownerOf: () => '',
      owners: () => undefined,
      any: () => commands,
      ping: () => commands.ping(),
      connected: () => Promise.resolve(),
    };
  }
  const { retryStrategy: _, lazyConnect, ...node } = base;
  const commands = new Cluster(urls.map(addressOf), {
    lazyConnect,
    enableOfflineQueue: false,
    maxRedirections,
    // Requests do not wait for a failover: they read MySQL meanwhile.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshTimeout: timeouts.connectionMs,
    clusterRetryStrategy: retryDelayMs,
    // Host names are not resolved here, because certificates are checked against them.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: { ...node, ...credentialsOf(first), commandTimeout },
  });
  // Connects to new nodes at once. Otherwise the first command to a node opens its connection, and commands fail until
  // it stands.
  commands.on('+node', (redis: Redis) => {
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
  });
  const owners = (): ReadonlySet<string> => new Set(commands.slots.map(([master]) => master ?? ''));
  return {
    commands,
    database: 0,
    any: () => commands.nodes('master').find(({ status }) => status === 'ready') ?? commands,
    async ping(server) {
      const found = commands.nodes('master').find(({ options: { host, port } }) => `${host}:${port}` === server);
      // The client forgets a server whose connection ended: it has not answered. One that has no keys any more need not.
      if (found === undefined && owners().has(server)) {
        // It connects again to all that have keys, though nobody asks for one.
        commands.refreshSlotsCache();
        throw new Error('not connected');
      }
      await found?.ping();
    },
    connected: () => Promise.all(commands.nodes().map(settled)),
    ownerOf: (key) => commands.slots[calculateSlot(key)]?.[0] ?? '',
    owners,
  };
}

/** Resolves when the connection is ready or has ended. */
function settled(redis: Redis): Promise<void> {
  if (redis.status === 'ready' || redis.status === 'end') return Promise.resolve();
  return new Promise((resolve) => {
    redis.once('ready', () => resolve());
    redis.once('end', () => resolve());
  });
}

const addressOf = (url: string): { host: string; port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? 6379 : Number(port) };
};

function credentialsOf(url: string): Pick<RedisOptions, 'username' | 'password' | 'tls'> {
  const { protocol, username, password } = new URL(url);
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}
