import type { HttpContext } from './context.js';

/** A parameter of a media range that is not its weight, with the semicolon before it. */
const parameter = /;\s*(?!q\s*=)[^\s=;,"]+\s*=\s*(?:"(?:\\.|[^\\"])*"|[^\s;,"]*)/gi;

/**
 * Which of some types the client would rather have; false where it takes none. Parameters such as `charset=utf-8` are passed over,
 * as no answer comes in two forms that differ by them alone.
 */
export function accepted(ctx: HttpContext, ...types: readonly string[]): string | false {
  const { headers } = ctx.req;
  if (headers.accept?.includes(';') === true) headers.accept = headers.accept.replace(parameter, '');
  return ctx.accepts(...types);
}
