import { fork, type ChildProcess } from 'node:child_process';

export interface Subject {
  readonly model: unknown;
  /** Taken in turn. */
  readonly facts: readonly unknown[];
  /** How long each way of calling is measured. */
  readonly milliseconds: number;
}

/** Of the npm package: microseconds for a run, called one at a time, with 32 calls in flight, and so with a trace. */
export interface PackageTimes {
  readonly alone: number;
  readonly crowd: number;
  readonly traced: number;
  readonly compileMs: number;
}

/** The npm package in a process of its own. */
export class Package {
  #child: ChildProcess | undefined;

  /** Undefined when the package refuses the model or dies of it. */
  measure(subject: Subject): Promise<PackageTimes | undefined> {
    const child = (this.#child ??= fork(new URL('./packageProcess.js', import.meta.url), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }));
    return new Promise((resolve) => {
      const onExit = (): void => {
        child.off('message', onMessage);
        this.#child = undefined;
        resolve(undefined);
      };
      const onMessage = (message: unknown): void => {
        child.off('exit', onExit);
        resolve(
          typeof message === 'object' && message !== null && 'error' in message ? undefined : (message as PackageTimes),
        );
      };
      child.once('exit', onExit);
      child.once('message', onMessage);
      child.send(subject);
    });
  }

  close(): void {
    this.#child?.disconnect();
  }
}
