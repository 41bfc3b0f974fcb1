import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.js';
import type { Pool, PoolNumbers } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { Plot } from '../parts/plot.js';
import { Loading, PageFrame, shortened } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useAgain } from '../parts/usePaused.js';
import { useSession } from '../shell/session.js';

/** What was seen of the pool at one moment. */
interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly pool: Pool;
}

/** Ten minutes. */
const maxSamples = 600;

/** The worker pool as it is, and as it was since the page was opened. */
export function PoolPage() {
  const { samples, failure } = useSamples();
  const last = samples.at(-1);
  return (
    <PageFrame title="Pool">
      <Failure error={failure} />
      {last === undefined ? (
        failure === null && <Loading />
      ) : (
        <>
          <Settings pool={last.pool} />
          <Plots samples={samples} />
          <Processes pool={last.pool} />
        </>
      )}
    </PageFrame>
  );
}

function useSamples(): { readonly samples: readonly Sample[]; readonly failure: unknown } {
  const { api } = useSession();
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const loaded = useLoaded((signal) => api.ask('GET /logic/pool', {}, signal), [api]);
  const { value: pool, at, error } = loaded;
  useEffect(() => {
    if (pool !== null && at !== null) setSamples((before) => [...before.slice(1 - maxSamples), { at, pool }]);
  }, [pool]);
  // What is refused once would be refused again.
  useAgain(loaded, !(error instanceof ApiError && error.status === 403));
  return { samples, failure: error };
}

const Settings = ({ pool }: { readonly pool: Pool }) => (
  <p class="soft">
    Each process: {pool.minThreads} to {pool.maxThreads} threads, a queue of {pool.maxQueue}, {pool.runTimeoutMs} ms a
    run. The operator changes them by <code>make pool-resize</code>.
  </p>
);

function Plots({ samples }: { readonly samples: readonly Sample[] }) {
  const times = samples.map(({ at }) => at);
  const now = (value: (pool: Pool) => number): number[] => samples.map(({ pool }) => value(pool));
  const rates = (value: (pool: Pool) => number): number[] => rateOf(samples, value);
  return (
    <div class="columns">
      <Plot
        title="Throughput"
        unit="/s"
        times={times}
        series={[
          { label: 'served', colour: '--accent', values: rates(({ served }) => served) },
          { label: 'rejected', colour: '--bad', values: rates(({ rejected }) => rejected) },
        ]}
      />
      <Plot
        title="Threads"
        unit=""
        times={times}
        series={[
          { label: 'busy', colour: '--accent', values: now(({ busy }) => busy) },
          { label: 'there', colour: '--soft', values: now(({ threads }) => threads) },
          { label: 'runs waiting', colour: '--warn', values: now(({ waiting }) => waiting) },
        ]}
      />
      <Plot
        title="Wait for a thread"
        unit="ms"
        times={times}
        series={[
          { label: 'p50', colour: '--accent', values: now(({ waitMs }) => waitMs.p50) },
          { label: 'p99', colour: '--warn', values: now(({ waitMs }) => waitMs.p99) },
        ]}
      />
      <Plot
        title="Time of a run"
        unit="ms"
        times={times}
        series={[
          { label: 'p50', colour: '--accent', values: now(({ runMs }) => runMs.p50) },
          { label: 'p99', colour: '--warn', values: now(({ runMs }) => runMs.p99) },
        ]}
      />
    </div>
  );
}

/** Counts a second between one sample and the next; a restart begins anew. */
const rateOf = (samples: readonly Sample[], value: (pool: Pool) => number): number[] =>
  samples.map(({ at, pool }, index) => {
    const before = samples[index - 1];
    return before === undefined
      ? 0
      : (1000 * Math.max(0, value(pool) - value(before.pool))) / Math.max(100, at - before.at);
  });

const columns: readonly Column<{ readonly name: string; readonly process: PoolNumbers }>[] = [
  ['Process', ({ name }) => name],
  ['Threads', ({ process }) => process.threads, 'number'],
  ['Busy', ({ process }) => process.busy, 'number'],
  ['Waiting', ({ process }) => process.waiting, 'number'],
  ['Served', ({ process }) => process.served, 'number'],
  ['Rejected', ({ process }) => process.rejected, 'number'],
  ['Timed out', ({ process }) => process.timedOut, 'number'],
  ['Threads replaced', ({ process }) => process.restarts, 'number'],
  ['Wait p50/p99 ms', ({ process }) => quantiles(process.waitMs), 'number'],
  ['Run p50/p99 ms', ({ process }) => quantiles(process.runMs), 'number'],
  ['Memory MB', ({ process }) => megabytes(process.memory.rss), 'number'],
  [
    'In flight MB',
    ({ process }) => `${megabytes(process.bytesInFlight)} of ${megabytes(process.maxBytesInFlight)}`,
    'number',
  ],
];

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const quantiles = ({ p50, p99 }: PoolNumbers['waitMs']): string => `${shortened(p50)} / ${shortened(p99)}`;

const Processes = ({ pool }: { readonly pool: Pool }) => (
  <Table
    label="Processes"
    columns={columns}
    rows={[
      ...pool.processes.map((process) => ({ name: String(process.pid), process })),
      ...(pool.processes.length > 1 ? [{ name: 'all', process: pool }] : []),
    ]}
  />
);
