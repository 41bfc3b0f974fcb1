import type { TakesTurns } from '../../src/turns/largeWork.js';

/** Large work that waits for nothing. */
export const atOnce: TakesTurns = { during: async (_, piece) => piece() };
