import { randomFrom } from '../../../workers/random.js';

/** Choices that a seed repeats. */
export interface Random {
  /** A whole number from 0 to below the bound. */
  upTo(bound: number): number;
  /** One of them; there must be one. */
  of<T>(all: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = randomFrom(seed);
  return {
    upTo: (bound) => Math.floor(next() * bound),
    of<T>(all: readonly T[]): T {
      return all[Math.floor(next() * all.length)] as T;
    },
  };
}
