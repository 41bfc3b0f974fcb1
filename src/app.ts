import Router from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { consoleRouter } from './api/console/console.routes.js';
import type { Provider } from './api/console/page.js';
import { docsRouter } from './api/docs/docs.routes.js';
import type { ByteBudget } from './http/body/byteBudget.js';
import { DirectApp } from './http/server/directApp.js';
import { requestLifecycle } from './http/server/requestLifecycle.js';
import { mountClientRoute, type ClientRouteDependencies } from './api/clientRoute.js';
import { mountLogicRoute, type LogicDependencies } from './api/logicRoute.js';
import { mountPrincipalRoute } from './api/principalRoute.js';
import { notFound } from './http/server/notFound.js';
import { createOpenApi, type DeclaredRoutes } from './api/openapi/document.js';
import { openApiRouter } from './api/openapi/openapi.routes.js';
import { problemPages } from './api/problems/problems.routes.js';
import type { RequestObserver } from './http/server/requestObserver.js';
import type { RequestState } from './http/server/context.js';
import type { Tracing } from './tracing/requestTrace.js';

export interface AppDependencies extends DeclaredRoutes {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
  readonly trustProxy: boolean;
  /** Where people may sign in to the console beside client id and secret. */
  readonly consoleProvider: Provider | null;
  readonly budget: ByteBudget;
  readonly logic: LogicDependencies;
  readonly clients: ClientRouteDependencies;
  readonly oauth: Router<RequestState>;
}

/** All routers and middleware, in order. */
export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const {
    log,
    requests,
    tracing,
    trustProxy,
    consoleProvider,
    budget,
    logic,
    logicRoutes,
    principalRoutes,
    clients,
    clientRoutes,
    webhooks,
    oauth,
  } = dependencies;
  // Only the last address of X-Forwarded-For counts, which the load balancer added; the client may have sent those
  // before it.
  const around = requestLifecycle({ log, requests, tracing, budget });
  const app = new DirectApp({ proxy: trustProxy, maxIpsCount: 1 }, around);
  const logicRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of logicRoutes) {
    const mounted = mountLogicRoute(logicRouter, logic, route);
    if (route.tag === 'Runs') app.direct(mounted);
  }
  for (const route of principalRoutes) mountPrincipalRoute(logicRouter, logic, route);
  const clientRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of clientRoutes) mountClientRoute(clientRouter, clients, route);
  const openApi = openApiRouter(() => createOpenApi({ logicRoutes, principalRoutes, clientRoutes, webhooks }));
  const routers = [
    logicRouter,
    clientRouter,
    oauth,
    openApi,
    consoleRouter(consoleProvider),
    docsRouter(),
    problemPages(),
  ];

  for (const router of routers) app.use(router.routes());
  app.use(notFound(routers));
  return app;
}
