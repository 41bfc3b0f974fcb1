import { expect } from 'chai';
import { entityTag, isCurrent, requireMatch } from '../../../src/api/preconditions.js';
import { Problem } from '../../../src/errors.js';

describe('preconditions', () => {
  const refused = (header: string | undefined): boolean => {
    try {
      requireMatch(header, 7);
      return false;
    } catch (error) {
      expect(error).to.be.instanceOf(Problem);
      expect((error as Problem).code).to.equal('precondition_failed');
      return true;
    }
  };

  it('If-Match compares strongly, takes lists and `*`', () => {
    expect(entityTag(7)).to.equal('"7"');
    for (const header of [undefined, '*', '"7"', '"1", "7"', ' "7" '])
      expect(refused(header), String(header)).to.equal(false);
    for (const header of ['', '"6"', 'W/"7"', '7', '"77"']) expect(refused(header), header).to.equal(true);
  });

  it('If-None-Match compares weakly', () => {
    for (const header of ['*', '"7"', 'W/"7"', '"1", W/"7"']) expect(isCurrent(header, 7), header).to.equal(true);
    for (const header of [undefined, '', '"8"', '7']) expect(isCurrent(header, 7), String(header)).to.equal(false);
  });
});
