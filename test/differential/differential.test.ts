import { expect } from 'chai';
import { isLong, seed } from '../support/environment.js';
import { compare, compareBroken } from './compare.js';

/** Cases of a run of all tests; `make fuzz` takes more. */
const cases = isLong ? 2000 : 600;
const brokenCases = isLong ? 600 : 200;
/** Milliseconds: as long as mocha gives a test, but for the end of it. */
const longest = 290_000;

describe('the engine and the npm package', () => {
  it(`give the same for ${cases} random cases`, async () => {
    const { compared, values, differences } = await compare({ seed, cases, within: longest });
    expect(differences, `seed ${seed}; SEED=${seed} repeats it`).to.deep.equal([]);
    expect(compared).to.equal(cases);
    expect(values, 'cases that gave a value').to.be.greaterThan(cases / 3);
  });

  it(`run the same of ${brokenCases} models that are broken in small ways, and only what the package refuses or fails is an error`, async () => {
    const { compared, values, differences } = await compareBroken({ seed, cases: brokenCases, within: longest });
    expect(differences, `seed ${seed}; SEED=${seed} repeats it`).to.deep.equal([]);
    expect(compared).to.equal(brokenCases);
    expect(values, 'cases that gave a value').to.be.greaterThan(brokenCases / 3);
  });
});
