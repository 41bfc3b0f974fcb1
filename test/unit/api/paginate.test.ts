import { expect } from 'chai';
import { paged, readPageRequest } from '../../../src/api/paginate.js';

const cursor = Buffer.alloc(16, 7).toString('base64url');

function violations(query: Readonly<Record<string, unknown>>): readonly unknown[] {
  const errors = paged.findQueryViolations(query);
  if (errors.length > 0) return errors;
  throw new Error('was accepted');
}

describe('paginate', () => {
  it('takes sizes from 1 to 5000 and one cursor', () => {
    expect(readPageRequest({})).to.deep.equal({ size: 50, after: null, before: null, order: 'asc' });
    expect(readPageRequest({ size: '1' }).size).to.equal(1);
    expect(readPageRequest({ size: '5000', after: cursor })).to.deep.equal({
      size: 5000,
      after: Buffer.alloc(16, 7),
      before: null,
      order: 'asc',
    });
    expect(readPageRequest({ before: cursor }).before).to.deep.equal(Buffer.alloc(16, 7));
  });

  for (const size of ['0', '5001', '-1', '1.5', '1e2', 'ten', '', ' 5', '00005', '99999999999']) {
    it(`refuses the size ${JSON.stringify(size)}`, () => {
      expect(violations({ size })).to.deep.equal([
        { in: 'query', pointer: 'size', message: 'must be a whole number from 1 to 5000' },
      ]);
    });
  }

  for (const after of ['', 'x', 'AAAA', `${cursor}=`, `${cursor}A`, '../../etc', "' OR 1=1 --"]) {
    it(`refuses the cursor ${JSON.stringify(after)}`, () => {
      expect(violations({ after })).to.deep.equal([
        { in: 'query', pointer: 'after', message: 'is not a cursor of this service' },
      ]);
    });
  }

  it('names every violation at once', () => {
    expect(violations({ size: '0', after: 'x', before: cursor })).to.deep.equal([
      { in: 'query', pointer: 'size', message: 'must be a whole number from 1 to 5000' },
      { in: 'query', pointer: 'after', message: 'is not a cursor of this service' },
      { in: 'query', pointer: 'before', message: 'cannot be combined with after' },
    ]);
  });
});
