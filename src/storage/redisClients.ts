import calculateSlot from 'cluster-key-slot';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** How long Redis is waited for. */
export interface RedisPatience {
  /** For one command, with what redirections of a cluster it takes. */
  readonly commandMs: number;
  /** For a connection, and for a sign of life on it. */
  readonly connectionMs: number;
}

/** A request that waits for more than this is better served by MySQL. */
export const usualPatience: RedisPatience = { commandMs: 75, connectionMs: 500 };
/** A cluster that moves a slot answers MOVED, then perhaps ASK. */
const maxRedirections = 3;

/** Grows from 50 ms to a second, with jitter. */
export const retryDelayMs = (times: number): number =>
  Math.min(1000, 50 * 2 ** Math.min(times, 5)) * (0.75 + Math.random() / 4);

/** Of every connection. */
export const optionsOf = ({ connectionMs }: RedisPatience) =>
  ({
    lazyConnect: true,
    connectTimeout: connectionMs,
    socketTimeout: connectionMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: retryDelayMs,
  }) satisfies RedisOptions;

/** One server, or a cluster as one. */
export interface RedisClient {
  readonly commands: Redis | Cluster;
  /** Which server has the key, as far as is known. */
  readonly ownerOf: (key: string) => string;
  /** All servers that own keys; undefined of a single one. */
  readonly owners: () => ReadonlySet<string> | undefined;
  /** Any server that is connected, for what has no key. */
  readonly any: () => Redis | Cluster;
  /** Resolves when the connections that there should be are there, or failed. */
  readonly connected: () => Promise<unknown>;
}

/** @param urls the server, or some nodes of a cluster */
export function createClient(urls: readonly string[], patience: RedisPatience): RedisClient {
  const base = optionsOf(patience);
  const commandTimeout = patience.commandMs;
  const [first = ''] = urls;
  if (urls.length === 1) {
    const commands = new Redis(first, { ...base, commandTimeout });
    return {
      commands,
      ownerOf: () => '',
      owners: () => undefined,
      any: () => commands,
      connected: () => Promise.resolve(),
    };
  }
  const { retryStrategy: _, lazyConnect, ...node } = base;
  const commands = new Cluster(urls.map(addressOf), {
    lazyConnect,
    enableOfflineQueue: false,
    maxRedirections,
    // Nobody waits for a failover: what is lost meanwhile is read from MySQL.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    slotsRefreshTimeout: patience.connectionMs,
    clusterRetryStrategy: retryDelayMs,
    // Names stay names, which certificates are checked against.
    dnsLookup: (name, done) => done(null, name),
    redisOptions: { ...node, ...credentialsOf(first), commandTimeout },
  });
  // Otherwise the first command to a node opens its connection, and those behind it fail for as long as that takes.
  commands.on('+node', (redis: Redis) => {
    if (redis.status === 'wait') redis.connect().catch(() => undefined);
  });
  return {
    commands,
    any: () => commands.nodes('master').find(({ status }) => status === 'ready') ?? commands,
    connected: () => Promise.all(commands.nodes().map(settled)),
    ownerOf: (key) => commands.slots[calculateSlot(key)]?.[0] ?? '',
    owners: () => new Set(commands.slots.map(([master]) => master ?? '')),
  };
}

/** Resolves when the connection stands, or will not. */
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
