import { expect } from 'chai';
import type { Credentials } from '../../../src/oauth/credentials.store.js';
import { cacheCredentials } from '../../../src/oauth/credentialsCache.js';

const mostPerRead = 500;
const mostWaiting = 2000;

/** A cache of clients whose id begins with `c`, and what each of its reads asked for. */
function reading() {
  const reads: (readonly string[])[] = [];
  const load = (ids: readonly string[]): Promise<ReadonlyMap<string, Credentials>> => {
    reads.push(ids);
    const known = ids.filter((id) => id.startsWith('c'));
    return Promise.resolve(new Map(known.map((id) => [id, { secrets: [], client: { id } } as unknown as Credentials])));
  };
  return { reads, cache: cacheCredentials(load, 60_000) };
}

const idsOf = (count: number): string[] => Array.from({ length: count }, (_none, at) => `c${at}`);

describe('clients that are read by their ids', () => {
  it('are read together, so many at once, and each of them once', async () => {
    const { reads, cache } = reading();
    const ids = idsOf(mostPerRead + 1);
    const found = await Promise.all([...ids, ...ids].map((id) => cache.read(id, 'paced')));
    expect(found.every((credentials) => credentials !== undefined)).to.equal(true);
    expect(reads.map(({ length }) => length)).to.deep.equal([mostPerRead, 1]);
    expect(reads.flat()).to.deep.equal(ids);
  });

  it('are known afterwards, those that there are not as well', async () => {
    const { cache } = reading();
    expect(cache.cached('c1')).to.equal(undefined);
    await Promise.all(['c1', 'nobody'].map((id) => cache.read(id, 'now')));
    expect(cache.cached('c1')?.client).to.deep.equal({ id: 'c1' });
    expect(cache.cached('nobody')).to.equal(undefined);
  });

  it('wait for the pace, unless one of them does not', async () => {
    const { reads, cache } = reading();
    const paced = cache.read('c1', 'paced');
    // The pause is a timer: whatever is begun without one has begun by then.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(reads).to.deep.equal([]);
    const now = cache.read('c2', 'now');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(reads).to.deep.equal([['c1', 'c2']]);
    expect((await Promise.all([paced, now])).map((each) => each?.client.id)).to.deep.equal(['c1', 'c2']);
  });

  it('are so many and no more that wait: one more is told nothing, but where it is waited for already, or does not wait', async () => {
    const { reads, cache } = reading();
    const waiting = idsOf(mostWaiting).map((id) => cache.read(id, 'paced'));
    const [more, again] = [cache.read('c-more', 'paced'), cache.read('c7', 'paced')];
    expect(await more).to.equal(undefined);
    expect(cache.cached('c-more'), 'nothing is known of it').to.equal(undefined);
    const urgent = cache.read('c-urgent', 'now');
    expect((await again)?.client.id).to.equal('c7');
    expect((await urgent)?.client.id).to.equal('c-urgent');
    expect((await Promise.all(waiting)).every((each) => each !== undefined)).to.equal(true);
    expect(reads.flat()).to.have.length(mostWaiting + 1);
    expect(reads.flat()).to.not.include('c-more');
  });
});
