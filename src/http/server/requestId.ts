import { randomUUID } from 'node:crypto';
import { isUuid } from '../../storage/ids.js';
import type { HttpContext } from './context.js';

/**
 * Gives a request its id: the client's X-Request-Id when that is a UUID, else a new one. Whoever answers sends it back.
 */
export function identify(ctx: HttpContext): string {
  const own = ctx.req.headers['x-request-id'];
  const id = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  ctx.state.requestId = id;
  return id;
}
