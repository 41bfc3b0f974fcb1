import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  readonly baseUrl: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of one stretch of load. Times are milliseconds, of answers with status 201. */
export interface Measured {
  readonly perSecond: number;
  /** Those within the target time, per second. */
  readonly inTimePerSecond: number;
  readonly refusedPerSecond: number;
  /** Answers that were neither 201 nor 503. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
  /** An answer is in time when it came within so many milliseconds. */
  readonly targetMs: number;
}

/** A client that was refused comes back after this (Retry-After says a second); at once it would only measure refusals. */
const pauseAfterRefusalMs = 500;

/**
 * Sends one request over and over on each of `connections` connections for `seconds`. The request's bytes are made once
 * and of an answer only status and length are read, so that the load costs the machine under test little.
 */
export async function load(target: Target, { connections, seconds, targetMs }: LoadOptions): Promise<Measured> {
  const request = requestBytes(target);
  const { hostname, port } = new URL(target.baseUrl);
  const times: number[] = [];
  let refused = 0;
  let failed = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  const loop = async (): Promise<void> => {
    const connection = await Connection.open(hostname, Number(port));
    for (let sent = performance.now(); sent < end; sent = performance.now()) {
      const status = await connection.send(request);
      if (status === 201) times.push(performance.now() - sent);
      else if (status === 503) refused++;
      else failed++;
      if (status !== 201) await sleep(pauseAfterRefusalMs);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, loop));
  const elapsed = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / elapsed,
    inTimePerSecond: times.filter((ms) => ms <= targetMs).length / elapsed,
    refusedPerSecond: refused / elapsed,
    failed,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function requestBytes({ baseUrl, path, headers, body }: Target): Buffer {
  const all = { Host: new URL(baseUrl).host, ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** One kept-alive connection, one request at a time. A lost connection counts as status 0, and is opened again. */
class Connection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #received = '';
  #answered: ((status: number) => void) | undefined;

  private constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  static async open(host: string, port: number): Promise<Connection> {
    const connection = new Connection(host, port);
    await connection.#connect();
    return connection;
  }

  async send(request: Buffer): Promise<number> {
    if (this.#socket === undefined) await this.#connect();
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket?.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Promise<void> {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    this.#socket = socket;
    this.#received = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.once('connect', () => resolve());
      socket.once('close', () => {
        this.#socket = undefined;
        this.#settle(0);
        resolve();
      });
    });
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#received.slice(0, headEnd + 2))?.[1] ?? '0';
    if (this.#received.length < headEnd + 4 + Number(length)) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#settle(status);
  }

  #settle(status: number): void {
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.(status);
  }
}
