import type { Life } from '../../bench/soak/memory.js';

/** A second of a life: of the run, and since that life began. */
export interface Moment {
  readonly at: number;
  readonly age: number;
}

/** A life with a sample each second. */
export function lifeOf({ from = 0, until }: { from?: number; until: number }, mbAt: (moment: Moment) => number): Life {
  const samples = Array.from({ length: until - from }, (_, age) => ({
    at: from + age,
    mb: mbAt({ at: from + age, age }),
  }));
  return { pid: from + 1, samples };
}

export const halfAnHour = 1800;
