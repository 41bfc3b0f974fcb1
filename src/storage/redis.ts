import { EventEmitter } from 'node:events';
import { after } from '../clock/timers.js';
import { Circuits } from './circuits.js';
import { Outage, type DependencyLog } from './outage.js';
import { createClient, defaultTimeouts } from './redisClients.js';
import { Subscriber } from './subscriber.js';

/**
 * Redis as a cache: every call answers `undefined` soon instead of failing. After a failure the circuit breaker is open
 * for a moment (see `Circuits`).
 */
export interface Cache {
  /**
   * Undefined when Redis did not answer.
   * @param known a revision whose payload the caller has: it is not sent again
   */
  read(key: string, known?: number): Promise<Reading | undefined>;
  /**
   * Sets unless the stored value's revision is higher. Values are `<revision>:<payload>`. Redis may execute it long
   * after it was sent, when the caller has given up.
   * @param payload null where it is that of the stored value: then that gets the new life, and true says that it was
   * there
   * @param lifeMs counted from when Redis executes it
   * @param until the latest end of that life by Redis's own clock (`Reading.at`); nothing is set once it has passed.
   * Left out where a late value does no harm.
   */
  writeIfNewer(key: string, revision: number, payload: string | null, lifeMs: number, until?: number): Promise<boolean>;
  /**
   * Takes one from a token bucket that holds `burst` and regains one each `intervalMs`: 0 where there was one, else the
   * milliseconds until there is. Undefined when Redis did not answer; it may have been taken all the same.
   */
  take(key: string, intervalMs: number, burst: number): Promise<number | undefined>;
  /** Gives back what `take` has taken from a bucket of that interval. */
  giveBack(key: string, intervalMs: number): Promise<unknown>;
  /** Tells the other processes that `key` has a new `revision`. */
  publish(key: string, revision: number): void;
  /** Calls back for what others publish, and with null after the connection was lost, when messages may have been missed. */
  subscribe(listener: (change: { key: string; revision: number } | null) => void): void;
  /** False when unreachable. */
  healthy(): boolean;
  close(): void;
}

/** What Redis holds of a key, at one moment. */
interface Reading {
  /** Null when absent; a revision without colon and payload when it is the known one. */
  readonly value: string | null;
  /** Milliseconds that the value has left. */
  readonly leftMs: number;
  /** The moment, in milliseconds of Redis's own clock. */
  readonly at: number;
}

const channel = 'verdict:moved';

/** After so many milliseconds a server that failed is asked whether it is there. */
const askAgainMs = 500;

/** Whether the value in `present` has a payload, and the revision in ARGV[1]. */
const isKnown = `present and string.match(present, '^(%d+):.') == ARGV[1]`;

/**
 * KEYS[1]; ARGV: the known revision, or ''. Reads value, remaining life and time atomically: apart, an old value could be
 * given the life of its successor.
 */
const getWithLife = `
local present = redis.call('GET', KEYS[1])
if ${isKnown} then present = ARGV[1] end
return {present, redis.call('PTTL', KEYS[1]), redis.call('TIME')}`;

type RedisReading = [value: string | null, leftMs: number, time: [seconds: string, micros: string]];

/**
 * KEYS[1]; ARGV: revision, value or '' for the stored one, life in ms, and the latest end of that life in ms, or ''. A reader that loaded the
 * old row late must not undo an invalidation; nor must a write that Redis executes late, after it stood still.
 */
const setIfNewer = `
local life = tonumber(ARGV[3])
if ARGV[4] ~= '' then
  local time = redis.call('TIME')
  life = math.floor(math.min(life, tonumber(ARGV[4]) - time[1] * 1000 - time[2] / 1000))
  if life < 1 then return 0 end
end
local present = redis.call('GET', KEYS[1])
if ARGV[2] == '' then
  if ${isKnown} then return redis.call('PEXPIRE', KEYS[1], life) end
  return 0
end
if present then
  local revision = tonumber(string.match(present, '^(%d+):'))
  if revision and revision > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', life)
return 1`;

/**
 * KEYS[1]; ARGV: interval in microseconds, burst. The value is the time, by Redis's clock, at which all that was taken
 * will have been regained (generic cell rate algorithm), bounded for a clock that was set back. Gives microseconds.
 */
const takeToken = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval = tonumber(ARGV[1])
local full = tonumber(ARGV[2]) * interval
local regained = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or now), now), now + full) + interval
if regained - now > full then return math.ceil(regained - now - full) end
redis.call('SET', KEYS[1], string.format('%.0f', regained), 'PX', math.ceil((regained - now) / 1000))
return 0`;

/** KEYS[1]; ARGV: interval in microseconds. */
const giveTokenBack = `
local regained = tonumber(redis.call('GET', KEYS[1]))
local left = redis.call('PTTL', KEYS[1])
if not regained or left <= 0 then return 0 end
return redis.call('SET', KEYS[1], string.format('%.0f', regained - tonumber(ARGV[1])), 'PX', left)`;

/**
 * Connects in the background; never waits for Redis and never throws.
 * @param urls one server, or nodes of a Redis Cluster separated by commas; each script has one key, so it has one slot
 */
export function openCache(urls: string, log: DependencyLog, timeouts = defaultTimeouts): Cache {
  const servers = urls.split(',');
  const { commands, database, ownerOf, owners, any, ping, connected } = createClient(servers, timeouts);
  const changes = new EventEmitter();
  const outage = new Outage({ log, name: 'Redis', consequence: 'the service goes on, slower' });
  const circuits = new Circuits((healthy) => outage.note(healthy));
  outage.note(circuits.healthy);

  const attempt = async <T>(server: string, command: () => Promise<T>): Promise<T | undefined> => {
    if (commands.status !== 'ready' || !circuits.closed(server)) return undefined;
    try {
      const answer = await command();
      circuits.worked(server);
      return answer;
    } catch {
      circuits.failed(server);
      askAgain(server);
      return undefined;
    }
  };
  const asking = new Map<string, () => void>();
  /** Otherwise one late answer would make a server look away until the next request comes by. */
  function askAgain(server: string): void {
    if (asking.has(server)) return;
    const ask = (): void => {
      asking.delete(server);
      if (circuits.closed(server)) void attempt(server, () => ping(server));
      else askAgain(server);
    };
    asking.set(server, after(askAgainMs, ask));
  }

  let warned = false;
  commands.on('ready', () => {
    // The client goes on with database 0 where the one that it was told to select does not exist.
    void Promise.all([database === 0 ? undefined : any().select(database), connected()]).then(
      () => {
        if (commands.status === 'ready') circuits.connected();
      },
      (error: unknown) => {
        if (!isReply(error)) return;
        if (!warned) log.warn({ database, reason: error.message }, 'REDIS_URL names a database that cannot be used');
        warned = true;
      },
    );
  });
  commands.on('close', () => circuits.disconnected());
  commands.on('error', () => undefined);
  commands.on('refresh', () => circuits.keep(owners() ?? new Set()));
  commands.connect().catch(() => undefined);
  const subscriber = new Subscriber({ urls: servers, channel, timeouts }, (message) => {
    const at = message?.lastIndexOf('@');
    if (message === null || at === undefined) changes.emit('change', null);
    else changes.emit('change', { key: message.slice(0, at), revision: Number(message.slice(at + 1)) });
  });

  return {
    read: (key, known) =>
      attempt(ownerOf(key), async () => {
        const [value, leftMs, [seconds, micros]] = (await commands.eval(
          getWithLife,
          1,
          key,
          known ?? '',
        )) as RedisReading;
        return { value: leftMs > 0 ? value : null, leftMs, at: Number(seconds) * 1000 + Number(micros) / 1000 };
      }),
    async writeIfNewer(key, revision, payload, lifeMs, until) {
      const value = payload === null ? '' : `${revision}:${payload}`;
      const written = await attempt(ownerOf(key), () =>
        commands.eval(setIfNewer, 1, key, revision, value, Math.ceil(lifeMs), until ?? ''),
      );
      return written === 1;
    },
    take: (key, intervalMs, burst) =>
      attempt(
        ownerOf(key),
        async () => Number(await commands.eval(takeToken, 1, key, intervalMs * 1000, burst)) / 1000,
      ),
    giveBack: (key, intervalMs) => attempt(ownerOf(key), () => commands.eval(giveTokenBack, 1, key, intervalMs * 1000)),
    publish(key, revision) {
      void attempt('', () => any().publish(channel, `${key}@${revision}`));
    },
    subscribe(listener) {
      changes.on('change', listener);
    },
    healthy: () => commands.status === 'ready' && circuits.healthy,
    close() {
      for (const cancel of asking.values()) cancel();
      outage.close();
      commands.disconnect();
      subscriber.close();
    },
  };
}

/** Redis answered; otherwise the connection was lost, and the next one tries again. */
const isReply = (error: unknown): error is Error => error instanceof Error && error.name === 'ReplyError';
