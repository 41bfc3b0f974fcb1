import type Koa from 'koa';
import type { Logger } from 'pino';
import { administerProcess, type Administered } from './admin/administered.js';
import { createMetrics } from './admin/metrics/metrics.js';
import { createApp } from './app.js';
import { auditRoutes } from './audit/audit.routes.js';
import type { Config } from './config/config.js';
import { runLimitsOf } from './config/limits.js';
import { createCheckContents, createFindFaults } from './decisions/writing/checks.js';
import { decisionRoutes } from './decisions/routes/decisions.routes.js';
import { createWorkspaceReader } from './decisions/directories.js';
import { importRoutes } from './decisions/routes/imports.routes.js';
import { createSchemas } from './decisions/programs/schemas.js';
import { modelRoutes } from './decisions/routes/models.routes.js';
import { createPrograms } from './decisions/programs/programs.js';
import { versionRoutes } from './decisions/routes/versions.routes.js';
import { deploymentRoutes } from './deployments/deployments.routes.js';
import { createPreparation } from './deployments/preparation.js';
import { createRouting } from './deployments/routing.js';
import { createConfigurations } from './environments/configurations.js';
import { environmentRoutes } from './environments/environments.routes.js';
import { variableRoutes } from './environments/variables.routes.js';
import { createReadJson } from './http/body/body.js';
import { createReadLarge } from './http/body/largeBody.js';
import { ByteBudget } from './http/body/byteBudget.js';
import type { RequestState } from './http/server/context.js';
import { createAuthenticateClient } from './oauth/authenticateClient.js';
import { createKeys } from './oauth/keys.js';
import { createOAuthRouter } from './oauth/oauth.routes.js';
import { createVerifier } from './oauth/verify.js';
import { createVerifyClient } from './oauth/verifyClient.js';
import { createPool } from './pool/pool.js';
import { inquiryRoutes } from './inquiries/inquiries.routes.js';
import { createUpdateInquiry } from './inquiries/update.js';
import { readBacklog } from './outbox/backlog.js';
import { createDispatcher } from './outbox/dispatcher.js';
import { createTransports } from './outbox/transports.js';
import { draftRoutes } from './runs/drafts.routes.js';
import { evaluationRoutes } from './runs/evaluations.routes.js';
import { executionRoutes } from './runs/executions.routes.js';
import { historyRoutes } from './runs/history.routes.js';
import { createIdempotency } from './runs/idempotency.js';
import { createRecorder, recorderConnections, recorderStatementMs } from './runs/recorder.js';
import { openApiRoutes } from './runs/openapi.routes.js';
import { ResultSizes } from './runs/resultSizes.js';
import { openDatabase } from './storage/database.js';
import { createEncryption } from './storage/encryption.js';
import { openCache } from './storage/redis.js';
import type { Tracing } from './tracing/requestTrace.js';
import { createAccess } from './workspaces/access.js';
import { workspaceRoutes } from './workspaces/workspaces.routes.js';

export interface Service {
  /** Resolves when the first worker threads can run. */
  ready(): Promise<void>;
  readonly app: Koa<RequestState>;
  /** What the admin port speaks for. */
  readonly administered: Administered;
  /** From now on messages of the outbox are sent. */
  start(): void;
  /** From now on `/readyz` says no, so that a load balancer looks elsewhere; no message is taken up any more. */
  stopAccepting(): void;
  /** To be called once no request is under way: finishes what still runs, then closes everything. */
  close(): Promise<void>;
  /** Ends the worker threads, whatever they are doing. False where one has not exited in time, for it is in native code. */
  readonly endThreads: (withinMs: number) => Promise<boolean>;
}

/** Longer than the wait for a row's lock (3 s), so that only a server that says nothing is taken for lost. */
const statementTimeoutMs = 4000;

/** Oldest routing, configuration or working copy in use: another process's change is in force within a second. */
const maxAgeMs = 900;

/** Levels of a request body: more than facts have, and few enough for anything that walks one by recursion. */
const maxJsonDepth = 64;

/** How often messages are looked for that no wake signal told of: those of other processes, and those due again. */
const outboxPollMs = 1000;

/** A claimed message is another process's after so many time limits of an attempt: enough for it and for its recording. */
const leaseFactor = 6;

/** Longer than a request can wait for MySQL in all its steps together. */
const databaseBudgetMs = 20_000;

/**
 * The only place that knows who gets what. Nothing has been sent anywhere when it returns.
 * @param tracing closed with the service
 */
export function compose(config: Config, log: Logger, tracing: Tracing | null = null): Service {
  let accepting = true;
  const database = openDatabase(config.databaseUrl, {
    poolSize: config.databasePool,
    acquireTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs,
  });
  const records = openDatabase(config.databaseUrl, {
    poolSize: recorderConnections,
    acquireTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs: recorderStatementMs,
    lockWaitS: 1,
  });
  const cache = config.redisUrl === null ? null : openCache(config.redisUrl, log);
  if (cache === null) log.warn('REDIS_URL is not set: the service runs without Redis, slower');
  const encryption = createEncryption(config.encryptionKey);
  const keys = createKeys({ database, encryption });
  const routing = createRouting({ database, cache, maxAgeMs });
  const configurations = createConfigurations({ database, cache, encryption, maxAgeMs });
  const workingCopies = createWorkspaceReader(database);
  const programs = createPrograms({ database, workingCopies, maxAgeMs });
  const metrics = createMetrics();
  const budget = new ByteBudget(config.maxBytesInFlight);
  // One result must not keep its workspace's next run out.
  const sizes = new ResultSizes(config.maxBytesInFlight / 16);
  const pool = createPool({ config, limits: runLimitsOf(config), log, observer: metrics.pool });
  const recorder = createRecorder({
    database,
    records,
    recordFacts: config.recordFacts,
    observer: metrics.recorder,
  });
  // A run may be repeated once on another thread; the rest is for MySQL, which is given up sooner.
  const leaseMs = (): number => config.poolMaxWaitMs + 2 * pool.settings().runTimeoutMs + databaseBudgetMs;
  const idempotency = createIdempotency({ database, encryption, leaseMs });
  const backlog = () => readBacklog(database);
  const preparation = createPreparation({ database, programs, pool });
  metrics.watch({ pool, budget, recorder, backlog, caches: { routing, configuration: configurations } });

  const transports = createTransports(config, log);
  const dispatcher = createDispatcher({
    database,
    encryption,
    transports,
    log,
    settings: {
      pollMs: outboxPollMs,
      leaseMs: leaseFactor * config.outboxTimeoutMs,
      retryDelaysMs: config.outboxRetryDelaysS.map((seconds) => seconds * 1000),
    },
  });
  const updateInquiry = createUpdateInquiry({
    database,
    encryption,
    maxPerMinute: config.outboxMaxPerMinute,
    wakeOutbox: () => dispatcher.wake(),
  });
  const verifier = createVerifier({ database, keys, ...config });
  const authenticateClient = createAuthenticateClient({ database, encryption });
  const readers = {
    readJson: createReadJson({ maxBytes: config.maxBodyBytes, maxDepth: maxJsonDepth }),
    readLarge: createReadLarge({ maxBytes: config.maxImportBytes }),
  };

  const find = createFindFaults(pool);
  const decisions = { database, check: createCheckContents(find), ...workingCopies };

  const schemasOf = createSchemas({ database, pool });
  const executions = executionRoutes({
    database,
    routing,
    programs,
    configurations,
    pool,
    sizes,
    recorder,
    idempotency,
  });

  const app = createApp({
    log,
    requests: metrics.requests,
    tracing,
    trustProxy: config.trustProxy,
    budget,
    logic: { verifier, access: createAccess({ database }), ...readers, budget },
    logicRoutes: [
      ...environmentRoutes({ database, routing }),
      ...decisionRoutes({ ...decisions, pool, programs }),
      ...versionRoutes({ ...decisions, pool, programs }),
      ...importRoutes({ database, pool, find, programs }),
      ...modelRoutes({ pool, programs, schemasOf }),
      ...openApiRoutes({ database, routing, schemasOf, routes: executions }),
      ...draftRoutes({ ...decisions, pool, sizes }),
      ...variableRoutes({ database, encryption, configurations }),
      ...deploymentRoutes({ database, routing }),
      ...historyRoutes({ database }),
      ...auditRoutes({ database }),
      ...evaluationRoutes({ programs, pool, sizes, recorder }),
      ...executions,
    ],
    clients: { verifyClient: createVerifyClient({ verifier, authenticateClient }), ...readers, budget },
    principalRoutes: workspaceRoutes({ database }),
    clientRoutes: inquiryRoutes({ database, encryption, updateInquiry }),
    oauth: createOAuthRouter({ authenticateClient, keys, budget, ...config }),
  });

  return {
    app,
    administered: administerProcess({
      database,
      cache,
      pool,
      budget,
      metrics: metrics.registry,
      accepting: () => accepting,
    }),
    async ready() {
      await pool.ready();
      await preparation.start();
    },
    start: () => dispatcher.start(),
    stopAccepting() {
      accepting = false;
      preparation.stop();
      void dispatcher.stop();
    },
    endThreads: (withinMs) => pool.endThreads(withinMs),
    async close() {
      await pool.drain();
      await recorder.drain();
      await dispatcher.stop();
      transports.close();
      metrics.close();
      cache?.close();
      await tracing?.close();
      await Promise.all([database.destroy(), records.destroy()]);
    },
  };
}
