import { Problem } from '../errors.js';
import { Cache, performanceNow } from '../cache/cache.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import type { PoolsStatus } from './administered.js';
import { PoolReport } from './pool.schema.js';

/** Callers within this time share an answer: each asks every process. */
const sharedMs = 200;

/**
 * What the admin port shows of the pool, for callers with the scope in some workspace: numbers of the whole service.
 * @param readPools undefined where it can't be told right now
 */
export function poolRoutes({
  readPools,
}: {
  readonly readPools: () => Promise<PoolsStatus | undefined>;
}): LogicRoute[] {
  const status = new Cache({
    ...{ maxCount: 1, maxAgeMs: sharedMs, renewMs: sharedMs },
    load: async () => ({ value: await readPools(), readAt: performanceNow() }),
  });
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/pool',
      operationId: 'getPool',
      tag: 'Pool',
      summary: 'Get the state of the worker pool: threads, waits, throughput, rejections',
      description: 'Of the whole service, all its processes together and each alone. It names no workspace.',
      scope: 'pool:read',
      replies: { 200: PoolReport },
      replyHeaders: ['Cache-Control'],
      problems: ['overloaded'],
      async handle() {
        const pools = await status.get('');
        if (pools !== undefined) return { status: 200, body: pools, headers: { 'Cache-Control': 'no-store' } };
        throw new Problem('overloaded', 'The processes of the service do not answer right now.', { retryAfter: 1 });
      },
    }),
  ];
}
