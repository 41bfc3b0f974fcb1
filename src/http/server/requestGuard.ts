import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { after } from '../../clock/timers.js';
import { Problem } from '../../errors.js';
import { countPieces, shortBody } from '../body/pieces.js';

/** Requests with more headers are refused. Node itself would silently drop those beyond its limit. */
const maxHeaders = 100;

/** A request with its response, and the response before it where that was not sent yet (pipelining). */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly before: ServerResponse | undefined;
  /** When it came, by a clock that never goes back. */
  readonly at: number;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

/** What the server asks the guard about connections. */
export interface RequestGuard {
  /**
   * Whether a response is being computed, for a request that arrived completely or whose body is not read yet. False
   * for a response that waits for its client to read it.
   */
  readonly isAnswering: (socket: Socket) => boolean;
  /** Since when nobody waits for an answer on a connection: about when its last request came. Undefined where somebody does. */
  readonly idleSince: (socket: Socket, openedAt: number) => number | undefined;
  /** Has requests wait until the function that it returns is called. */
  readonly hold: () => () => void;
  /** Marks a connection above the limit: its request is answered 503, and it is closed. */
  readonly refuse: (socket: Socket) => void;
  /**
   * Sends `102 Processing` (RFC 2518, section 10.1) where a response is still being computed; false where there is
   * none.
   */
  readonly sayProcessing: (socket: Socket) => boolean;
}

/**
 * Stands between Node's parser and the app. Invalid or ambiguous HTTP gets a problem, and the connection is closed: 400, 408, 417 or
 * 431; and 503 for a connection above the limit.
 * @param handle gets all other requests, with a target in origin form
 */
export function guardRequests(server: Server, handle: Handle, log: Logger): RequestGuard {
  const exchanges = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  const tooMany = new WeakSet<Socket>();
  let held: (() => void)[] | undefined;
  server.maxHeadersCount = maxHeaders;

  const deny = (response: ServerResponse, problem: Problem, reason: string): void => {
    const { headers, body } = refusal(log, { problem, reason, path: originForm(response.req.url ?? '') ?? '/' });
    response.writeHead(problem.status, headers).end(body);
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    const before = exchanges.get(socket)?.response;
    guardBody(request, response);
    const owed = before?.writableFinished === false ? before : undefined;
    exchanges.set(socket, { request, response, at: performance.now(), before: owed });
    const problem = headProblem(request);
    const target = originForm(request.url ?? '');
    if (tooMany.has(socket)) deny(response, tooManyConnections(), 'connections');
    else if (problem !== undefined) deny(response, problem, 'headers');
    else if (target === undefined) deny(response, malformed(400, 'The target is neither a path nor a URL.'), 'target');
    else {
      request.url = target;
      if (held === undefined) handle(request, response);
      else held.push(() => handle(request, response));
    }
  });
  server.on('checkExpectation', (_request, response) =>
    deny(response, malformed(417, 'Of all expectations 100-continue alone can be met.'), 'expectation'),
  );

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
    const end = (): void => endRefused(socket, log, error);
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

/**
 * The response that must be sent first, or the refusal would be taken for it: that of a request which arrived
 * completely.
 */
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

function endRefused(socket: Socket, log: Logger, { code = 'unreadable' }: NodeJS.ErrnoException): void {
  if (!socket.writable) return;
  const problem = parserProblem(code);
  const { headers, body } = refusal(log, { problem, reason: code, path: '/' });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (!socket.readableEnded) linger(socket);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}

function parserProblem(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return malformed(431, 'The target and the headers are longer than 16 KiB together.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return malformed(408, 'The request was not sent to its end in time.');
  return malformed(400, `The request cannot be read as HTTP/1.1 (${code}).`);
}

const malformed = (status: number, detail: string): Problem => new Problem('malformed_request', detail, { status });

const tooManyConnections = (): Problem =>
  new Problem('overloaded', 'The server has as many connections as it takes.', { retryAfter: 1 });

/** What is sent before the app is asked. Like every response it has a request id, which is logged too. */
function refusal(log: Logger, { problem, reason, path }: { problem: Problem; reason: string; path: string }) {
  const requestId = randomUUID();
  log.info({ requestId, status: problem.status, reason }, 'refused');
  const body = JSON.stringify(problem.body(path, requestId));
  const headers = {
    ...problem.headers(),
    'X-Request-Id': requestId,
    Connection: 'close',
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { headers, body };
}

/** RFC 9112, section 3.2: a request of HTTP/1.1 without exactly one Host is 400. HTTP/0.9 could not even be answered. */
function headProblem({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  if (httpVersion === '0.9') return malformed(400, 'HTTP/0.9 is not spoken here.');
  if (rawHeaders.length > 2 * maxHeaders) return malformed(431, `There are more than ${maxHeaders} headers.`);
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  const one = hosts === 1 || (hosts === 0 && httpVersion !== '1.1');
  return one ? undefined : malformed(400, `A request has one Host header, and this one has ${hosts}.`);
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
