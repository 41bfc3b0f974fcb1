import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A decision table as it is written, and the values of the names that it reads. */
export interface FeelinTable {
  readonly inputs: readonly string[];
  /** Of each rule: a cell for each input, then its outputs. */
  readonly rules: readonly (readonly string[])[];
  readonly isFirst: boolean;
  readonly contexts: readonly Readonly<Record<string, unknown>>[];
  /** How long it is measured. */
  readonly milliseconds: number;
}

/** The npm package feelin in a process of its own, with the least around it that decides a table. */
export class Feelin {
  readonly #child: ChildProcess = fork(new URL('./feelinProcess.js', import.meta.url), { stdio: 'inherit' });

  /** Microseconds of one evaluation; undefined where it throws. */
  async measure(table: FeelinTable): Promise<number | undefined> {
    this.#child.send(table);
    const [answer] = (await once(this.#child, 'message')) as [{ readonly us?: number }];
    return answer.us;
  }

  close(): void {
    this.#child.disconnect();
  }
}
