import type { Watched } from '../processes.js';
import type { Life, Sample } from './memory.js';

const mebibyte = 2 ** 20;

/** Samples of memory by name, each process's own under it. */
export class Lives {
  readonly #byName = new Map<string, { readonly pid: number; readonly samples: Sample[] }[]>();
  /** By pid of a MySQL: the most that its buffer pool has held. */
  readonly #filled = new Map<number, number>();

  /** @param at seconds since the run's begin */
  note({ name, pid }: Watched, at: number, bytes: number): void {
    if (bytes <= 0) return;
    const lives = this.#byName.get(name) ?? [];
    this.#byName.set(name, lives);
    const life = lives.at(-1)?.pid === pid ? lives.at(-1) : undefined;
    if (life === undefined) lives.push({ pid, samples: [{ at, mb: bytes / mebibyte }] });
    else life.samples.push({ at, mb: bytes / mebibyte });
  }

  /**
   * Of a MySQL, what it has beside its buffer pool.
   * @param poolBytes what that holds; a page that was given back stays resident, so the most it ever held counts
   */
  noteBesidePool(watched: Watched, at: number, { bytes, poolBytes }: { bytes: number; poolBytes: number }): void {
    const filled = Math.max(poolBytes, this.#filled.get(watched.pid) ?? 0);
    this.#filled.set(watched.pid, filled);
    this.note(watched, at, bytes - filled);
  }

  get all(): Readonly<Record<string, readonly Life[]>> {
    return Object.fromEntries(this.#byName);
  }
}
