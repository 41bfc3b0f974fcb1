import { randomFrom } from '../../../workers/random.js';
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

/** What one place sees in which a process is killed over and over: lives of 2 to 74 s, for half an hour. */
export function shortLives(mbOf: (from: number) => (moment: Moment) => number, seed = 1): Life[] {
  const random = randomFrom(seed);
  const lives: Life[] = [];
  for (let from = 0; from < halfAnHour;) {
    const until = Math.min(halfAnHour, from + 2 + Math.floor(random() * 72));
    lives.push(lifeOf({ from, until }, mbOf(from)));
    from = until;
  }
  return lives;
}

export const halfAnHour = 1800;
