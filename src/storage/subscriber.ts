import { Redis } from 'ioredis';
import { optionsOf, retryDelayMs, type RedisTimeouts } from './redisClients.js';

export interface SubscriberOptions {
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
  #timer: NodeJS.Timeout | undefined;
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
    clearTimeout(this.#timer);
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
    this.#timer = setTimeout(() => redis.disconnect(), 4 * timeouts.connectionMs);
    let live = false;
    redis.on('error', () => undefined);
    redis.on('message', (_channel: string, message: string) => this.#listener(message));
    redis.once('end', () => {
      clearTimeout(this.#timer);
      if (live) this.#listener(null);
      else this.#failures++;
      if (!this.#closed) this.#timer = setTimeout(() => this.#open(), retryDelayMs(live ? 0 : this.#failures));
    });
    this.#listen(redis).then(
      () => {
        clearTimeout(this.#timer);
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
