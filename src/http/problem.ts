import { Problem } from '../errors.js';
import { asProblem } from '../storage/database.js';
import type { HttpContext } from './state.js';

/** Answers with a problem body (RFC 9457) for whatever was thrown. Nothing private leaves: an unknown error is `internal_error`. */
export function sendProblem(ctx: HttpContext, error: unknown): void {
  const problem = toProblem(error);
  ctx.state.code = problem.code;
  ctx.state.cause = problem.options.cause;
  ctx.status = problem.status;
  ctx.set(problem.headers());
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = JSON.stringify(problem.body(ctx.path, ctx.state.requestId));
}

function toProblem(error: unknown): Problem {
  const known = asProblem(error);
  if (known instanceof Problem) return known;
  return new Problem('internal_error', 'Something unforeseen happened. Quote the request id to the operator.', {
    cause: error,
  });
}
