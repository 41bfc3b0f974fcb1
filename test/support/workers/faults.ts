import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import type { RunDone, RunReply, RunTask } from '../../../workers/protocol.js';

/** A worker that does what a task's body says, `{"do": …, "ms"?: …}`; every fault that a thread can have. */
export interface Order {
  readonly do: keyof typeof deeds;
  readonly ms?: number;
}

const held = new Set<string>();

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

/** The result is `{thread, programId, configurationId, timeoutMs, said}`. A program or configuration not seen before is a miss. */
export async function run(task: RunTask): Promise<RunReply> {
  const { programId, bundle, configurationId, configuration } = task;
  if (bundle !== undefined) held.add(programId);
  if (configuration !== undefined) held.add(configurationId);
  const lacks = (id: string): boolean => id.startsWith('cold') && !held.has(id);
  const miss = { kind: 'miss', program: lacks(programId), configuration: lacks(configurationId) } as const;
  if (miss.program || miss.configuration) return miss;

  const order = JSON.parse(task.body) as Order;
  const odd: unknown = await deeds[order.do](order);
  const said = typeof odd === 'string' ? odd : '';
  const result = JSON.stringify({ thread: threadId, programId, configurationId, timeoutMs: task.timeoutMs, said });
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
