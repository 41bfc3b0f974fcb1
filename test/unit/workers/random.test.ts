import { expect } from 'chai';
import { randomFrom } from '../../../workers/random.js';

describe('randomFrom', () => {
  it('gives the same for the same seed, and other numbers for another', () => {
    const numbersOf = (seed: number): number[] => Array.from({ length: 20 }, randomFrom(seed));
    expect(numbersOf(7)).to.deep.equal(numbersOf(7));
    expect(numbersOf(7)).not.to.deep.equal(numbersOf(8));
  });

  it('is spread evenly over [0, 1)', () => {
    const random = randomFrom(1);
    const counts = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw++) {
      const tenth = Math.floor(random() * 10);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    for (const count of counts) expect(count).to.be.within(9_500, 10_500);
  });
});
