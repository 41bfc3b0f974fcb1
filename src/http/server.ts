import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { guardDoor, type Door } from './door.js';
import type { RequestState } from './state.js';

/** A listening server that can be told to finish what it has and take no more. */
export interface Listening {
  readonly port: number;
  /**
   * Resolves when the last connection is closed. Idle ones are closed at once, busy ones after their answer, and after a
   * grace those that say nothing, or half a request, or don't read their answers.
   */
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
  const door = guardDoor(server, app.callback(), log);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer could not be sent'));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.on('error', (error) => log.error({ err: error }, 'server'));
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server, sockets, door) };
}

const lookMs = 100;
/** Looks at a connection that waits for its client, until it is given up: 2 s. */
const graceLooks = 20;

/** A client that keeps its connection busy is told on its next answer that it was the last (Connection: close). */
function closeServer(server: Server, sockets: ReadonlySet<Socket>, { isAnswering }: Door): Promise<void> {
  return new Promise((resolve) => {
    server.maxRequestsPerSocket = 1;
    const waited = new WeakMap<Socket, number>();
    const look = setInterval(() => {
      // Those that were busy just now are idle soon, and would stay open for as long as keep-alive lasts.
      server.closeIdleConnections();
      // Node calls none idle that never asked anything, and ends no slow ones (headersTimeout) once it closes.
      for (const socket of sockets) {
        const looks = isAnswering(socket) ? 0 : (waited.get(socket) ?? 0) + 1;
        waited.set(socket, looks);
        if (looks > graceLooks) socket.destroy();
      }
    }, lookMs);
    server.close(() => {
      clearInterval(look);
      resolve();
    });
  });
}
