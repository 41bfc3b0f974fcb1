import { Problem } from '../../errors.js';
import type { RoutedContext } from '../../http/server/router.js';
import { bearerWanted } from '../../oauth/challenge.js';
import type { PublicAnswer, PublicRoute } from '../publicRoute.js';

/**
 * The console's session: a cookie that holds the access token, so that a page that is loaded anew, and another tab, need no
 * secret. It reaches this path and the pages beside it, and no operation of the API reads it, so that a request of another
 * site can do nothing with it; see `src/console/README.md`, "The session".
 */
const cookie = 'verdict-console';

/** Of the pages' own requests. No form can send it, and other origins may not. */
const ownHeader = 'X-Verdict-Console';

/** An access token (RFC 6750, section 2.1), as long as a cookie may be. */
const token = /^[A-Za-z0-9._~+/-]{1,3500}=*$/;

const path = '/console/session';
const nothing = { 'Cache-Control': 'no-store' } as const;

/** `GET` gives the token, `POST` keeps the one that it carries, `DELETE` ends the session. */
export const sessionRoutes: readonly PublicRoute[] = [
  { path, answer: own(read) },
  { path, method: 'POST', answer: own(keep) },
  { path, method: 'DELETE', answer: own(end) },
];

/** Refuses what did not come from the console's own pages. */
function own(answer: (ctx: RoutedContext) => PublicAnswer): PublicRoute['answer'] {
  return (ctx) => {
    const site = ctx.get('Sec-Fetch-Site');
    if (ctx.get(ownHeader) === '' || (site !== '' && site !== 'same-origin')) {
      throw new Problem('route_not_found', 'There is nothing at this path.');
    }
    return answer(ctx);
  };
}

function read(ctx: RoutedContext): PublicAnswer {
  const kept = ctx.cookies.get(cookie);
  if (kept === undefined || !token.test(kept)) return { status: 204, headers: nothing };
  const headers = { ...nothing, 'Content-Type': 'application/json; charset=utf-8' };
  return { headers, body: JSON.stringify({ token: kept }) };
}

function keep(ctx: RoutedContext): PublicAnswer {
  const [, carried = ''] = /^Bearer (.+)$/.exec(ctx.get('Authorization')) ?? [];
  if (!token.test(carried)) throw bearerWanted();
  return { status: 204, headers: { ...nothing, 'Set-Cookie': setting(ctx, carried) } };
}

function end(ctx: RoutedContext): PublicAnswer {
  return { status: 204, headers: { ...nothing, 'Set-Cookie': `${setting(ctx, '')}; Max-Age=0` } };
}

/**
 * Without a path it is that of the pages, below whatever prefix a proxy adds; without an age it ends with the browser, and
 * is of no use after the token in it has expired. The page knows whether it was loaded by https, which a proxy may hide.
 */
function setting(ctx: RoutedContext, value: string): string {
  const isSecure = ctx.secure || ctx.get(ownHeader) === 'https:';
  return `${cookie}=${value}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}
