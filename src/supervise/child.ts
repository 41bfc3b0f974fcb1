import cluster, { type Worker } from 'node:cluster';
import type { PoolsStatus } from '../admin/administered.js';
import { within } from '../clock/timers.js';
import type { Answers, Order, Question, Report } from './messages.js';

/** How long a process may take to answer its primary. */
const answerMs = 2000;

/** How a process ended. */
interface End {
  readonly code: number;
  readonly signal: string | null;
  /** Why it never started: the system gave no process. */
  readonly err?: Error;
}

/** One server process, as its primary sees it. */
export class Child {
  /** 0 where the system gave no process. */
  readonly pid: number;
  /** Resolves with true when it serves, with false when it ended before that. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended. */
  readonly ended: Promise<End>;
  /** Resolves when it has had no free descriptor for a while: new connections to it are closed at once. */
  readonly exhausted: Promise<void>;
  serving = false;
  /** The port that the process listens on, once it serves. */
  port = 0;
  readonly #worker: Worker | undefined;
  readonly #pending = new Map<number, (answer: Answers[Question] | undefined) => void>();
  #lastId = 0;

  /** @param readPools answers a process that asks for the pools of all */
  constructor(environment: Readonly<Record<string, string>>, readPools: () => Promise<PoolsStatus>) {
    const forked = fork(environment);
    this.#worker = forked instanceof Error ? undefined : forked;
    this.pid = this.#worker?.process.pid ?? 0;
    this.ended = forked instanceof Error ? Promise.resolve(unbegun(forked)) : this.#endOf(forked);
    const [exhausted, setExhausted] = signalled();
    this.exhausted = exhausted;
    this.ready = new Promise((resolve) => {
      void this.ended.then(() => resolve(false));
      this.#worker?.on('message', (report: Report) => {
        if (report.kind === 'answer') this.#pending.get(report.id)?.(report.answer);
        else if (report.kind === 'exhausted') setExhausted();
        else if (report.kind === 'askPools') {
          const { id } = report;
          void readPools().then((pools) => this.tell({ kind: 'pools', id, pools }));
        } else {
          this.serving = true;
          this.port = report.port;
          resolve(true);
        }
      });
    });
  }

  #endOf(worker: Worker): Promise<End> {
    return new Promise((resolve) => {
      // Once there is a process, it is a failed message to one that has just died, and `exit` reports that.
      worker.on('error', (error) => {
        if (this.pid === 0) resolve(unbegun(error));
      });
      worker.once('exit', (code: number, signal: string | null) => {
        this.serving = false;
        for (const answered of this.#pending.values()) answered(undefined);
        resolve({ code, signal });
      });
    });
  }

  tell(order: Order): void {
    if (this.#worker?.isConnected() === true) this.#worker.send(order);
  }

  /** Undefined when it does not answer in time, or can't tell. */
  ask<Q extends Question>(question: Q): Promise<Answers[Q] | undefined> {
    const id = ++this.#lastId;
    const answered = new Promise<Answers[Q] | undefined>((resolve) => {
      // An answer has the type of its question.
      this.#pending.set(id, (answer) => resolve(answer as Answers[Q] | undefined));
      this.tell({ kind: 'ask', id, question });
    });
    return within(answerMs, answered, () => undefined).finally(() => this.#pending.delete(id));
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#worker?.process.kill(name);
  }
}

function signalled(): [promise: Promise<void>, resolve: () => void] {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return [promise, resolve];
}

const unbegun = (err: Error): End => ({ code: 1, signal: null, err });

/** Some failures to start a process are thrown, such as ENOMEM; others are an `error` event, such as EAGAIN. */
function fork(environment: Readonly<Record<string, string>>): Worker | Error {
  try {
    return cluster.fork(environment);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
