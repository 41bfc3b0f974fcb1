import type { Administered, CapacityStatus, PoolsStatus, Readiness } from '../admin/administered.js';
import type { Quantiles } from '../admin/metrics/pool.js';
import { changedSettings, type PoolChanges, type PoolSettings } from '../admission/pool/settings.js';
import type { Child } from './child.js';
import type { ProcessGroup } from './processGroup.js';
import type { Answers, Question } from './messages.js';
import { AggregatedMetrics } from './metrics.js';

interface AggregateOptions {
  readonly group: ProcessGroup;
  /** The settings in force; processes that start later get the changed ones. */
  readonly settings: { get(): PoolSettings; set(settings: PoolSettings): void };
  readonly accepting: () => boolean;
}

/** Several processes, asked as one. */
interface AdministeredGroup extends Administered {
  pool(): Promise<PoolsStatus>;
}

/** All server processes as one, for the admin port. */
export function administerAll({ group, settings, accepting }: AggregateOptions): AdministeredGroup {
  const metrics = new AggregatedMetrics(group);
  return {
    async readiness() {
      if (!accepting()) return { phase: 'draining', ...best([]) };
      if (group.serving.length === 0) return { phase: 'starting', ...best([]) };
      const all = (await askAll(group, 'readiness')).map(({ answer }) => answer);
      return {
        phase: all.length > 0 && all.every(({ phase }) => phase === 'draining') ? 'draining' : 'serving',
        ...best(all),
      };
    },
    async pool() {
      const all = await askAll(group, 'pool');
      return sumOf(
        settings.get(),
        all.map(({ child, answer }) => ({ pid: child.pid, ...answer })),
      );
    },
    metrics: () => metrics.read(),
    resize(changes: PoolChanges) {
      settings.set(changedSettings(settings.get(), changes));
      group.tell({ kind: 'resize', changes });
      return Promise.resolve();
    },
  };
}

async function askAll<Q extends Question>(
  group: ProcessGroup,
  question: Q,
): Promise<{ readonly child: Child; readonly answer: Answers[Q] }[]> {
  const answers = await Promise.all(group.serving.map(async (child) => ({ child, answer: await child.ask(question) })));
  return answers.flatMap(({ child, answer }) => (answer === undefined ? [] : [{ child, answer }]));
}

const nobody: Readiness = { phase: 'starting', mysql: 'unknown', redis: 'unknown' };

/** A dependency that any process reaches is `ok`; unknown where no process answered. */
function best(all: readonly Readiness[]): Omit<Readiness, 'phase'> {
  const [first = nobody] = all;
  const held = all.find(({ bytes }) => bytes === 'held');
  const { mysql, fault } = all.find((each) => each.mysql === 'ok') ?? first;
  const reason = fault ?? held?.fault;
  return {
    mysql,
    redis: all.some(({ redis }) => redis === 'ok') ? 'ok' : first.redis,
    // One process that holds on to its bytes is enough: it refuses its share of all requests.
    ...(held === undefined ? {} : { bytes: 'held' as const }),
    ...(all.some(({ evidence }) => evidence !== undefined) ? { evidence: 'evidence_behind' as const } : {}),
    ...(reason === undefined ? {} : { fault: reason }),
  };
}

const counted = [
  'threads',
  'busy',
  'idle',
  'waiting',
  'served',
  'rejected',
  'timedOut',
  'restarts',
  'bytesInFlight',
  'maxBytesInFlight',
  'bytesRefused',
  'bytesHeldAfterEnd',
] as const;

function sumOf(settings: PoolSettings, processes: PoolsStatus['processes']): PoolsStatus {
  const sum = (valueOf: (status: CapacityStatus) => number): number =>
    processes.reduce((total, status) => total + valueOf(status), 0);
  const counts = Object.fromEntries(counted.map((name) => [name, sum((status) => status[name])])) as Record<
    (typeof counted)[number],
    number
  >;
  return {
    ...counts,
    ...settings,
    waitMs: worst(processes.map(({ waitMs }) => waitMs)),
    runMs: worst(processes.map(({ runMs }) => runMs)),
    memory: {
      rss: sum(({ memory }) => memory.rss),
      heapUsed: sum(({ memory }) => memory.heapUsed),
      external: sum(({ memory }) => memory.external),
    },
    processes,
  };
}

/** Quantiles can't be added; the worst process's are an upper bound. */
const worst = (all: readonly Quantiles[]): Quantiles => ({
  p50: Math.max(0, ...all.map(({ p50 }) => p50)),
  p99: Math.max(0, ...all.map(({ p99 }) => p99)),
});
