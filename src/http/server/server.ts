import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { every, nextRound, pause } from '../../clock/timers.js';
import { guardRequests, type RequestGuard } from './requestGuard.js';
import type { RequestState } from './context.js';

/** A listening server that can be told to finish what it has and take no more. */
export interface Listening {
  readonly port: number;
  /**
   * Resolves when the last connection is closed. For `noticeMs` requests are still taken, and every answer says
   * `Connection: close`: a client that keeps connections would see a reset where one is closed just as it sends. Then
   * idle ones are closed, and busy ones after their response. One that waits for its client (to send a request or the
   * rest of one, to read a response) is closed after 2 s without traffic.
   * @param withinMs after the notice, after which those that wait for their clients are closed even with traffic
   */
  close(withinMs: number, noticeMs?: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** How long a response may wait for its client without a byte being sent; 30 s by default. */
  readonly unreadMs?: number;
  /** Open connections: beyond them idle ones are ended. Any number when left out. */
  readonly maxConnections?: number;
}

/**
 * So many connections the system keeps until the main thread takes them, one in each turn of the event loop; the system's own limit is
 * often smaller. Where there are more, the system drops those of all clients, who try again after one second, then three. With Node's
 * 511, one tenant that opened 700 at once did that to everybody.
 */
const mostBacklog = 65_535;

/** Starts to listen, with limits against slow and oversized requests and clients that do not read responses. */
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
  // A client that has closed its sending side may still read (RFC 9112, section 9.6). The option is Node's own and
  // undocumented; test/unit/canaries fails where it is gone.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Before `app.callback()`, or Koa would write errors to the standard error.
  app.on('error', (error: unknown) => log.debug({ err: error }, 'answer could not be sent'));
  const guard = guardRequests(server, app.callback(), log);
  // Node emits this after that long without traffic on a connection in either direction; part of a long write is
  // traffic.
  server.timeout = unreadMs;
  server.on('timeout', (socket: Socket) => {
    if (guard.isAnswering(socket)) socket.setTimeout(server.timeout);
    else socket.destroy();
  });
  /** With the moment when each was opened. */
  const sockets = new Map<Socket, number>();
  let taken = 0;
  server.on('connection', (socket) => {
    taken++;
    // Above twice the limit connections are closed without a response.
    if (sockets.size >= 2 * maxConnections) {
      socket.destroy();
      return;
    }
    if (sockets.size >= maxConnections && !makeRoom(sockets, guard)) guard.refuse(socket);
    sockets.set(socket, performance.now());
    socket.once('close', () => sockets.delete(socket));
    socket.once('end', () => askWhetherStillThere(socket, guard));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: mostBacklog }, () => resolve());
  });
  server.on('error', (error) => log.error({ err: error }, 'server'));
  return {
    port: (server.address() as AddressInfo).port,
    async close(withinMs, noticeMs = 0) {
      // Each connection's next response is its last, and says so.
      server.maxRequestsPerSocket = 1;
      if (noticeMs === 0) return closeServer(server, { sockets, guard, withinMs });
      await pause(noticeMs);
      // The system resets connections that it has accepted and Node has not. So the listener closes when no client comes any
      // more; nothing is answered meanwhile, or they would come back.
      const answerHeld = guard.hold();
      const latest = performance.now() + longestWaitMs;
      for (let before = -1; before !== taken && performance.now() < latest;) {
        before = taken;
        await pause(quietMs);
        await nextRound();
      }
      const closed = closeServer(server, { sockets, guard, withinMs });
      answerHeld();
      return closed;
    },
  };
}

/** The share of the connections that is ended at once, as all are looked at to find those that have been idle for the longest. */
const endedShare = 1 / 16;

/** Ends connections that have been idle for the longest. False where none is idle. */
function makeRoom(sockets: Map<Socket, number>, guard: RequestGuard): boolean {
  const idle: { readonly socket: Socket; readonly since: number }[] = [];
  for (const [socket, openedAt] of sockets) {
    const since = guard.idleSince(socket, openedAt);
    if (since !== undefined) idle.push({ socket, since });
  }
  idle.sort((one, other) => one.since - other.since);
  for (const { socket } of idle.slice(0, Math.ceil(sockets.size * endedShare))) {
    sockets.delete(socket);
    socket.destroy();
  }
  return idle.length > 0;
}

const askAfterMs = 250;

/**
 * A client that has closed its side may wait for its response, or be gone: TCP shows that only on a write. So while it
 * waits it is sent interim responses; the second one fails where the client is gone.
 */
function askWhetherStillThere(socket: Socket, guard: RequestGuard): void {
  const stopAsking = every(askAfterMs, () => {
    if (socket.destroyed || !guard.sayProcessing(socket)) stopAsking();
  });
}

/** The listener is closed once no connection came for so long, and after the longest wait whatever comes. */
const quietMs = 50;
const longestWaitMs = 500;
const lookMs = 100;
const graceMs = 2000;

function closeServer(
  server: Server,
  { sockets: opened, guard, withinMs }: { sockets: ReadonlyMap<Socket, number>; guard: RequestGuard; withinMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = server.closeIdleConnections.bind(server);
    // Node counts a connection as idle once its response has ended, however much of it is unsent (in server.close too).
    // From 26 on it also counts one of which it has read nothing yet, though a request may be on its way.
    server.closeIdleConnections = () => {
      if ([...opened.keys()].every(({ writableLength, bytesRead }) => writableLength === 0 && bytesRead > 0))
        closeIdle();
    };
    // Closes connections without a request: while a server closes, Node does not enforce headersTimeout.
    server.timeout = graceMs;
    server.keepAliveTimeout = graceMs;
    for (const socket of opened.keys()) socket.setTimeout(graceMs);
    const since = performance.now();
    let last = since;
    const stopLooking = every(lookMs, () => {
      const now = performance.now();
      // After this process was suspended, data that arrived meanwhile has not been read yet.
      const stoodStill = now - last > graceMs / 2;
      last = now;
      // Connections that were busy become idle, and would stay open for the keep-alive time.
      server.closeIdleConnections();
      for (const socket of opened.keys()) {
        if (stoodStill) socket.setTimeout(graceMs);
        if (now - since > withinMs && !guard.isAnswering(socket)) socket.destroy();
      }
    });
    server.close(() => {
      stopLooking();
      resolve();
    });
  });
}
