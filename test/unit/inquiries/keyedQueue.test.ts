import { expect } from 'chai';
import { createKeyedQueue } from '../../../src/inquiries/keyedQueue.js';

describe('a queue by key', () => {
  const full = new Error('full');
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('runs work of one key in order, one at a time, and of several keys at once', async () => {
    const queued = createKeyedQueue({ max: 10, maxOfKey: 10, refusal: () => full });
    const begun: string[] = [];
    const ends = new Map<string, (fault?: Error) => void>();
    const start = (name: string): Promise<unknown> =>
      queued(name.charAt(0), () => {
        begun.push(name);
        return new Promise<void>((resolve, reject) =>
          ends.set(name, (fault) => (fault === undefined ? resolve() : reject(fault))),
        );
      }).catch((error: unknown) => error);
    const results = ['a1', 'a2', 'b1', 'a3'].map(start);
    await turn();
    expect(begun).to.deep.equal(['a1', 'b1']);
    ends.get('a1')?.(full);
    await turn();
    expect(begun).to.deep.equal(['a1', 'b1', 'a2']);
    for (const name of ['b1', 'a2', 'a3']) {
      ends.get(name)?.();
      await turn();
    }
    expect(await Promise.all(results)).to.deep.equal([full, undefined, undefined, undefined]);
  });

  it('refuses what is too much of one key or of all, and has room again for what has ended', async () => {
    const queued = createKeyedQueue({ max: 3, maxOfKey: 2, refusal: () => full });
    const ends: (() => void)[] = [];
    const start = (key: string): Promise<unknown> =>
      queued(key, () => new Promise<string>((resolve) => ends.push(() => resolve(key)))).catch(
        (error: unknown) => error,
      );
    const two = [start('a'), start('a')];
    expect(await start('a')).to.equal(full);
    const other = start('b');
    expect(await start('c')).to.equal(full);
    await turn();
    ends[0]?.();
    await two[0];
    const third = start('c');
    while (ends.length < 4) await turn();
    ends.forEach((end) => end());
    expect(await Promise.all([...two, other, third])).to.deep.equal(['a', 'a', 'b', 'c']);
  });
});
