import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { accessLog } from './http/accessLog.js';
import { mountClientRoute, type ClientRoute, type ClientRouteDependencies } from './http/clientRoute.js';
import { mountLogicRoute, type LogicDependencies, type LogicRoute } from './http/logicRoute.js';
import { notFound } from './http/notFound.js';
import { problemHandler } from './http/problemHandler.js';
import { problemPages } from './http/problemPages.js';
import { requestId } from './http/requestId.js';
import type { RequestState } from './http/state.js';

export interface AppDependencies {
  readonly log: Logger;
  readonly trustProxy: boolean;
  readonly logic: LogicDependencies;
  readonly logicRoutes: readonly LogicRoute[];
  readonly clients: ClientRouteDependencies;
  readonly clientRoutes: readonly ClientRoute[];
  readonly oauth: Router<RequestState>;
}

/** Every router and the order of what stands before them. */
export function createApp(dependencies: AppDependencies): Koa<RequestState> {
  const { log, trustProxy, logic, logicRoutes, clients, clientRoutes, oauth } = dependencies;
  const app = new Koa<RequestState>({ proxy: trustProxy });
  const logicRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of logicRoutes) mountLogicRoute(logicRouter, logic, route);
  const clientRouter = new Router<RequestState>({ strict: true, sensitive: true });
  for (const route of clientRoutes) mountClientRoute(clientRouter, clients, route);
  const routers = [logicRouter, clientRouter, oauth, problemPages()];

  app.use(requestId);
  app.use(accessLog(log));
  app.use(problemHandler);
  for (const router of routers) app.use(router.routes());
  app.use(notFound(routers));
  return app;
}
