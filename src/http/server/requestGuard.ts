import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { after } from '../../clock/timers.js';
import { countPieces, shortBody } from '../body/pieces.js';

/** Requests with more headers are refused. Node itself would silently drop those beyond its limit. */
const maxHeaders = 100;

/** A request with its response, and the response before it where that was not sent yet (pipelining). */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
  readonly at: number;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface RequestGuard {
  /** Whether a response is being computed, and not read by its client. */
  readonly isAnswering: (socket: Socket) => boolean;
  /** Since when nobody waits for an answer on a connection: about when its last request came. Undefined where somebody does. */
  readonly idleSince: (socket: Socket, openedAt: number) => number | undefined;
  /** Has requests wait until the function that it returns is called. */
  readonly hold: () => () => void;
  /** Marks a connection above the limit: its request is answered 503, and it is closed. */
  readonly refuse: (socket: Socket) => void;
  /** Sends `102 Processing` (RFC 2518, section 10.1); false where no response is being computed. */
  readonly sayProcessing: (socket: Socket) => boolean;
}

/**
 * Stands between Node's parser and the app. Invalid or ambiguous HTTP gets a bare response with a request id, and the
 * connection is closed: 400, 408, 417 or 431; and 503 for a connection above the limit.
 * @param handle gets all other requests, with a target in origin form
 */
export function guardRequests(server: Server, handle: Handle, log: Logger): RequestGuard {
  const exchanges = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  const tooMany = new WeakSet<Socket>();
  let held: (() => void)[] | undefined;
  server.maxHeadersCount = maxHeaders;

  const deny = (response: ServerResponse, status: number, reason: string, more: Record<string, string> = {}): void => {
    response.writeHead(status, { ...bareHeaders(log, status, reason), ...more }).end();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    const before = exchanges.get(socket)?.response;
    guardBody(request, response);
    const owed = before?.writableFinished === false ? before : undefined;
    exchanges.set(socket, { request, response, at: performance.now(), before: owed });
    const status = statusOf(request);
    const target = originForm(request.url ?? '');
    if (tooMany.has(socket)) deny(response, 503, 'connections', { 'Retry-After': '1' });
    else if (status !== undefined) deny(response, status, 'headers');
    else if (target === undefined) deny(response, 400, 'target');
    else {
      request.url = target;
      if (held === undefined) handle(request, response);
      else held.push(() => handle(request, response));
    }
  });
  server.on('checkExpectation', (_request, response) => deny(response, 417, 'expectation'));

  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isStreaming(exchanges.get(socket))) {
      // Only the time for a whole request is not for one that is answered while it comes. A request that breaks off has no
      // answer to wait for: that one waits for it.
      if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') socket.destroy();
      return;
    }
    // Each further piece of unparseable data raises the same error again.
    if (refused.has(socket) && socket.writable) return;
    refused.add(socket);
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const end = (): void => endBare(socket, log, error);
    const owed = owedAnswer(exchanges.get(socket));
    if (owed === undefined) end();
    else owed.once('close', end);
  });

  return {
    isAnswering(socket) {
      const exchange = exchanges.get(socket);
      // While the token is being checked (which may wait for MySQL) the body is not read yet, and the client waits for
      // us.
      const owed = exchange?.request.readableFlowing === null ? unfinished(exchange.response) : owedAnswer(exchange);
      // A finished response waits for its client to read it, or for an earlier response (pipelining).
      return owed !== undefined && (!owed.writableEnded || socket.writableLength === 0);
    },
    idleSince(socket, openedAt) {
      const exchange = exchanges.get(socket);
      if (exchange === undefined) return openedAt;
      return unfinished(exchange.response) === undefined ? exchange.at : undefined;
    },
    hold() {
      const waiting: (() => void)[] = (held = []);
      return () => {
        held = undefined;
        for (const begin of waiting) begin();
      };
    },
    refuse: (socket) => void tooMany.add(socket),
    sayProcessing(socket) {
      const { request, response } = exchanges.get(socket) ?? {};
      if (request?.complete !== true || response?.headersSent !== false) return false;
      // HTTP/1.0 knows no interim answers (RFC 9110, section 15.2).
      if (request.httpVersion === '1.1') response.writeProcessing();
      return true;
    },
  };
}

/** The response that must be sent first, or the refusal would be taken for it. */
function owedAnswer(exchange: Exchange | undefined): ServerResponse | undefined {
  if (exchange === undefined) return undefined;
  const { request, response, before } = exchange;
  return unfinished(request.complete || response.headersSent ? response : before);
}

const isStreaming = (exchange: Exchange | undefined): boolean =>
  exchange !== undefined &&
  exchange.response.headersSent &&
  !exchange.response.writableEnded &&
  !exchange.request.complete;

const unfinished = (response: ServerResponse | undefined): ServerResponse | undefined =>
  response?.closed === false && !response.writableFinished ? response : undefined;

function endBare(socket: Socket, log: Logger, { code = 'unreadable' }: NodeJS.ErrnoException): void {
  if (!socket.writable) return;
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const lines = Object.entries(bareHeaders(log, status, code)).map(([name, value]) => `${name}: ${value}\r\n`);
  if (!socket.readableEnded) linger(socket);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`);
}

/** Like every response it has a request id, which is logged too. */
function bareHeaders(log: Logger, status: number, reason: string): Record<string, string> {
  const requestId = randomUUID();
  log.info({ requestId, status, reason }, 'refused');
  return { 'X-Request-Id': requestId, Connection: 'close', 'Content-Length': '0' };
}

/** RFC 9112, section 3.2: a request of HTTP/1.1 without exactly one Host is 400. HTTP/0.9 could not even be answered. */
function statusOf({ rawHeaders, httpVersion }: IncomingMessage): number | undefined {
  if (httpVersion === '0.9') return 400;
  if (rawHeaders.length > 2 * maxHeaders) return 431;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? 400 : undefined;
}

/**
 * The target as a path; in absolute form (RFC 9112, section 3.2.2) it may name any host. Undefined where it is invalid.
 */
function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  if (!URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** How long further bytes are read and dropped, so that a client that is still sending can read its answer. */
const lingerMs = 2000;

/**
 * Watches a request whose body is long, or of unknown length: counts its pieces, and ends the connection after an answer that is sent
 * before the body was read to its end, because parsing the rest could take any time. The rest of a short body is read and dropped, so
 * that its connection stays open.
 */
function guardBody(request: IncomingMessage, response: ServerResponse): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > shortBody)) return;
  countPieces(request);
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => (response.shouldKeepAlive = shouldKeepAlive));
  // Before Node's own listener, which parses on.
  response.prependOnceListener('finish', () => {
    if (!request.readableEnded) linger(socket);
  });
}

/** Takes the connection from Node's parser, and closes it (RFC 9112, section 9.6). */
function linger(socket: Socket): void {
  const drop = (): void => undefined;
  // Our listener keeps the parser from reading the socket itself; without Node's listener it gets nothing more.
  socket.on('data', drop);
  socket.removeAllListeners('data');
  socket.on('data', drop);
  // Node destroys the socket with this after the last answer; the client would lose it by what it is still sending.
  socket.destroySoon = () => void socket.end();
  socket.once('end', () => socket.destroy());
  after(lingerMs, () => socket.destroy());
}
