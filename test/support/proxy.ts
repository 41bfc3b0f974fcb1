import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

interface Mode {
  readonly kind: 'pass' | 'hole' | 'mute';
  readonly delayMs: number;
}

/** A TCP proxy of the tests' own between the server and what it depends on: for faults of the network. */
export interface Proxy {
  readonly port: number;
  /** Lets everything through, each piece this much later; the order stays. */
  pass(delayMs?: number): void;
  /**
   * Swallows everything, in both directions. Connections that lived through it stay dead for ever, as behind a firewall
   * that lost its state; nobody is told.
   */
  hole(): void;
  /** Lets questions through and swallows the answers. */
  mute(): void;
  /** Resets every connection there is. */
  reset(): void;
  /** From now on a connection is reset as soon as the client says this on it; null ends that. */
  resetAt(text: string | null): void;
  /** How many were reset for what the client said. */
  readonly resets: number;
  close(): Promise<void>;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<Proxy> {
  let mode: Mode = { kind: 'pass', delayMs: 0 };
  let trigger: string | null = null;
  let resets = 0;
  const pairs = new Set<{ readonly sockets: readonly Socket[]; dead: boolean }>();

  const server = createServer((client) => {
    const upstream = createConnection(target);
    const pair = { sockets: [client, upstream], dead: mode.kind === 'hole' };
    pairs.add(pair);
    const join = (from: Socket, to: Socket): void => {
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => {
        if (trigger !== null && from === client && chunk.includes(trigger)) {
          resets++;
          for (const socket of pair.sockets) socket.resetAndDestroy();
          return;
        }
        if (pair.dead || mode.kind === 'hole' || (mode.kind === 'mute' && from === upstream)) return;
        if (mode.delayMs === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), mode.delayMs);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        pairs.delete(pair);
        to.destroy();
      });
    };
    join(client, upstream);
    join(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    port: (server.address() as AddressInfo).port,
    pass(delayMs = 0) {
      mode = { kind: 'pass', delayMs };
    },
    hole() {
      mode = { kind: 'hole', delayMs: 0 };
      for (const pair of pairs) pair.dead = true;
    },
    mute() {
      mode = { kind: 'mute', delayMs: 0 };
    },
    reset() {
      for (const { sockets } of pairs) for (const socket of sockets) socket.resetAndDestroy();
    },
    get resets() {
      return resets;
    },
    resetAt(text) {
      trigger = text;
    },
    async close() {
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same address by way of the proxy. */
export function through(url: string, proxy: Proxy): string {
  const parsed = new URL(url);
  parsed.hostname = '127.0.0.1';
  parsed.port = String(proxy.port);
  return parsed.href;
}
