import { expect } from 'chai';
import { seed } from '../support/environment.js';
import { compare } from './compare.js';

/** Cases of a run of all tests; `make fuzz` takes more. */
const cases = 2000;
/** Milliseconds. */
const longest = 60_000;

describe('the engine and the npm package', function () {
  this.timeout(longest + 10_000);

  it(`give the same for ${cases} random cases`, async () => {
    const { compared, values, differences } = await compare({ seed, cases, within: longest });
    expect(differences, `seed ${seed}; SEED=${seed} repeats it`).to.deep.equal([]);
    expect(compared).to.equal(cases);
    expect(values, 'cases that gave a value').to.be.greaterThan(cases / 3);
  });
});
