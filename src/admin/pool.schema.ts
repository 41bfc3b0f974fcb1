import Type, { type TProperties } from 'typebox';

const Count = Type.Integer({ minimum: 0 });
const Quantiles = Type.Object(
  { p50: Type.Number({ minimum: 0 }), p99: Type.Number({ minimum: 0 }) },
  { title: 'Quantiles', description: 'Milliseconds, of the last 30 to 60 seconds' },
);
const settings = { minThreads: Count, maxThreads: Count, maxQueue: Count, runTimeoutMs: Count };
const numbers = {
  ...settings,
  threads: Count,
  busy: Count,
  idle: Count,
  waiting: Count,
  served: Type.Integer({ minimum: 0, description: 'Runs since the start' }),
  rejected: Type.Integer({ minimum: 0, description: 'Runs refused since the start' }),
  timedOut: Type.Integer({ minimum: 0, description: 'Runs that passed their time limit since the start' }),
  restarts: Type.Integer({ minimum: 0, description: 'Threads that were replaced since the start' }),
  waitMs: Quantiles,
  runMs: Quantiles,
  memory: Type.Object({ rss: Count, heapUsed: Count, external: Count }, { title: 'PoolMemory', description: 'Bytes' }),
  bytesInFlight: Count,
  maxBytesInFlight: Count,
  bytesRefused: Type.Integer({ minimum: 0, description: 'Requests refused for their bytes since the start' }),
  bytesHeldAfterEnd: Type.Integer({
    minimum: 0,
    description:
      'Bytes still held minutes after the end of their request; above 0 there is a bug, and it is worth a report',
  }),
} satisfies TProperties;

const example = {
  ...{ minThreads: 1, maxThreads: 2, maxQueue: 1000, runTimeoutMs: 5000, threads: 2, busy: 1, idle: 1, waiting: 0 },
  ...{ served: 4711, rejected: 0, timedOut: 0, restarts: 0, waitMs: { p50: 0.02, p99: 0.4 } },
  ...{ runMs: { p50: 0.21, p99: 1.9 }, memory: { rss: 180_000_000, heapUsed: 60_000_000, external: 9_000_000 } },
  ...{ bytesInFlight: 2048, maxBytesInFlight: 268_435_456, bytesRefused: 0, bytesHeldAfterEnd: 0 },
};

/** The pools of all server processes as one, and each of them. */
export const PoolReport = Type.Object(
  {
    ...numbers,
    processes: Type.Array(Type.Object({ ...numbers, pid: Count }, { title: 'ProcessPool' }), {
      description: 'Of quantiles over several processes the sum shows the worst',
    }),
  },
  { title: 'Pool', examples: [{ ...example, processes: [{ ...example, pid: 4711 }] }] },
);
