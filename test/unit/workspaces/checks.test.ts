import { expect } from 'chai';
import { referring } from '../../../src/workspaces/checkedInput.js';

describe('referring', () => {
  const mysqlError = (errno: number): Error => Object.assign(new Error('from MySQL'), { errno, sqlState: '23000' });

  it('gives what was written', async () => {
    expect(await referring(Promise.resolve(5), 'Nothing there.')).to.equal(5);
  });

  it('says which parent is missing, and leaves every other error as it is', async () => {
    const caught = (error: Error): Promise<unknown> =>
      referring(Promise.reject(error), 'Nothing there.').catch((thrown: unknown) => thrown);
    expect(await caught(mysqlError(1452))).to.include({ code: 'reference_not_found', message: 'Nothing there.' });
    for (const error of [mysqlError(1451), mysqlError(1062), new Error('another')]) {
      expect(await caught(error)).to.equal(error);
    }
  });
});
