import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { guardRequests, type RequestGuard } from './requestGuard.js';
import type { RequestState } from './context.js';

/** A listening server that can be told to finish what it has and take no more. */
export interface Listening {
  readonly port: number;
  /**
   * Resolves when the last connection is closed. Idle ones are closed at once, busy ones after their answer. One that
   * waits for its client (for a request, the rest of one, the reading of an answer) is closed when nothing has moved on
   * it for 2 s.
   * @param withinMs when those are closed that still wait for their clients, though something moves
   */
  close(withinMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** For how long an answer may wait for its client without a byte of it leaving; 30 s. */
  readonly unreadMs?: number;
  /** Connections that are served at once; any number when left out. */
  readonly maxConnections?: number;
}

/** Starts to listen, with the limits that keep slow and oversized requests, and who reads no answer, from holding the server. */
export async function listen(
  app: Koa<RequestState>,
  { host, port, log, unreadMs = 30_000, maxConnections = Infinity }: ListenOptions,
): Promise<Listening> {
  const server = createServer({
    headersTimeout: 5000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16_384,
    keepAliveTimeout: 65_000,
    // The request guard checks Host itself.
    requireHostHeader: false,
  });
  // What a client sends after its side has ended is nothing, but it still reads (RFC 9112, section 9.6).
  // The option is Node's own and undocumented; test/unit/canaries fails where it is gone.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Before its callback is made, or Koa would write them to the standard error.
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer could not be sent'));
  const guard = guardRequests(server, app.callback(), log);
  // Node calls this when nothing has moved on a connection for that long, either way and be it a part of one long write.
  server.timeout = unreadMs;
  server.on('timeout', (socket: Socket) => {
    if (guard.isAnswering(socket)) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    // Twice as many are not even refused one by one.
    if (sockets.size >= 2 * maxConnections) {
      socket.destroy();
      return;
    }
    if (sockets.size >= maxConnections) guard.refuse(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.once('end', () => askWhetherStillThere(socket, guard));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  server.on('error', (error) => log.error({ err: error }, 'server'));
  return {
    port: (server.address() as AddressInfo).port,
    close: (withinMs) => closeServer(server, { sockets, guard, withinMs }),
  };
}

const askAfterMs = 250;

/**
 * A client that has ended its side may wait for its answer, or have gone away: TCP tells that only upon a write. So one that
 * has to wait is sent an interim answer now and then; the second one fails where nobody is there any more.
 */
function askWhetherStillThere(socket: Socket, guard: RequestGuard): void {
  const asking = setInterval(() => {
    if (socket.destroyed || !guard.sayProcessing(socket)) clearInterval(asking);
  }, askAfterMs).unref();
}

const lookMs = 100;
const graceMs = 2000;

/** A client that keeps its connection busy is told on its next answer that it was the last (Connection: close). */
function closeServer(
  server: Server,
  { sockets, guard, withinMs }: { sockets: ReadonlySet<Socket>; guard: RequestGuard; withinMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    server.maxRequestsPerSocket = 1;
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node calls a connection idle once its answer is made, however much of it is still to be sent (server.close too).
    server.closeIdleConnections = () => {
      if ([...sockets].every(({ writableLength }) => writableLength === 0)) closeIdle();
    };
    // Node calls none idle that never asked anything, and ends no slow ones (headersTimeout) once it closes.
    server.timeout = graceMs;
    server.keepAliveTimeout = graceMs;
    for (const socket of sockets) socket.setTimeout(graceMs);
    const since = performance.now();
    let last = since;
    const look = setInterval(() => {
      const now = performance.now();
      // What came in while this process stood still has not been read yet.
      const stoodStill = now - last > graceMs / 2;
      last = now;
      // Those that were busy just now are idle soon, and would stay open for as long as keep-alive lasts.
      server.closeIdleConnections();
      for (const socket of sockets) {
        if (stoodStill) socket.setTimeout(graceMs);
        if (now - since > withinMs && !guard.isAnswering(socket)) socket.destroy();
      }
    }, lookMs);
    server.close(() => {
      clearInterval(look);
      resolve();
    });
  });
}
