import Type from 'typebox';
import type { Config } from '../config/config.js';
import { createReadJson } from '../http/body/body.js';
import { readSmall } from '../http/body/jsonText.js';
import { hostNameOf, isOwnName } from '../http/server/ownNames.js';
import { sendProblem } from '../http/server/problem.js';
import { identify, RoutedApp, type Around } from '../http/server/requestLifecycle.js';
import type { HttpContext } from '../http/server/context.js';
import { Router } from '../http/server/router.js';
import { sendText } from '../http/server/response.js';
import { createCheck } from '../api/validate.js';
import { isReady, type Administered } from './administered.js';
import { expose, exposedType } from './metrics/snapshot.js';
import { stateMetrics } from './metrics/state.js';
import { Problem } from '../errors.js';

/** Bodies of the admin port are small and come from the operator, so they are not charged to a budget. */
const unaccounted = { owner: '', grow: () => undefined, growLater: () => Promise.resolve(), shrink: () => undefined };

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
): RoutedApp {
  const readJson = createReadJson({
    maxBytes: 16_384,
    readText: (bytes) => readSmall(bytes, 8),
  });
  const checkSettings = createCheck(PoolSettings);
  const router = new Router([
    { method: 'GET', path: '/healthz', handle: (ctx) => sendJson(ctx, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle(ctx) {
        const readiness = await administered.readiness();
        const { phase, ...services } = readiness;
        const accepting = phase === 'serving';
        const ready = isReady(readiness);
        const status = ready ? 'ready' : accepting ? 'not ready' : phase;
        sendJson(ctx, { status, accepting, ...services }, ready ? 200 : 503);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      async handle(ctx) {
        const state = administered.readiness().then(stateMetrics);
        const text = await expose((await Promise.all([administered.metrics(), state])).flat());
        sendText(ctx, { status: 200, headers: { 'Content-Type': exposedType } }, text);
      },
    },
    {
      method: 'GET',
      path: '/pool',
      handle: async (ctx) => sendJson(ctx, await administered.pool()),
    },
    {
      method: 'PATCH',
      path: '/pool',
      async handle(ctx) {
        await administered.resize(checkSettings((await readJson(ctx, unaccounted)).value));
        sendJson(ctx, await administered.pool());
      },
    },
  ]);
  const requireHost = requireOwnHost([adminHost, ...adminNames]);
  const around: Around = async (ctx, next) => {
    identify(ctx);
    try {
      requireHost(ctx);
      await next();
    } catch (error) {
      sendProblem(ctx, error);
    }
  };
  return new RoutedApp({ around, router });
}

const sendJson = (ctx: HttpContext, body: object, status = 200): void =>
  sendText(ctx, { status }, JSON.stringify(body));

/**
 * A check that requests pass whose Host is the server's own: else a foreign page could use this port from an operator's browser.
 * Others are `forbidden`. Requests without Host pass: browsers always send it.
 */
function requireOwnHost(names: readonly string[]): (ctx: HttpContext) => void {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (ctx) => {
    if (isOwnName(hostNameOf(ctx.get('Host')), known)) return;
    throw new Problem(
      'forbidden',
      'The admin port answers to IP addresses, to names without a dot or below .local, .internal or .localhost, and to ' +
        'those in ADMIN_NAMES.',
    );
  };
}
