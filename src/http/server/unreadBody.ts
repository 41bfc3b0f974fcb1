import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after } from '../../clock/timers.js';
import { countPieces, shortBody } from '../body/pieces.js';

/** How long further bytes are read and dropped, so that a client that is still sending can read its answer. */
const lingerMs = 2000;

/**
 * Watches a request with a long body, or one of unknown length (a short one is read and dropped after an early answer, so that its
 * connection stays open): its pieces are counted, and an answer that is sent before
 * the body was read to its end ends the connection, because parsing the rest could cost any time.
 */
export function guardBody(request: IncomingMessage, response: ServerResponse): void {
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
