import { expect } from 'chai';
import { isRollBack, rollBackTarget } from '../../../src/deployments/rollBackTarget.js';

/** Of versions that were deployed one after the other. */
const targetOf = (...versions: readonly number[]): number | undefined =>
  rollBackTarget(versions.map((version) => ({ version })).reverse())?.version;

describe('rollBackTarget', () => {
  it('is what was in force before the last version that went forward', () => {
    expect(targetOf(1, 2)).to.equal(1);
    expect(targetOf(1, 2, 3)).to.equal(2);
    expect(targetOf(3, 1), 'an older version may be the newer step').to.equal(3);
    expect(targetOf(1, 0), 'a working copy is a step').to.equal(1);
  });

  it('is never what was rolled back', () => {
    expect(targetOf(1, 2, 3, 2)).to.equal(1);
    expect(targetOf(1, 2, 3, 2, 1)).to.equal(undefined);
    expect(targetOf(1, 2, 1, 3)).to.equal(1);
  });

  it('is not the same version once more', () => {
    expect(targetOf(1, 2, 2)).to.equal(1);
    expect(targetOf(1, 1)).to.equal(undefined);
  });

  it('is nothing where nothing was before', () => {
    expect(targetOf()).to.equal(undefined);
    expect(targetOf(1)).to.equal(undefined);
  });
});

describe('isRollBack', () => {
  const goesBack = (version: number, ...versions: readonly number[]): boolean =>
    isRollBack(versions.map((each) => ({ version: each })).reverse(), version);

  it('is whatever takes back what is in force, by one step or by more', () => {
    expect(goesBack(2, 1, 2, 3)).to.equal(true);
    expect(goesBack(1, 1, 2, 3)).to.equal(true);
    expect(goesBack(3, 3, 1), 'to a newer version, where that was the step before').to.equal(true);
    expect(goesBack(1, 1, 0), 'from a working copy').to.equal(true);
  });

  it('is no first deployment, no same one and none that brings forward again what was rolled back', () => {
    expect(goesBack(1)).to.equal(false);
    expect(goesBack(3, 1, 2)).to.equal(false);
    expect(goesBack(2, 1, 2)).to.equal(false);
    expect(goesBack(2, 1, 2, 1)).to.equal(false);
  });
});
