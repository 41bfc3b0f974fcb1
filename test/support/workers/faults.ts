import { setTimeout as sleep } from 'node:timers/promises';
import { BroadcastChannel, threadId, workerData } from 'node:worker_threads';
import { runBatch, type RunOne } from '../../../workers/batch.js';
import type { BatchAnswer, Preparation, RunDone, RunReply, RunTask, WorkerData } from '../../../workers/protocol.js';

/** A worker that does what a task's body says, `{"do": …, "ms"?: …}`; every fault that a thread can have. */
export interface Order {
  readonly do: keyof typeof deeds;
  readonly ms?: number;
  /** Of `need` and `hoard`: megabytes of heap. */
  readonly mb?: number;
  /** Of `hold`, `lateThrow` and `lateReject`: a channel's name. */
  readonly gate?: string;
}

const held = new Set<string>();
const begun = new Int32Array((workerData as WorkerData).begun);
/** Batches and runs so far: who shared a batch, and who came first, can be told by them. */
let batches = 0;
let runs = 0;
/** By this thread's clock a run takes what its order says, and a little; so no pause of the machine makes one slow. */
let time = 0;
const usualMs = 0.003;

const hoarded: unknown[] = [];
const heapOf = (mb: number): unknown[] => Array.from({ length: mb }, () => new Array<number>(131_072).fill(0.5));

/** What an earlier run left behind, for when the next one begins. */
let left: (() => void) | undefined;

/** Time would not do: an answer and a death come by two ports, and who was asleep meanwhile may read the death first. */
function leave(gate: string | undefined, deed: () => void): void {
  if (gate === undefined) left = deed;
  else new BroadcastChannel(gate).onmessage = () => void setImmediate(deed);
}

const deeds = {
  answer: () => undefined,
  sleep: async ({ ms = 0 }) => {
    await sleep(ms);
    time += ms;
  },
  /** Takes `ms` of the thread's time, and waits for nothing. */
  compute({ ms = 0 }) {
    time += ms;
  },
  /** Says so when it has begun, and ends when it is told to: a slow run by this thread's clock, but no heavy one. */
  hold: ({ gate = '' }) =>
    new Promise<void>((resolve) => {
      const channel = new BroadcastChannel(gate);
      channel.onmessage = () => {
        channel.close();
        time += 100;
        resolve();
      };
      channel.postMessage('begun');
    }),
  /** Does not stop itself, as a loop without end, and takes nothing of the machine that tests share. */
  loop: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  heapBomb() {
    const hoard: unknown[] = [];
    for (;;) hoard.push({ text: String(hoard.length) });
  },
  /** Takes as much of the heap, for the moment. */
  need: ({ mb = 0 }) => void heapOf(mb),
  /** Leaves as much in the thread. */
  hoard: ({ mb = 0 }) => void hoarded.push(heapOf(mb)),
  exit: () => process.exit(3),
  /** Not allowed in a worker: throws. */
  abort: () => process.abort(),
  throw() {
    throw Object.assign(new Error('a secret stack'), { code: 'E_SECRET' });
  },
  /** Answers, and throws when the gate says so; without one, while the next run is at work. */
  lateThrow: ({ gate }) =>
    leave(gate, () => {
      throw new Error('late');
    }),
  lateReject: ({ gate }) => leave(gate, () => void Promise.reject(new Error('late'))),
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

/** Does what the bundle says, and knows the program from then on. */
export function prepare({ programId, bundle }: Preparation): void {
  const order = JSON.parse(bundle) as Order;
  void deeds[order.do](order);
  held.add(programId);
}

export function runAll(tasks: readonly RunTask[]): BatchAnswer | Promise<BatchAnswer> {
  batches++;
  const runOne: RunOne = (task, alone) => (alone || !waits(task) ? run(task) : null);
  return runBatch(tasks, begun, runOne, () => time);
}

/** As with function nodes, such runs are alone. */
const waits = ({ body }: RunTask): boolean => /"(sleep|hold|throwInTheOpen)"/.test(body);

/** The result is an `Answer`. A program or configuration not seen before is a miss. */
function run(task: RunTask): RunReply | Promise<RunReply> {
  const { programId, bundle, configurationId, configuration } = task;
  if (bundle !== undefined) held.add(programId);
  if (configuration !== undefined) held.add(configurationId);
  const lacks = (id: string): boolean => id.startsWith('cold') && !held.has(id);
  const miss = { kind: 'miss', program: lacks(programId), configuration: lacks(configurationId) } as const;
  if (miss.program || miss.configuration) return miss;

  runs++;
  time += usualMs;
  if (left !== undefined) setImmediate(left);
  left = undefined;
  const order = JSON.parse(task.body) as Order;
  const odd: unknown = deeds[order.do](order);
  return odd instanceof Promise ? odd.then((settled) => replyOf(task, settled)) : replyOf(task, odd);
}

function replyOf({ programId, configurationId, timeoutMs }: RunTask, odd: unknown): RunReply {
  const said = typeof odd === 'string' ? odd : '';
  const run = { thread: threadId, batch: batches, nth: runs };
  const result = JSON.stringify({ ...run, programId, configurationId, timeoutMs, said });
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
  factRedacted: false,
};
