import { EventEmitter } from 'node:events';
import { Redis } from 'ioredis';

/**
 * Redis as a cache: every call answers `undefined` instead of failing, and soon. After a failure the circuit is open for
 * a moment, in which nothing is sent: a hung server would otherwise gather an unbounded queue of commands.
 */
export interface Cache {
  /** The value and the milliseconds that it has left; null when absent; undefined when Redis did not answer. */
  read(key: string): Promise<{ value: string; leftMs: number } | null | undefined>;
  /** Sets unless the stored value's revision is higher. Values are `<revision>:<payload>`. */
  writeIfNewer(key: string, revision: number, payload: string, lifeMs: number): Promise<void>;
  /** Tells the other processes that `key` moved to `revision`. */
  publish(key: string, revision: number): void;
  /** Calls back for what others publish, and with null after the connection was lost, when messages may have been missed. */
  subscribe(listener: (moved: { key: string; revision: number } | null) => void): void;
  /** False when unreachable. */
  healthy(): boolean;
  close(): void;
}

const channel = 'verdict:moved';
const openCircuitMs = 250;
const commandTimeoutMs = 75;

const base = {
  lazyConnect: true,
  connectTimeout: 500,
  socketTimeout: 500,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: (times: number) => Math.min(1000, 50 * 2 ** Math.min(times, 5)) * (0.75 + Math.random() / 4),
};

/** KEYS[1]; value and remaining life of one moment: apart, an old value could get the life of its successor. */
const getWithLife = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

/** KEYS[1]; revision, value, life in ms. A reader that loaded the old row late must not undo an invalidation. */
const setIfNewer = `
local present = redis.call('GET', KEYS[1])
if present then
  local revision = tonumber(string.match(present, '^(%d+):'))
  if revision and revision > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** Connects in the background; never waits for Redis and never throws. */
export function openCache(url: string, log: { warn(message: string): void; info(message: string): void }): Cache {
  const client = new Redis(url, { ...base, commandTimeout: commandTimeoutMs });
  // A subscriber is silent for as long as nothing moves, so its socket must not time out; TCP keep-alive finds it dead.
  const { socketTimeout: _, ...quiet } = base;
  // It subscribes below: ioredis's own resubscription, broken off, is a rejection that nobody can handle.
  const subscriber = new Redis(url, { ...quiet, keepAlive: 1000, autoResubscribe: false });
  const moves = new EventEmitter();
  let circuitOpenUntil = 0;
  let healthy = false;

  const usable = (): boolean => client.status === 'ready' && performance.now() >= circuitOpenUntil;

  const attempt = async <T>(command: () => Promise<T>): Promise<T | undefined> => {
    if (!usable()) return undefined;
    try {
      const answer = await command();
      setHealth(true);
      return answer;
    } catch {
      circuitOpenUntil = performance.now() + openCircuitMs;
      setHealth(false);
      return undefined;
    }
  };

  const setHealth = (now: boolean): void => {
    if (now !== healthy) {
      if (now) log.info('Redis is reachable');
      else log.warn('Redis is not reachable: the service goes on, slower');
    }
    healthy = now;
  };

  client.on('ready', () => setHealth(true));
  client.on('close', () => setHealth(false));
  client.on('error', () => undefined);
  subscriber.on('error', () => undefined);
  subscriber.on('close', () => moves.emit('moved', null));
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(
      () => moves.emit('moved', null),
      () => undefined,
    );
  });
  subscriber.on('message', (_channel: string, message: string) => {
    const at = message.lastIndexOf('@');
    moves.emit('moved', { key: message.slice(0, at), revision: Number(message.slice(at + 1)) });
  });
  client.connect().catch(() => undefined);
  subscriber.connect().catch(() => undefined);

  return {
    read: (key) =>
      attempt(async () => {
        const [value, leftMs] = (await client.eval(getWithLife, 1, key)) as [string | null, number];
        return value === null || leftMs <= 0 ? null : { value, leftMs };
      }),
    async writeIfNewer(key, revision, payload, lifeMs) {
      await attempt(() => client.eval(setIfNewer, 1, key, revision, `${revision}:${payload}`, Math.ceil(lifeMs)));
    },
    publish(key, revision) {
      void attempt(() => client.publish(channel, `${key}@${revision}`));
    },
    subscribe(listener) {
      moves.on('moved', listener);
    },
    healthy: () => healthy && usable(),
    close() {
      client.disconnect();
      subscriber.disconnect();
    },
  };
}
