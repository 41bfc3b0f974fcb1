import { Registry } from 'prom-client';
import type { RequestObserver } from '../../http/server/requestLifecycle.js';
import type { BytesStatus } from '../../admission/byteBudget.js';
import type { Backlog } from '../../outbox/backlog.js';
import type { PoolStatus } from '../../admission/pool/settings.js';
import type { Recorder } from '../../runs/recorder.js';
import type { RecorderObserver } from '../../runs/recorder/options.js';
import { analysisMetrics } from './analyses.js';
import { bytesMetrics } from './bytes.js';
import type { WaitingErasures } from '../../erasures/waiting.js';
import { decisionMetrics, type DecisionMetrics } from './decisions.js';
import { erasureMetrics } from './erasures.js';
import { findingMetrics } from './evidence.js';
import { outboxMetrics } from './outbox.js';
import { poolMetrics } from './pool.js';
import { PoolCounts } from './poolCounts.js';
import { processMetrics } from './process.js';
import { requestMetrics, type DeclaredOperation } from './requests.js';
import { cacheMetrics, recorderMetrics, type Hits } from './stores.js';

/** What is read when the metrics are scraped. */
interface Watched {
  readonly pool: { status(): PoolStatus };
  readonly budget: { status(): BytesStatus };
  readonly recorder: Recorder;
  readonly backlog: () => Promise<Backlog>;
  readonly erasures: () => Promise<WaitingErasures>;
  readonly findings: () => Promise<number>;
  readonly caches: Readonly<Record<string, { readonly hits: Hits }>>;
}

/** All metrics of one process. Each part is handed to the room whose work it measures. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: RequestObserver;
  readonly pool: PoolCounts;
  readonly recorder: RecorderObserver;
  /** Is told of each execution that was recorded. */
  readonly decisions: DecisionMetrics;
  /** Counts what analyses had proved and the engine did not show. */
  readonly unconfirmed: (count: number) => void;
  /** Has requests of these operations counted from 0 on. */
  declare(operations: readonly DeclaredOperation[]): void;
  /** To be called once everything is constructed: from then on its state is part of the metrics. */
  watch(watched: Watched): void;
  close(): void;
}

/**
 * A registry of its own, so that several services can live in one process. No label holds an id, but those of decisions.
 * @param maxDecisions decisions with metrics of their own
 */
export function createMetrics(maxDecisions: number): Metrics {
  const registry = new Registry();
  let watched: Watched | undefined;
  const stop = processMetrics(registry);
  const requests = requestMetrics(registry);
  const pool = new PoolCounts(poolMetrics(registry, () => watched?.pool.status()));
  const unconfirmed = analysisMetrics(registry);
  bytesMetrics(registry, () => watched?.budget.status());
  const recorder = recorderMetrics(registry, () => watched?.recorder);
  const decisions = decisionMetrics(registry, maxDecisions);
  outboxMetrics(registry, () => watched?.backlog());
  erasureMetrics(registry, () => watched?.erasures());
  findingMetrics(registry, () => watched?.findings());
  cacheMetrics(registry, () =>
    Object.fromEntries(Object.entries(watched?.caches ?? {}).map(([name, { hits }]) => [name, hits])),
  );
  return {
    declare: (operations) => requests.declare(operations),
    registry,
    requests,
    pool,
    recorder,
    decisions,
    unconfirmed,
    watch: (all) => (watched = all),
    close: stop,
  };
}
