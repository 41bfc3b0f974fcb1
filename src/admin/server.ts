import Router from '@koa/router';
import Koa from 'koa';
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import { createReadJson } from '../http/body.js';
import { notFound } from '../http/notFound.js';
import { problemHandler } from '../http/problemHandler.js';
import { requestId } from '../http/requestId.js';
import type { RequestState } from '../http/state.js';
import { createCheck } from '../http/validate.js';
import type { Pool } from '../pool/pool.js';
import type { Cache } from '../storage/redis.js';

export interface AdminDependencies {
  readonly database: Knex;
  readonly cache: Cache | null;
  readonly pool: Pool;
  readonly metrics: Registry;
  /** False from the moment the server begins to drain. */
  readonly accepting: () => boolean;
}

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
export function createAdminApp({ database, cache, pool, metrics, accepting }: AdminDependencies): Koa<RequestState> {
  const readJson = createReadJson({ maxBytes: 16_384, maxDepth: 8 });
  const checkSettings = createCheck(PoolSettings, 'body');
  const router = new Router<RequestState>({ strict: true });

  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const mysql = await answers(database);
    const ready = accepting() && mysql;
    ctx.status = ready ? 200 : 503;
    ctx.body = {
      status: ready ? 'ready' : 'not ready',
      accepting: accepting(),
      mysql: mysql ? 'ok' : 'unreachable',
      redis: cache === null ? 'not configured' : cache.healthy() ? 'ok' : 'degraded',
    };
  });
  router.get('/metrics', async (ctx) => {
    ctx.set('Content-Type', metrics.contentType);
    ctx.body = await metrics.metrics();
  });
  router.get('/pool', (ctx) => {
    ctx.body = pool.status();
  });
  router.patch('/pool', async (ctx) => {
    pool.resize(checkSettings((await readJson(ctx)).value));
    ctx.body = pool.status();
  });

  const app = new Koa<RequestState>();
  app.use(requestId);
  app.use(problemHandler);
  app.use(router.routes());
  app.use(notFound([router]));
  return app;
}

async function answers(database: Knex): Promise<boolean> {
  try {
    await database.raw('SELECT 1');
    return true;
  } catch {
    return false;
  }
}
