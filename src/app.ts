import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { consoleRouter } from './http/console/console.routes.js';
import type { Provider } from './http/console/page.js';
import { docsRouter } from './http/docs/docs.routes.js';
import type { ByteBudget } from './http/body/byteBudget.js';
import { requestLifecycle } from './http/server/requestLifecycle.js';
import { mountClientRoute, type ClientRoute, type ClientRouteDependencies } from './http/routes/clientRoute.js';
import { mountLogicRoute, type LogicDependencies, type LogicRoute } from './http/routes/logicRoute.js';
import { mountPrincipalRoute, type PrincipalRoute } from './http/routes/principalRoute.js';
import { notFound } from './http/server/notFound.js';
import { createOpenApi } from './http/openapi/document.js';
import { openApiRouter } from './http/openapi/openapi.routes.js';
import { problemPages } from './http/problems/problems.routes.js';
import type { RequestObserver } from './http/server/requestObserver.js';
import type { RequestState } from './http/server/context.js';
import type { Tracing } from './tracing/requestTrace.js';

export interface AppDependencies {
  readonly log: Logger;
  readonly requests: RequestObserver;
  readonly tracing: Tracing | null;
  readonly trustProxy: boolean;
  /** Where people may sign in to the console beside client id and secret. */
  readonly consoleProvider: Provider | null;
  readonly budget: ByteBudget;
  readonly logic: LogicDependencies;
  readonly logicRoutes: readonly LogicRoute[];
  readonly principalRoutes: readonly PrincipalRoute[];
  readonly clients: ClientRouteDependencies;
  readonly clientRoutes: readonly ClientRoute[];
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
    oauth,
  } = dependencies;
  // Only the last address of X-Forwarded-For counts, which the load balancer added; the client may have sent those
  // before it.
  const app = new Koa<RequestState>({ proxy: trustProxy, maxIpsCount: 1 });
  const logicRouter = new Router<RequestState>({ strict: true, sensitive: true });
  // A router of their own, tried first: a router tries all its routes on every request.
  const runRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of logicRoutes) mountLogicRoute(route.tag === 'Runs' ? runRouter : logicRouter, logic, route);
  for (const route of principalRoutes) mountPrincipalRoute(logicRouter, logic, route);
  const clientRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of clientRoutes) mountClientRoute(clientRouter, clients, route);
  const openApi = openApiRouter(createOpenApi({ logicRoutes, principalRoutes, clientRoutes }));
  const routers = [
    runRouter,
    logicRouter,
    clientRouter,
    oauth,
    openApi,
    consoleRouter(consoleProvider),
    docsRouter(),
    problemPages(),
  ];

  app.use(requestLifecycle({ log, requests, tracing, budget }));
  for (const router of routers) app.use(router.routes());
  app.use(notFound(routers));
  return app;
}
