import type { Logger } from 'pino';
import { consoleRoutes } from './api/console/console.routes.js';
import type { Provider } from './api/console/page.js';
import { docsRoutes } from './api/docs/docs.routes.js';
import { mountRoute, type RouteDependencies } from './api/mount.js';
import type { DeclaredApi } from './api/openapi/document.js';
import { openApiRoute } from './api/openapi/openapi.routes.js';
import { problemPages } from './api/problems/problems.routes.js';
import { mountPublicRoute } from './api/publicRoute.js';
import { requestLifecycle, type RequestObserver } from './http/server/requestLifecycle.js';
import { RoutedApp, Router, type Route } from './http/server/router.js';
import type { Tracing } from './tracing/requestTrace.js';

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
    ...api.routes.map((route) => mountRoute(dependencies, route)),
    ...oauth,
    ...pages.map((page) => mountPublicRoute(budget, page)),
  ]);
  // Only the last address of X-Forwarded-For counts, which the load balancer added; the client may have sent those
  // before it.
  const options = { proxy: trustProxy, maxIpsCount: 1 };
  return new RoutedApp({ around: requestLifecycle({ log, requests, tracing }), router }, options);
}
