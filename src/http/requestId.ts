import type { Next } from 'koa';
import { randomUUID } from 'node:crypto';
import { isUuid } from '../storage/ids.js';
import type { HttpContext } from './state.js';

/** Gives every request an id: its own when that is a UUID, else a new one; and sends it back. */
export function requestId(ctx: HttpContext, next: Next): Promise<unknown> {
  const own = ctx.req.headers['x-request-id'];
  ctx.state.requestId = typeof own === 'string' && isUuid(own) ? own : randomUUID();
  ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
  return next();
}
