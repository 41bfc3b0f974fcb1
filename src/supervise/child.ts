import cluster, { type Worker } from 'node:cluster';
import type { Answers, Order, Question, Report } from './messages.js';

/** How long a process may take to answer its primary. */
const answerMs = 2000;

/** One server process, as its primary sees it. */
export class Child {
  readonly pid: number;
  /** Resolves with true when it serves, with false when it ended before that. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended. */
  readonly ended: Promise<{ readonly code: number; readonly signal: string | null }>;
  serving = false;
  readonly #worker: Worker;
  readonly #asked = new Map<number, (answer: Answers[Question] | undefined) => void>();
  #lastId = 0;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#worker = cluster.fork(environment);
    this.pid = this.#worker.process.pid ?? 0;
    // A message to a process that has just died; its end is told otherwise.
    this.#worker.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', (code: number, signal: string | null) => {
        this.serving = false;
        for (const answered of this.#asked.values()) answered(undefined);
        resolve({ code, signal });
      });
    });
    this.ready = new Promise((resolve) => {
      void this.ended.then(() => resolve(false));
      this.#worker.on('message', (report: Report) => {
        if (report.kind === 'answer') {
          this.#asked.get(report.id)?.(report.answer);
          return;
        }
        this.serving = true;
        resolve(true);
      });
    });
  }

  tell(order: Order): void {
    if (this.#worker.isConnected()) this.#worker.send(order);
  }

  /** Undefined when it does not answer in time. */
  ask<Q extends Question>(question: Q): Promise<Answers[Q] | undefined> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const settle = (answer: Answers[Question] | undefined): void => {
        clearTimeout(timer);
        this.#asked.delete(id);
        // The process answers what it was asked.
        resolve(answer as Answers[Q] | undefined);
      };
      const timer = setTimeout(() => settle(undefined), answerMs);
      this.#asked.set(id, settle);
      this.tell({ kind: 'ask', id, question });
    });
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.#worker.process.kill(name);
  }
}
