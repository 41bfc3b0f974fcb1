import type { Next } from 'koa';
import { Problem } from '../errors.js';
import { asProblem } from '../storage/database.js';
import type { HttpContext } from './state.js';

/** Turns whatever was thrown into a problem body (RFC 9457). Nothing private leaves: an unknown error is `internal_error`. */
export async function problemHandler(ctx: HttpContext, next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    sendProblem(ctx, toProblem(error));
  }
}

function toProblem(error: unknown): Problem {
  const known = asProblem(error);
  if (known instanceof Problem) return known;
  return new Problem('internal_error', 'Something unforeseen happened. Quote the request id to the operator.', {
    cause: error,
  });
}

function sendProblem(ctx: HttpContext, problem: Problem): void {
  ctx.state.code = problem.code;
  ctx.state.cause = problem.options.cause;
  ctx.status = problem.status;
  ctx.set(problem.headers());
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = JSON.stringify(problem.body(ctx.path, ctx.state.requestId));
}
