import type { Socket } from 'node:net';
import type { ByteBudget, Reservation } from '../body/byteBudget.js';
import type { HttpContext } from './context.js';

/** What any request takes before its body: its headers, the objects around it, a small answer. */
export const requestBytes = 8 * 1024;

/** Of each connection the reservations whose answers have not left yet. */
const unsent = new WeakMap<Socket, Set<Reservation>>();

/**
 * Opens a request's account. It is given back once the handler has released it and the last byte of the answer was handed
 * to the operating system, or the connection has closed. Throws `overloaded`.
 * @param owner name of the account: by whom what is in flight is shared
 */
export function reserve(budget: ByteBudget, ctx: HttpContext, owner: string): Reservation {
  const reservation = budget.reserve(owner, requestBytes);
  const { socket } = ctx.req;
  if (socket.destroyed) return reservation;
  const reservations = unsentOf(socket);
  reservations.add(reservation);
  reservation.retain();
  ctx.res.once('finish', () => {
    if (reservations.delete(reservation)) reservation.release();
  });
  return reservation;
}

function unsentOf(socket: Socket): Set<Reservation> {
  const known = unsent.get(socket);
  if (known !== undefined) return known;
  const reservations = new Set<Reservation>();
  unsent.set(socket, reservations);
  // Node says nothing of answers that were behind another one (pipelining).
  socket.once('close', () => {
    for (const reservation of reservations) reservation.release();
    reservations.clear();
  });
  return reservations;
}
