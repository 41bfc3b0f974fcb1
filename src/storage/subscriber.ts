import { Redis } from 'ioredis';
import { optionsOf, retryDelayMs, type RedisPatience } from './redisClients.js';

export interface SubscriberOptions {
  readonly urls: readonly string[];
  readonly channel: string;
  readonly patience: RedisPatience;
}

/** Listens to one channel at one of the servers; each of a cluster's nodes passes on what any of them is told. */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #listener: (message: string | null) => void;
  #redis: Redis | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  /** @param listener told each message, and null where some may have been missed: at a loss, and at the return */
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
    const { urls, patience } = this.#options;
    const url = urls[this.#failures % urls.length] ?? '';
    // Silent for as long as nothing moves, so its socket must not time out; TCP keep-alive finds it dead.
    const { socketTimeout: _, ...quiet } = optionsOf(patience);
    const redis = new Redis(url, { ...quiet, keepAlive: 1000, retryStrategy: () => null });
    this.#redis = redis;
    // A server that takes the connection and then says nothing is given up.
    this.#timer = setTimeout(() => redis.disconnect(), 4 * patience.connectionMs);
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
