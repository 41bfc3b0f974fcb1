import { Redis } from 'ioredis';
import { after } from '../clock/timers.js';
import { optionsOf, retryDelayMs, type RedisTimeouts } from './redisClients.js';

interface SubscriberOptions {
  readonly urls: readonly string[];
  readonly channel: string;
  readonly timeouts: RedisTimeouts;
}

/**
 * Subscribes to one channel at one of the servers; each node of a cluster passes on what is published at any of them.
 */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #listener: (message: string | null) => void;
  #redis: Redis | undefined;
  #cancel = (): void => undefined;
  #failures = 0;
  #closed = false;

  /**
   * @param listener gets each message, and null where some may have been missed: when the connection is lost, and when
   * it is back
   */
  constructor(options: SubscriberOptions, listener: (message: string | null) => void) {
    this.#options = options;
    this.#listener = listener;
    this.#open();
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
    this.#redis?.disconnect();
  }

  #open(): void {
    const { urls, timeouts } = this.#options;
    const url = urls[this.#failures % urls.length] ?? '';
    // The connection is silent while nothing is published, so its socket has no timeout; TCP keep-alive detects a dead
    // one.
    const { socketTimeout: _, ...quiet } = optionsOf(timeouts);
    const redis = new Redis(url, { ...quiet, keepAlive: 1000, retryStrategy: () => null });
    this.#redis = redis;
    // Gives up a server that accepts the connection and then is silent.
    this.#cancel = after(4 * timeouts.connectionMs, () => redis.disconnect());
    let live = false;
    redis.on('error', () => undefined);
    redis.on('message', (_channel: string, message: string) => this.#listener(message));
    redis.once('end', () => {
      this.#cancel();
      if (live) this.#listener(null);
      else this.#failures++;
      if (!this.#closed) this.#cancel = after(retryDelayMs(live ? 0 : this.#failures), () => this.#open());
    });
    this.#listen(redis).then(
      () => {
        this.#cancel();
        live = true;
        this.#listener(null);
      },
      () => redis.disconnect(),
    );
  }

  async #listen(redis: Redis): Promise<void> {
    await redis.connect();
    await redis.subscribe(this.#options.channel);
  }
}
