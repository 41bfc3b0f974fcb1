import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { fetchedServers } from '../support/fetched.js';

const version = '5.2.0';
const folder = path.join(fetchedServers, `z3-${version}`);

/** An answer takes milliseconds. For one question in a thousand z3 never ends, whatever limit of its own it was given. */
const answerWithinMs = 5000;

/** A second time, in case that the machine was busy. */
const answerAtLastWithinMs = 20_000;

/** Z3 in a thread of its own, which is ended and started again where a question takes too long. One question at a time. */
export class Solver {
  readonly #facts: string;
  #thread: Worker | undefined;

  private constructor(facts: string) {
    this.#facts = facts;
  }

  /**
   * Z3 out of npm's registry is kept beside other servers that tests fetch: 35 MB that no other test needs.
   * @param facts what is so in every question
   */
  static async open(facts: string): Promise<Solver> {
    if (!existsSync(path.join(folder, 'node_modules/z3-solver'))) {
      process.stderr.write(`Fetching z3-solver ${version} …\n`);
      const npm = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `z3-solver@${version}`];
      await promisify(execFile)('npm', npm);
    }
    return new Solver(facts);
  }

  /** `sat` or `unsat`; `unknown` where even a fresh solver, which searches in another order, does not answer in time. */
  async ask(formula: string): Promise<string> {
    return (
      (await this.#askOnce(formula, answerWithinMs)) ??
      (await this.#askOnce(formula, answerAtLastWithinMs)) ??
      'unknown'
    );
  }

  /** Undefined where there is no answer in time. */
  async #askOnce(formula: string, withinMs: number): Promise<string | undefined> {
    const thread = (this.#thread ??= this.#start());
    thread.postMessage(`(push) (assert ${formula}) (check-sat) (pop)`);
    try {
      const [answer] = (await once(thread, 'message', { signal: AbortSignal.timeout(withinMs) })) as [string];
      return answer;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
      await this.close();
      return undefined;
    }
  }

  #start(): Worker {
    const workerData: SolverStart = { folder, facts: this.#facts };
    return new Worker(new URL('./solver-worker.js', import.meta.url), { workerData });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

/** What the solver's thread starts with. */
export interface SolverStart {
  readonly folder: string;
  readonly facts: string;
}
