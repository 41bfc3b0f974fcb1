import cluster from 'node:cluster';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { administerProcess, capacityOf, ownPools, type Administered } from './admin/administered.js';
import { createMetrics } from './admin/metrics/metrics.js';
import { poolRoutes } from './admin/pool.routes.js';
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
import { createSealingLease } from './encryption/sealingLease.js';
import { createConfigurations } from './environments/configurations.js';
import { environmentRoutes } from './environments/environments.routes.js';
import { variableRoutes } from './environments/variables.routes.js';
import { createReadJson } from './http/body/body.js';
import { createReadItems } from './http/body/itemsBody.js';
import { createReadText } from './http/body/jsonText.js';
import { createReadLarge } from './http/body/largeBody.js';
import { providerOf } from './http/console/page.js';
import { TimeSlices } from './http/body/timeSlices.js';
import { ByteBudget } from './http/body/byteBudget.js';
import type { RequestState } from './http/server/context.js';
import { createAuthenticateClient } from './oauth/authenticateClient.js';
import { createKeys } from './oauth/keys.js';
import { createOAuthRouter } from './oauth/oauth.routes.js';
import { createVerifier } from './oauth/verify.js';
import { createVerifyClient } from './oauth/verifyClient.js';
import { Pool } from './pool/pool.js';
import { inquiryRoutes } from './inquiries/inquiries.routes.js';
import { createUpdateInquiry } from './inquiries/update.js';
import { readBacklog } from './outbox/backlog.js';
import { createDispatcher } from './outbox/dispatcher.js';
import { createTransports } from './outbox/transports.js';
import { replayRoutes } from './replays/replays.routes.js';
import { createReplayRunner } from './replays/runner.js';
import { createShadows } from './replays/shadows.js';
import { shadowRoutes } from './replays/shadows.routes.js';
import { Stopping } from './runs/batches/batches.js';
import { batchRoutes } from './runs/batches/batches.routes.js';
import { createItemKeys } from './runs/batches/itemKeys.js';
import { Lanes } from './runs/batches/places.js';
import { draftRoutes } from './runs/drafts.routes.js';
import { evaluationRoutes } from './runs/evaluations.routes.js';
import { executionRoutes } from './runs/executions.routes.js';
import { historyRoutes } from './runs/history.routes.js';
import { createIdempotency } from './runs/idempotency.js';
import { modelWorkInTurns } from './decisions/writing/turns.js';
import { LargeWork, patientMs } from './turns/largeWork.js';
import { LiveWork } from './turns/liveWork.js';
import { createRecorder, recorderConnections, recorderStatementMs } from './runs/recorder.js';
import { openApiRoutes } from './runs/openapi.routes.js';
import { ResultSizes } from './runs/resultSizes.js';
import { openDatabase } from './storage/database.js';
import { createEncryption } from './storage/encryption.js';
import { openCache } from './storage/redis.js';
import { askPools } from './supervise/childAgent.js';
import type { Tracing } from './tracing/requestTrace.js';
import { createAccess } from './workspaces/access.js';
import { workspaceRoutes } from './workspaces/workspaces.routes.js';

export interface Service {
  /** Resolves when the first worker threads can run. */
  ready(): Promise<void>;
  readonly app: Koa<RequestState>;
  /** What the admin port administers. */
  readonly administered: Administered;
  /** Begins to send the outbox's messages. */
  start(): void;
  /** Makes `/readyz` fail, so that a load balancer stops sending requests, and stops claiming messages. */
  stopAccepting(): void;
  /** To be called once no request is under way: finishes what still runs, then closes everything. */
  close(): Promise<void>;
  /**
   * Ends the worker threads, whatever they are doing. False where one has not exited in time, because it is in native
   * code.
   */
  readonly endThreads: (withinMs: number) => Promise<boolean>;
}

/** Longer than the wait for a row lock (3 s), so that only a silent server is taken for lost. */
const statementTimeoutMs = 4000;

/**
 * Greatest age of a routing, configuration or working copy in use, in milliseconds: another process's change takes
 * effect within a second.
 */
const maxAgeMs = 900;

/** Most levels of a request body: more than facts have, and few enough for recursive walks. */
const maxJsonDepth = 64;

/** How often the outbox is polled for messages without a wake signal: those of other processes, and those due again. */
const outboxPollMs = 1000;

/**
 * The lease of a claimed message, as a multiple of an attempt's time limit: enough for the attempt and for recording
 * its outcome.
 */
const leaseFactor = 6;

/** How often replays are looked for that other processes started, and counts of shadows are written. */
const replayPollMs = 1000;
/** A replay is another process's after that, in milliseconds: several times what a case may take. */
const replayLeaseMs = (pool: Pool): number => 20_000 + 4 * pool.settings().runTimeoutMs;

/** More milliseconds than a request can wait for MySQL in all its steps together. */
const databaseBudgetMs = 20_000;

/**
 * The only wiring of dependencies. Opens no connection before it returns.
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
  const encryption = createEncryption(config.encryptionKey, config.encryptionKeysPrevious);
  const sealing = createSealingLease({ database, encryption });
  const keys = createKeys({ database, encryption });
  const routing = createRouting({ database, cache, maxAgeMs });
  const configurations = createConfigurations({ database, cache, encryption, maxAgeMs });
  const workingCopies = createWorkspaceReader(database);
  const programs = createPrograms({ database, workingCopies, maxAgeMs });
  const metrics = createMetrics();
  const budget = new ByteBudget(config.maxBytesInFlight);
  // Bounds an estimate, so that one large result does not exclude its workspace's next run.
  const sizes = new ResultSizes(config.maxBytesInFlight / 16);
  const pool = new Pool({ config, limits: runLimitsOf(config), log, observer: metrics.pool });
  const capacity = () => capacityOf(pool, metrics.pool, budget);
  const live = new LiveWork();
  const large = new LargeWork({ live, maxWaitMs: config.poolMaxWaitMs });
  const recorder = createRecorder({
    database,
    records,
    large,
    recordFacts: config.recordFacts,
    observer: metrics.recorder,
  });
  // A run may be repeated once on another thread; the rest is for MySQL, whose limits are shorter.
  const leaseMs = (): number => config.poolMaxWaitMs + 2 * pool.settings().runTimeoutMs + patientMs + databaseBudgetMs;
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
  const slices = new TimeSlices(large);
  const readText = createReadText({ maxDepth: maxJsonDepth, slices });
  const readers = {
    readJson: createReadJson({ maxBytes: config.maxBodyBytes, readText }),
    readLarge: createReadLarge({ maxBytes: config.maxImportBytes }),
    readItems: createReadItems({
      readLarge: createReadLarge({ maxBytes: config.maxBatchBytes }),
      maxBytes: config.maxBatchBytes,
      maxItemBytes: config.maxBodyBytes,
      maxDepth: maxJsonDepth,
      slices,
    }),
  };

  const models = modelWorkInTurns(pool, large);
  const find = createFindFaults(models);
  const decisions = { database, check: createCheckContents(find), ...workingCopies };

  const schemasOf = createSchemas({ database, pool });
  const comparing = { database, programs, configurations, pool, log };
  const runner = createReplayRunner({ ...comparing, settings: { pollMs: replayPollMs, leaseMs: replayLeaseMs(pool) } });
  const shadows = createShadows({ ...comparing, pollMs: replayPollMs });
  const running = { database, routing, programs, configurations, pool, sizes, recorder, idempotency, shadows };
  const executions = executionRoutes({ ...running, live });
  const stopping = new Stopping();
  const batches = batchRoutes({
    ...running,
    itemKeys: createItemKeys({ database, encryption, recorder, idempotency, shadows, log }),
    // Threads are kept busy by one turn each and one that waits.
    lanes: new Lanes(() => pool.settings().maxThreads + 1, live),
    readText,
    maxItemBytes: config.maxBodyBytes,
    stopping,
    log,
  });

  const app = createApp({
    log,
    requests: metrics.requests,
    tracing,
    trustProxy: config.trustProxy,
    consoleProvider: providerOf(config),
    budget,
    logic: { verifier, access: createAccess({ database }), ...readers, budget, large },
    logicRoutes: [
      ...environmentRoutes({ database, routing }),
      ...decisionRoutes({ ...decisions, pool, programs }),
      ...versionRoutes({ ...decisions, pool, programs }),
      ...importRoutes({ database, pool: models, find, large, programs }),
      ...modelRoutes({ pool, programs, schemasOf }),
      ...openApiRoutes({ database, routing, schemasOf, routes: executions }),
      ...draftRoutes({ ...decisions, pool, sizes }),
      ...variableRoutes({ database, encryption, configurations }),
      ...deploymentRoutes({ database, routing }),
      ...historyRoutes({ database, encryption, programs, pool, sizes }),
      ...replayRoutes({ database, pool, runner }),
      ...shadowRoutes({ database, pool, shadows }),
      ...auditRoutes({ database }),
      // A process of a group speaks for all of them, as the admin port does.
      ...poolRoutes(cluster.isWorker ? askPools : () => Promise.resolve(ownPools(capacity()))),
      ...evaluationRoutes({ programs, pool, sizes, recorder }),
      ...executions,
      ...batches,
    ],
    clients: { verifyClient: createVerifyClient({ verifier, authenticateClient }), ...readers, budget, large },
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
      capacity,
      metrics: metrics.registry,
      accepting: () => accepting,
    }),
    async ready() {
      await Promise.all([pool.ready(), sealing.start()]);
      await preparation.start();
    },
    start() {
      dispatcher.start();
      runner.start();
      shadows.start();
    },
    stopAccepting() {
      accepting = false;
      stopping.begin();
      preparation.stop();
      void dispatcher.stop();
      void runner.stop();
    },
    endThreads: (withinMs) => pool.endThreads(withinMs),
    async close() {
      await Promise.all([runner.stop(), shadows.stop()]);
      await pool.drain();
      await recorder.drain();
      await dispatcher.stop();
      transports.close();
      metrics.close();
      cache?.close();
      await tracing?.close();
      await sealing.stop();
      await Promise.all([database.destroy(), records.destroy()]);
    },
  };
}
