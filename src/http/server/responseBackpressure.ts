import type { Socket } from 'node:net';
import type { ByteBudget, Reservation } from '../../admission/byteBudget.js';
import type { Owner } from '../../admission/owners.js';
import type { HttpContext } from './context.js';

/** Estimated bytes of any request without its body: headers, objects, a small response. */
export const requestBytes = 8 * 1024;

/** The reservations of each connection whose responses have not been sent completely. */
const unsent = new WeakMap<Socket, Set<Reservation>>();

/**
 * Opens a request's reservation. It ends once the handler has released it and the last byte of the response was handed
 * to the operating system, or the connection has closed. Throws `overloaded`.
 * @param owner name of the account: by whom what is in flight is shared
 */
export function reserve(budget: ByteBudget, ctx: HttpContext, owner: string | Owner): Reservation {
  const reservation = budget.reserve(owner, requestBytes);
  const { socket } = ctx.req;
  if (socket.destroyed) {
    reservation.end();
    return reservation;
  }
  const reservations = unsentOf(socket);
  reservations.add(reservation);
  reservation.retain();
  ctx.res.once('finish', () => {
    if (reservations.delete(reservation)) over(reservation);
  });
  return reservation;
}

function unsentOf(socket: Socket): Set<Reservation> {
  const known = unsent.get(socket);
  if (known !== undefined) return known;
  const reservations = new Set<Reservation>();
  unsent.set(socket, reservations);
  // Node emits nothing for responses that were queued behind another one (pipelining).
  socket.once('close', () => {
    for (const reservation of reservations) over(reservation);
    reservations.clear();
  });
  return reservations;
}

function over(reservation: Reservation): void {
  reservation.release();
  reservation.end();
}
