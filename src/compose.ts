import cluster from 'node:cluster';
import { sheetLimits, type ModelWork } from '../workers/models/index.js';
import type { Logger } from 'pino';
import { administerProcess, capacityOf, ownPools } from './admin/administered.js';
import { createDatabaseHealth } from './admin/databaseHealth.js';
import { createAnalyse } from './analyses/analyse.js';
import { registerEvidenceMetrics } from './admin/metrics/evidence.js';
import { createMetrics } from './admin/metrics/metrics.js';
import { routesOf } from './routes.js';
import { createApp } from './app.js';
import { composeBackground } from './background.js';
import type { Config } from './config/config.js';
import { consoleBelow, hostsOfModels } from './config/addresses.js';
import { runLimitsOf } from './config/limits.js';
import { maxModelBody } from './decisions/limits.js';
import { createFindDiagnostics } from './decisions/writing/checkContents.js';
import { createWorkspaceReader } from './decisions/workspaceReader.js';
import { createSchemas } from './decisions/programs/schemas.js';
import { createReadBundle } from './decisions/programs/bundles.js';
import { Programs } from './decisions/programs/programs.js';
import { createPreparation } from './deployments/preparation.js';
import { Routing } from './deployments/routing.js';
import { countOpenFindings } from './evidence/checks/findings.store.js';
import { evidenceKeysRoute } from './evidence/evidence.routes.js';
import { readWaitingErasures } from './erasures/erasures.store.js';
import { createSealingLease } from './encryption/sealingLease.js';
import { createConfigurations } from './environments/configurations.js';
import { createReadJson } from './http/body/body.js';
import { createReadItems } from './http/body/itemsBody.js';
import { createReadText, maxJsonDepth } from './http/body/jsonText.js';
import { createReadFile } from './http/body/fileBody.js';
import { createReadLarge } from './http/body/largeBody.js';
import { providerOf } from './api/console/page.js';
import { Owners } from './admission/owners.js';
import { ByteBudget, ExpectedBytes } from './admission/byteBudget.js';
import { createAuthenticateClient } from './oauth/authenticateClient.js';
import { createKeys } from './oauth/keys.js';
import { oauthRoutes } from './oauth/oauth.routes.js';
import { protectedResourceRoute } from './oauth/protectedResource.js';
import { createVerifier } from './oauth/verify.js';
import { createRates } from './rates/rates.js';
import { createVerifyClient } from './oauth/verifyClient.js';
import { Pool } from './admission/pool/pool.js';
import { createUpdateInquiry } from './inquiries/update.js';
import { readBacklog } from './outbox/backlog.js';
import { createDispatcher } from './outbox/dispatcher.js';
import { createTransports, postSettings } from './outbox/transports.js';
import { Stopping } from './runs/batches/batches.js';
import { createOpenStream } from './runs/batches/openStream.js';
import { createIdempotency } from './runs/idempotency.js';
import { createFailureEvents } from './runs/failureEvents.js';
import { createRecorder, recorderConnections } from './runs/recorder.js';
import { newBody, partOfRequest, Scheduler } from './admission/scheduler.js';
import { Semaphores } from './admission/semaphore.js';
import { openDatabase } from './storage/database.js';
import { createEncryption } from './storage/encryption.js';
import { withoutOutages } from './storage/outage.js';
import { openCache } from './storage/redis.js';
import { askPools } from './supervise/childAgent.js';
import { closeAll, type Service } from './lifecycle.js';
import type { Tracing } from './tracing/requestTrace.js';
import { createAccess } from './workspaces/access.js';

/**
 * The lease of a claimed message, as a multiple of an attempt's time limit: enough for the attempt and for recording
 * its outcome.
 */
const leaseFactor = 6;

/** All steps of a request together wait for MySQL less long than this, in milliseconds. */
const databaseBudgetMs = 20_000;

/**
 * The only wiring of dependencies. Opens no connection before it returns.
 * @param tracing closed with the service
 */
export function compose(config: Config, log: Logger, tracing: Tracing | null = null): Service {
  const quietLog = withoutOutages(log);
  let accepting = true;
  const { pace } = config;
  const maxAgeMs = pace.routingAge;
  const database = openDatabase(config.databaseUrl, {
    poolSize: config.databasePool,
    acquireTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs: pace.statement,
    lockWaitS: Math.ceil(pace.lock / 1000),
  });
  const records = openDatabase(config.databaseUrl, {
    poolSize: recorderConnections,
    acquireTimeoutMs: config.databaseTimeoutMs,
    statementTimeoutMs: pace.recorderStatement,
    lockWaitS: Math.ceil(pace.recorderLock / 1000),
  });
  const cache = config.redisUrl === null ? null : openCache(config.redisUrl, log);
  if (cache === null) log.warn('REDIS_URL is not set: the service runs without Redis, slower');
  const encryption = createEncryption(config.encryptionKey, config.encryptionKeysPrevious);
  const sealing = createSealingLease({ database, encryption });
  const health = createDatabaseHealth({ database, encryption, lease: sealing, log });
  const keys = createKeys({ database, encryption });
  const routing = new Routing({ database, cache, maxAgeMs });
  const privateHosts = hostsOfModels(config);
  const configurations = createConfigurations({ database, cache, encryption, privateHosts, maxAgeMs });
  const workingCopies = createWorkspaceReader(database);
  const owners = new Owners();
  const budget = new ByteBudget(config.maxBytesInFlight, owners, config.poolMaxWaitMs);
  const readBundle = createReadBundle({ database, budget });
  const programs = new Programs({ database, readBundle, workingCopies, maxAgeMs });
  const metrics = createMetrics(config.metricsDecisions);
  // Bounds an estimate, so that one large result does not exclude its workspace's next run.
  const sizes = new ExpectedBytes(config.maxBytesInFlight / 16);
  const pool = new Pool({ config, budget, limits: runLimitsOf(config), log, observer: metrics.pool });
  const capacity = () => capacityOf(pool, metrics.pool, budget);
  const scheduler = new Scheduler({ maxWaitMs: config.poolMaxWaitMs, owners });
  // A run may be repeated once on another thread; the rest is for MySQL, whose limits are shorter.
  const leaseMs = (): number =>
    config.poolMaxWaitMs + 2 * pool.settings().runTimeoutMs + partOfRequest.maxWaitMs + databaseBudgetMs;
  const idempotency = createIdempotency({ database, encryption, leaseMs });
  const preparation = createPreparation({ database, programs, pool, log: quietLog, pollMs: pace.preparationPoll });

  const transports = createTransports(config, log);
  const dispatcher = createDispatcher({
    database,
    encryption,
    transports,
    log: quietLog,
    settings: {
      pollMs: pace.outboxPoll,
      leaseMs: leaseFactor * config.outboxTimeoutMs,
      retryDelaysMs: config.outboxRetryDelaysS.map((seconds) => seconds * 1000),
      consoleUrl: consoleBelow(config.issuer),
    },
  });
  const rates = createRates(cache);
  const verifier = createVerifier({ database, keys, rates, log, maxAgeMs: pace.accessAge, ...config });
  const authenticateClient = createAuthenticateClient({ database, encryption, maxAgeMs: pace.accessAge });
  const work: ModelWork['work'] = (owner, task) => scheduler.yieldToLive(owner, () => pool.work(owner, task));
  const models = { work };
  // Reads large bodies. Nothing was done with them yet, so they are refused where others' executions leave no time for them.
  const refusable: ModelWork = {
    work: (owner, task) => scheduler.yieldToLive(owner, () => pool.work(owner, task), newBody),
  };
  const readText = createReadText({ maxDepth: maxJsonDepth, models: refusable });
  const readers = {
    readJson: createReadJson({ maxBytes: config.maxBodyBytes, readText }),
    readModel: createReadJson({ maxBytes: maxModelBody(config), readText }),
    readLarge: createReadLarge({ maxBytes: config.maxImportBytes }),
    readFile: createReadFile({ maxBytes: sheetLimits.fileBytes }),
    readItems: createReadItems({
      readLarge: createReadLarge({ maxBytes: config.maxBatchBytes }),
      maxBytes: config.maxBatchBytes,
      maxItemBytes: config.maxBodyBytes,
      models,
    }),
  };

  const analyse = createAnalyse({ models, unconfirmed: metrics.unconfirmed });
  const find = createFindDiagnostics(models, workingCopies.namesOf);
  const schemasOf = createSchemas({ programs, models: pool });
  const common = {
    ...{ database, encryption, log: quietLog },
    ...{ budget, scheduler, pool, models },
    ...{ analyse, programs, configurations },
  };
  const background = composeBackground({ ...common, config, leaseMs });
  const recorder = createRecorder({
    database,
    records,
    scheduler,
    owners,
    recordFacts: config.recordFacts,
    giveUpAfterMs: pace.recorderGiveUp,
    observers: [createFailureEvents(database), background.measures, metrics.decisions, background.shadows],
    observer: metrics.recorder,
  });
  metrics.watch({
    ...{ pool, budget, recorder },
    backlog: () => readBacklog(database),
    erasures: () => readWaitingErasures(database),
    findings: () => countOpenFindings(database),
    caches: { routing, configuration: configurations },
  });
  const stopping = new Stopping();
  const sending = { maxPerMinute: config.outboxMaxPerMinute, wakeOutbox: () => dispatcher.wake() };
  const updateInquiry = createUpdateInquiry({ database, encryption, ...sending });
  const api = routesOf({
    ...common,
    find,
    schemasOf,
    ...workingCopies,
    routing,
    sizes,
    recorder,
    idempotency,
    ...background,
    updateInquiry,
    flowUrl: config.inquiryUrl,
    issuer: config.issuer,
    posting: postSettings(config),
    ...sending,
    readText,
    stopping,
    readBundle,
    openStream: createOpenStream(owners),
    chunkSlots: new Semaphores(() => pool.settings().maxThreads + 1),
    maxItemBytes: config.maxBodyBytes,
    maxModelBytes: config.maxModelBytes,
    // A process of a group speaks for all of them, as the admin port does.
    readPools: cluster.isWorker ? askPools : () => Promise.resolve(ownPools(capacity())),
  });

  metrics.declare(api.routes);
  registerEvidenceMetrics(metrics.registry, background.evidenceState);

  const app = createApp({
    log,
    requests: metrics.requests,
    tracing,
    trustProxy: config.trustProxy,
    consoleProvider: providerOf(config),
    api,
    oauth: [
      ...oauthRoutes({ authenticateClient, keys, budget, ...config }),
      protectedResourceRoute(config),
      evidenceKeysRoute(background.evidence),
    ],
    issuer: config.issuer,
    ...{ verifier, verifyClient: createVerifyClient({ verifier, authenticateClient, rates }) },
    ...{ access: createAccess({ database, rates, owners, maxAgeMs: pace.accessAge }), rates, budget, scheduler },
    ...readers,
  });

  return {
    app,
    administered: administerProcess({
      health,
      cache,
      pool,
      capacity,
      metrics: metrics.registry,
      refusedTrees: background.evidenceState.refused,
      accepting: () => accepting,
    }),
    async ready() {
      await Promise.all([pool.ready(), health.start()]);
      await preparation.start();
    },
    start() {
      dispatcher.start();
      background.start();
    },
    stopAccepting() {
      accepting = false;
      stopping.begin();
      preparation.stop();
      void dispatcher.stop();
      background.stopAccepting();
    },
    endThreads: (withinMs) => pool.endThreads(withinMs),
    async close() {
      await closeAll([
        () => background.stop(),
        () => pool.drain(),
        () => recorder.drain(),
        () => background.close(),
        () => dispatcher.stop(),
        () => transports.close(),
        () => metrics.close(),
        () => cache?.close(),
        () => tracing?.close(),
        () => health.stop(),
        () => sealing.stop(),
        () => database.destroy(),
        () => records.destroy(),
      ]);
    },
  };
}
