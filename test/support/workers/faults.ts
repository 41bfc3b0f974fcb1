import { setTimeout as sleep } from 'node:timers/promises';
import { threadId, workerData } from 'node:worker_threads';
import { runBatch } from '../../../workers/batch.js';
import type { BatchAnswer, RunDone, RunReply, RunTask, WorkerData } from '../../../workers/protocol.js';

/** A worker that does what a task's body says, `{"do": …, "ms"?: …}`; every fault that a thread can have. */
export interface Order {
  readonly do: keyof typeof deeds;
  readonly ms?: number;
}

const held = new Set<string>();
const begun = new Int32Array((workerData as WorkerData).begun);
/** Batches and runs so far: who shared a batch, and who came first, can be told by them. */
let batches = 0;
let runs = 0;

const deeds = {
  answer: () => undefined,
  sleep: ({ ms }) => sleep(ms),
  /** Takes `ms` of computing time. */
  compute({ ms = 0 }) {
    const end = performance.now() + ms;
    while (performance.now() < end);
  },
  loop() {
    for (;;);
  },
  heapBomb() {
    const hoard: unknown[] = [];
    for (;;) hoard.push({ text: String(hoard.length) });
  },
  exit: () => process.exit(3),
  /** Not allowed in a worker: throws. */
  abort: () => process.abort(),
  throw() {
    throw Object.assign(new Error('a secret stack'), { code: 'E_SECRET' });
  },
  /** Answers, and throws `ms` later. */
  lateThrow({ ms }) {
    setTimeout(() => {
      throw new Error('late');
    }, ms);
  },
  lateReject({ ms }) {
    setTimeout(() => void Promise.reject(new Error('late')), ms);
  },
  /** Throws into the open while it runs. */
  throwInTheOpen: () =>
    new Promise(() => {
      setImmediate(() => {
        throw new Error('now');
      });
    }),
  unclonable: () => () => undefined,
  environment: () => Object.keys(process.env).join(),
} satisfies Record<string, (order: Order) => unknown>;

export function ready(): void {
  // Nothing to warm.
}

export function runAll(tasks: readonly RunTask[]): BatchAnswer | Promise<BatchAnswer> {
  batches++;
  return runBatch(tasks, begun, (task, alone) => (alone || !waits(task) ? run(task) : null));
}

/** As with function nodes, such runs are alone. */
const waits = ({ body }: RunTask): boolean => /"(sleep|throwInTheOpen)"/.test(body);

/** The result is an `Answer`. A program or configuration not seen before is a miss. */
function run(task: RunTask): RunReply | Promise<RunReply> {
  const { programId, bundle, configurationId, configuration } = task;
  if (bundle !== undefined) held.add(programId);
  if (configuration !== undefined) held.add(configurationId);
  const lacks = (id: string): boolean => id.startsWith('cold') && !held.has(id);
  const miss = { kind: 'miss', program: lacks(programId), configuration: lacks(configurationId) } as const;
  if (miss.program || miss.configuration) return miss;

  runs++;
  const order = JSON.parse(task.body) as Order;
  const odd: unknown = deeds[order.do](order);
  return odd instanceof Promise ? odd.then((settled) => replyOf(task, settled)) : replyOf(task, odd);
}

function replyOf({ programId, configurationId, timeoutMs }: RunTask, odd: unknown): RunReply {
  const said = typeof odd === 'string' ? odd : '';
  const place = { thread: threadId, batch: batches, nth: runs };
  const result = JSON.stringify({ ...place, programId, configurationId, timeoutMs, said });
  return { ...done, result, ...(odd === undefined ? {} : { odd }) };
}

const done: RunDone = {
  kind: 'done',
  status: 'COMPLETED',
  result: '',
  trace: null,
  engineUs: 1,
  error: null,
  recordedFact: '{}',
  recordedResult: null,
};
