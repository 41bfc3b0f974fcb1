import { Counter, type Registry } from 'prom-client';
import type { BytesStatus } from '../../admission/byteBudget.js';
import type { PoolStatus } from '../../admission/pool/settings.js';
import type { CacheLayer } from '../../cache/sharedCache.js';
import type { WaitingErasures } from '../../erasures/erasures.store.js';
import type { Backlog } from '../../outbox/backlog.js';
import type { Recorder } from '../../runs/recorder.js';
import { createCounters, createDatabaseGauges, createGauges } from './gauges.js';

/** What is read when the metrics are scraped. */
export interface Watched {
  readonly pool: { status(): PoolStatus };
  readonly budget: { status(): BytesStatus };
  readonly recorder: Recorder;
  readonly backlog: () => Promise<Backlog>;
  readonly erasures: () => Promise<WaitingErasures>;
  /** How much the last checks of evidence have found. */
  readonly findings: () => Promise<number>;
  readonly caches: Readonly<Record<string, { readonly hits: Readonly<Record<CacheLayer, number>> }>>;
}

/** Metrics of what rooms count by themselves, and of what stands in the database. @param watched undefined until it exists */
export function watchedMetrics(registry: Registry, watched: () => Watched | undefined): void {
  bytesMetrics(registry, () => watched()?.budget.status());
  recorderCounts(registry, () => watched()?.recorder);
  outboxMetrics(registry, () => watched()?.backlog());
  erasureMetrics(registry, () => watched()?.erasures());
  findingMetrics(registry, () => watched()?.findings());
  cacheMetrics(registry, () => watched()?.caches ?? {});
}

function bytesMetrics(registry: Registry, status: () => BytesStatus | undefined): void {
  const gauge = createGauges(registry, status);
  gauge(
    'verdict_bytes_in_flight',
    'Bytes that requests hold, from the first of a body to the last of the answer.',
    ({ bytesInFlight }) => bytesInFlight,
  );
  gauge('verdict_bytes_in_flight_limit', 'Bytes that they may hold.', ({ maxBytesInFlight }) => maxBytesInFlight);
  gauge(
    'verdict_bytes_held_after_end',
    'Bytes that are held although the request that they were reserved for ended minutes ago: always 0, unless there is a bug.',
    ({ bytesHeldAfterEnd }) => bytesHeldAfterEnd,
  );
  createCounters(registry, status)(
    'verdict_bytes_refused_total',
    'Requests refused since their workspace held too many bytes.',
    ({ bytesRefused }) => bytesRefused,
  );
}

function recorderCounts(registry: Registry, recorder: () => Recorder | undefined): void {
  const counter = createCounters(registry, recorder);
  counter(
    'verdict_recorder_dropped_evaluations_total',
    'Evaluations that were not recorded, since too many waited or MySQL refused.',
    ({ counts }) => counts.droppedEvaluations,
  );
  counter(
    'verdict_recorder_refused_executions_total',
    'Executions refused before they ran, since their record could not be written soon.',
    ({ counts }) => counts.refusedExecutions,
  );
  counter(
    'verdict_recorder_repeated_statements_total',
    'Statements repeated after a lost connection or a lock.',
    ({ counts }) => counts.losses + counts.contentions,
  );
  createGauges(registry, recorder)(
    'verdict_recorder_waiting_rows',
    'Executions whose record waits for its statement.',
    ({ waiting }) => waiting,
  );
}

function outboxMetrics(registry: Registry, readBacklog: () => Promise<Backlog> | undefined): void {
  const gauge = createDatabaseGauges(registry, readBacklog);
  gauge(
    'verdict_outbox_messages',
    'Messages that wait to be sent (pending) or were given up (dead).',
    ({ pending, dead }) => ({ pending, dead }),
  );
  gauge(
    'verdict_outbox_oldest_age_seconds',
    'Time since the oldest message that waits was queued.',
    ({ oldestMs }) => ({ pending: oldestMs / 1000 }),
  );
}

function erasureMetrics(registry: Registry, readWaiting: () => Promise<WaitingErasures> | undefined): void {
  const gauge = createDatabaseGauges(registry, readWaiting);
  gauge('verdict_erasures_waiting', 'Erasures that were asked for and are not done.', ({ count }) => ({ '': count }));
  gauge('verdict_erasures_oldest_age_seconds', 'Time since the oldest of them was asked for.', ({ oldestMs }) => ({
    '': oldestMs / 1000,
  }));
}

function findingMetrics(registry: Registry, countFindings: () => Promise<number> | undefined): void {
  const gauge = createDatabaseGauges(registry, countFindings);
  const help = 'What the last check of each workspace has found that is not as it was recorded.';
  gauge('verdict_evidence_findings', help, (count) => ({ '': count }));
}

/** How often each cache answered, and from where. */
function cacheMetrics(registry: Registry, caches: () => Watched['caches']): void {
  new Counter({
    name: 'verdict_cache_reads_total',
    help: 'Reads of a cache, by the layer that had the answer.',
    labelNames: ['cache', 'layer'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { hits }] of Object.entries(caches())) {
        for (const [layer, count] of Object.entries(hits)) this.inc({ cache, layer }, count);
      }
    },
  });
}
