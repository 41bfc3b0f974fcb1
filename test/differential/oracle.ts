import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Case } from './cases.js';

/** The package does not answer some cases at all. Milliseconds. */
const answerWithinMs = 5000;

const busy = 'its threads are busy';

/** A package in a process of its own, which is started again whenever a case kills it. One case at a time. */
export class Oracle {
  readonly #module: string;
  #child: ChildProcess | undefined;
  /** Cases that the package did not survive. */
  deaths = 0;

  /** @param module what the process runs, beside this file */
  constructor(module = 'oracleProcess.js') {
    this.#module = module;
  }

  async ask(subject: Case): Promise<Answer> {
    const answer = await this.#askOnce(subject);
    // An earlier case may have left the package's threads busy for ever: a fresh process tells.
    return 'died' in answer && answer.died === busy ? this.#askOnce(subject) : answer;
  }

  async #askOnce(subject: Case): Promise<Answer> {
    const child = (this.#child ??= start(this.#module));
    const given = await answerOf(child, subject);
    const answer = 'failed' in given && given.failed.includes('Hook timed out') ? { died: busy } : given;
    if ('died' in answer) {
      this.deaths++;
      this.#child = undefined;
      child.kill('SIGKILL');
    }
    return answer;
  }

  /** Asks a fresh process: on a busy machine the package now and then takes a good graph for an invalid one. */
  async askAfresh(subject: Case): Promise<Answer> {
    await this.close();
    return this.ask(subject);
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    child.disconnect();
    await once(child, 'exit');
  }
}

function start(module: string): ChildProcess {
  return fork(new URL(module, import.meta.url), {
    env: { PATH: process.env['PATH'], RUST_BACKTRACE: '0', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function answerOf(child: ChildProcess, subject: Case): Promise<Answer> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle({ died: `no answer in ${answerWithinMs} ms` }), answerWithinMs);
    const onExit = (code: number | null, signal: string | null): void =>
      settle({ died: signal ?? `exit ${code ?? 0}` });
    const onMessage = (answer: unknown): void => settle(answer as Answer);
    child.once('exit', onExit);
    child.once('message', onMessage);
    child.send(subject, (error) => {
      if (error !== null) settle({ died: error.message });
    });

    function settle(answer: Answer): void {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(answer);
    }
  });
}
