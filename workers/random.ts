/** A source of numbers in [0, 1) that the same seed (32 bits) gives again: Tommy Ettinger's Mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  const bits32 = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  // All 53 bits of a double's fraction.
  return () => ((bits32() >>> 5) * 67_108_864 + (bits32() >>> 6)) / 9_007_199_254_740_992;
}
