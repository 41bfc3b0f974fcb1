import Router from '@koa/router';
import Koa from 'koa';
import Type from 'typebox';
import type { Config } from '../config/config.js';
import { createReadJson } from '../http/body/body.js';
import { createReadText } from '../http/body/jsonText.js';
import { Scheduler } from '../scheduler/scheduler.js';
import { Slices } from '../scheduler/slices.js';
import { notFound } from '../http/server/notFound.js';
import { sendProblem } from '../http/server/problem.js';
import { identify } from '../http/server/requestId.js';
import type { RequestState } from '../http/server/context.js';
import { createCheck } from '../api/validate.js';
import type { Administered } from './administered.js';
import { requireOwnHost } from './hosts.js';
import { expose, exposedType } from './metrics/snapshot.js';

/** Bodies of the admin port are small and come from the operator, so they are not charged to a budget. */
const unaccounted = { owner: '', grow: () => undefined, shrink: () => undefined };

const PoolSettings = Type.Object(
  {
    minThreads: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    maxThreads: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    maxQueue: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    runTimeoutMs: Type.Optional(Type.Integer({ minimum: 10, maximum: 600_000 })),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** The admin port's app: for the operator and the orchestrator, not for the network. */
export function createAdminApp(
  administered: Administered,
  { adminHost, adminNames }: Pick<Config, 'adminHost' | 'adminNames'>,
): Koa<RequestState> {
  const readJson = createReadJson({
    maxBytes: 16_384,
    // Its bodies are small.
    readText: createReadText({ maxDepth: 8, slices: new Slices(new Scheduler({ maxWaitMs: 0 })) }),
  });
  const checkSettings = createCheck(PoolSettings, 'body');
  const router = new Router<RequestState>({ strict: true });

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const { phase, ...services } = await administered.readiness();
    const accepting = phase === 'serving';
    const ready = accepting && services.mysql === 'ok';
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : accepting ? 'not ready' : phase, accepting, ...services };
  });
  router.get('/metrics', async (ctx) => {
    ctx.set('Content-Type', exposedType);
    ctx.body = await expose(await administered.metrics());
  });
  router.get('/pool', async (ctx) => {
    ctx.body = await administered.pool();
  });
  router.patch('/pool', async (ctx) => {
    await administered.resize(checkSettings((await readJson(ctx, unaccounted)).value));
    ctx.body = await administered.pool();
  });

  const app = new Koa<RequestState>();
  app.use(async (ctx, next) => {
    ctx.set('X-Request-Id', identify(ctx));
    try {
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
  });
  app.use(requireOwnHost([adminHost, ...adminNames]));
  app.use(router.routes());
  app.use(notFound([router]));
  return app;
}
