import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { guardDoor } from './door.js';
import type { RequestState } from './state.js';

/** A listening server that can be told to finish what it has and take no more. */
export interface Listening {
  readonly port: number;
  /** Resolves when the last connection is closed. Idle ones are closed at once, busy ones after their answer. */
  close(): Promise<void>;
}

/** Starts to listen, with the limits that keep slow and oversized requests from holding the server. */
export async function listen(
  app: Koa<RequestState>,
  { host, port, log }: { host: string; port: number; log: Logger },
): Promise<Listening> {
  const server = createServer({
    headersTimeout: 5000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    keepAliveTimeout: 65_000,
    // The door looks at Host itself.
    requireHostHeader: false,
  });
  guardDoor(server, app.callback(), log);
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer could not be sent'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.on('error', (error) => log.error({ err: error }, 'server'));
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

const idleLookMs = 100;

/** A client that keeps its connection busy is told on its next answer that it was the last (Connection: close). */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.maxRequestsPerSocket = 1;
    // Those that were busy just now are idle soon, and would stay open for as long as keep-alive lasts.
    const look = setInterval(() => server.closeIdleConnections(), idleLookMs);
    server.close(() => {
      clearInterval(look);
      resolve();
    });
  });
}
