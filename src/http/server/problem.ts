import { Problem } from '../../errors.js';
import { asProblem } from '../../storage/database.js';
import type { HttpContext } from './context.js';
import { sendText } from './response.js';

/**
 * Answers with a problem body (RFC 9457) for whatever was thrown. Reveals nothing private: an unknown error is
 * `internal_error`.
 */
export function sendProblem(ctx: HttpContext, error: unknown): void {
  try {
    answer(ctx, toProblem(error));
  } catch (unsendable) {
    answer(ctx, unforeseen(unsendable));
  }
}

function answer(ctx: HttpContext, problem: Problem): void {
  const body = JSON.stringify(problem.body(ctx.path, ctx.state.requestId));
  ctx.state.code = problem.code;
  ctx.state.cause = problem.options.cause;
  const headers = { ...problem.headers(), 'Content-Type': 'application/problem+json' };
  sendText(ctx, { status: problem.status, headers }, body);
}

function toProblem(error: unknown): Problem {
  const known = asProblem(error);
  return known instanceof Problem ? known : unforeseen(error);
}

const unforeseen = (cause: unknown): Problem =>
  new Problem('internal_error', 'Something unforeseen happened. Quote the request id to the operator.', { cause });
