import type { Logger } from 'pino';
import { consoleRoutes } from './api/console/console.routes.js';
import type { Provider } from './api/console/page.js';
import { docsRoutes } from './api/docs/docs.routes.js';
import { createReceive, type BodyReaders } from './api/receive.js';
import { createAuthorize, createRecheck, type ApiRoute, type AuthorizationDependencies } from './api/authorize.js';
import type { LogicRoute } from './api/logicRoute.js';
import type { ByteBudget } from './admission/byteBudget.js';
import type { Scheduler } from './admission/scheduler.js';
import { every } from './clock/timers.js';
import { Problem } from './errors.js';
import type { HttpContext } from './http/server/context.js';
import { reserve, send } from './http/server/response.js';
import type { DeclaredApi } from './api/openapi/document.js';
import { openApiRoute } from './api/openapi/openapi.routes.js';
import { problemPages } from './api/problems/problems.routes.js';
import { mountPublicRoute } from './api/publicRoute.js';
import { requestLifecycle, RoutedApp, type RequestObserver } from './http/server/requestLifecycle.js';
import { Router, type Route } from './http/server/router.js';
import type { Tracing } from './tracing/requestTrace.js';

interface RouteDependencies extends AuthorizationDependencies, BodyReaders {
  readonly budget: ByteBudget;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

interface AppDependencies extends RouteDependencies {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
  readonly trustProxy: boolean;
  /** Where people may sign in to the console beside client id and secret. */
  readonly consoleProvider: Provider | null;
  readonly oauth: readonly Route[];
  readonly api: DeclaredApi;
}

/** All routes, and what every request goes through. */
export function createApp(dependencies: AppDependencies): RoutedApp {
  const { log, requests, tracing, trustProxy, consoleProvider, oauth, api, budget } = dependencies;
  const pages = [openApiRoute(), ...consoleRoutes(consoleProvider), ...docsRoutes(), ...problemPages];
  const router = new Router([
    ...api.routes.map((route) => stepsOf(dependencies, route)),
    ...oauth,
    ...pages.map((page) => mountPublicRoute(budget, page)),
  ]);
  // Only the last address of X-Forwarded-For counts, which the load balancer added; the client may have sent those
  // before it.
  const options = { proxy: trustProxy, maxIpsCount: 1 };
  return new RoutedApp({ around: requestLifecycle({ log, requests, tracing }), router }, options);
}

/**
 * What a request of the API goes through: token, workspace, scope and rate are checked, its bytes are reserved, it is read
 * and held against its schemas, handled, and answered. The order of the checks is promised (src/api/README.md).
 */
function stepsOf(dependencies: RouteDependencies, route: ApiRoute): Route {
  const { budget, scheduler } = dependencies;
  const { method, path, direct = false } = route;
  const authorize = createAuthorize(dependencies, route);
  const recheck = createRecheck(dependencies, route);
  const receive = createReceive(dependencies, route);
  // What `authorize` gives is what this kind of route is declared to get.
  const handle = route.handle as LogicRoute['handle'];
  return {
    method,
    path,
    direct,
    async handle(ctx) {
      const { caller, owner } = await authorize(ctx);
      const reservation = reserve(budget, ctx, owner);
      try {
        const request = await receive(ctx, caller, reservation);
        const reply = await handle(request as Parameters<typeof handle>[0]);
        const sent = send(ctx, reply, { reservation, scheduler });
        if ('write' in reply || 'texts' in reply) await whileAllowed(ctx, () => recheck(caller), sent);
        else if (sent !== undefined) await sent;
      } finally {
        reservation.release();
      }
    },
  };
}

/** With the age of what is known of clients and grants it is less than the 5 s within which what is withdrawn counts. */
const recheckMs = 500;

/** Cuts an answer off that is sent while it is made, once its caller may not have it any more: it may go on for hours. */
async function whileAllowed(
  ctx: HttpContext,
  recheck: () => Promise<void>,
  sent: Promise<void> | undefined,
): Promise<void> {
  const look = (): Promise<void> =>
    recheck().catch((error: unknown) => {
      // Whoever cannot be asked about right now goes on.
      if (!(error instanceof Problem) || error.status >= 500) return;
      ctx.state.code = error.code;
      ctx.res.destroy();
    });
  const stopLooking = every(recheckMs, look);
  try {
    await sent;
  } finally {
    stopLooking();
  }
}
