import type { ByteBudget } from '../admission/byteBudget.js';
import { nobody } from '../admission/owners.js';
import type { HttpContext } from '../http/server/context.js';
import { requestBytes, reserve, sendText } from '../http/server/response.js';
import type { Route, RoutedContext } from '../http/server/router.js';

/** A page or a file. */
export interface PublicAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request that anybody may send: documentation, the console. */
export interface PublicRoute {
  /** GET by default. */
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly answer: (ctx: RoutedContext) => PublicAnswer;
}

/** The route with its answers charged to one account, because nobody is known to whom they could be charged. */
export const mountPublicRoute = (budget: ByteBudget, { path, method, answer }: PublicRoute): Route => ({
  method: method ?? 'GET',
  path,
  handle(ctx) {
    const { status = 200, headers, body } = answer(ctx);
    charge(budget, ctx, body === undefined ? 0 : Buffer.byteLength(body));
    sendText(ctx, { status, headers }, body);
  },
});

/** Until the answer is sent. Throws `overloaded`. */
function charge(budget: ByteBudget, ctx: HttpContext, bytes: number): void {
  if (bytes <= requestBytes) return;
  const reservation = reserve(budget, ctx, { tenantId: nobody, workspaceId: 'public' });
  try {
    reservation.grow(bytes);
  } finally {
    reservation.release();
  }
}
