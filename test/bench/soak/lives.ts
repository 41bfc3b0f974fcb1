import type { Watched } from '../processes.js';
import type { Life, Sample } from './memory.js';

const mebibyte = 2 ** 20;

/** Samples of memory by name, each process's own under it. */
export class Lives {
  readonly #byName = new Map<string, { readonly pid: number; readonly samples: Sample[] }[]>();

  /** @param at seconds since the run's begin */
  note({ name, pid }: Watched, at: number, bytes: number): void {
    if (bytes <= 0) return;
    const lives = this.#byName.get(name) ?? [];
    this.#byName.set(name, lives);
    const life = lives.at(-1)?.pid === pid ? lives.at(-1) : undefined;
    if (life === undefined) lives.push({ pid, samples: [{ at, mb: bytes / mebibyte }] });
    else life.samples.push({ at, mb: bytes / mebibyte });
  }

  get all(): Readonly<Record<string, readonly Life[]>> {
    return Object.fromEntries(this.#byName);
  }
}
