/** Choices of a case: the same seed gives the same ones again. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True once in `n` times, on average. */
  oneIn(n: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** @param seed any whole number; @param index which case of that seed */
export function createRandom(seed: number, index: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  // Mulberry32: 32 bits of state are plenty for the few dozen choices of one case.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    oneIn: (n) => next() * n < 1,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('there is nothing to pick from');
      return list[int(0, list.length - 1)] as T;
    },
  };
}
