import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { asProblem } from '../../../src/storage/database.js';
import { openViews, Row, type Views } from '../../support/cacheViews.js';

const maxAgeMs = 300;

describe('versioned cache', () => {
  let views: Views;
  let view: Views['view'];
  beforeEach(() => {
    views = openViews(maxAgeMs);
    ({ view } = views);
  });
  afterEach(() => views.close());

  it('reads once for many, then answers synchronously', async () => {
    const row = new Row();
    const cache = await view(row);
    const answers = await Promise.all(Array.from({ length: 50 }, async () => cache.get('k')));
    expect(answers).to.deep.equal(Array(50).fill({ revision: 1, value: 'value 1' }));
    expect(row.reads).to.equal(1);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('shares through Redis what another process has read', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await sleep(60);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    expect(row.reads).to.equal(1);
  });

  it('believes nothing older after a move, in the process that moved it', async () => {
    const row = new Row();
    const cache = await view(row);
    await cache.get('k');
    row.revision = 2;
    await cache.moved('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('tells the others at once', async () => {
    const row = new Row();
    const [one, two] = [await view(row), await view(row)];
    await two.get('k');
    row.revision = 2;
    await one.moved('k', 2);
    await sleep(maxAgeMs / 6);
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('does not let a late reader put the old value back', async () => {
    const row = new Row();
    const [mover, late, other] = [await view(row), await view(row), await view(row)];
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const reading = Promise.resolve(late.get('k'));
    await sleep(10);
    row.revision = 2;
    row.delay = null;
    await mover.moved('k', 2);
    go();
    await reading;
    await sleep(20);
    expect(await other.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await late.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('forgets within its age when the message is lost, also through Redis', async () => {
    const row = new Row();
    const two = await view(row);
    await two.get('k');
    row.revision = 2; // and nobody says so
    await sleep(maxAgeMs + 30);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('hands on no more life than is left', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await sleep(maxAgeMs * 0.6);
    const second = await view(row);
    await second.get('k');
    row.revision = 2;
    await sleep(maxAgeMs * 0.6);
    expect(await second.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('is right without Redis', async () => {
    const row = new Row();
    const cache = await view(row, false);
    expect(await cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    row.revision = 2;
    await cache.moved('k', 2);
    expect(await cache.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('renews a key in use before it expires, so that nobody waits', async () => {
    const row = new Row();
    // Long against what a busy machine adds to a pause.
    const ageMs = 4000;
    const cache = await view(row, true, ageMs);
    await cache.get('k');
    // What was read before the subscription stood is dropped once it does.
    await sleep(300);
    await cache.get('k');
    const before = row.reads;
    await sleep(ageMs * 0.55);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    while (row.reads === before) await sleep(5);
    await sleep(ageMs * 0.55);
    expect(cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('takes an answer that was too long on its way for none', async () => {
    const row = new Row();
    const cache = await view(row);
    row.delay = sleep(maxAgeMs + 20);
    const failure: unknown = await Promise.resolve(cache.get('k')).catch((error: unknown) => error);
    expect(asProblem(failure)).to.have.property('code', 'dependency_unavailable');
    row.delay = null;
    expect(await cache.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });

  it('asks MySQL for a few keys at a time, and lets nobody wait for ever', async () => {
    const row = new Row();
    const cache = await view(row, false);
    let underWay = 0;
    let most = 0;
    row.load = async () => {
      most = Math.max(most, ++underWay);
      await sleep(20);
      underWay--;
      return { revision: 1, value: 'value' };
    };
    await Promise.all(Array.from({ length: 40 }, async (_, key) => cache.get(`k${key}`)));
    expect(most).to.equal(8);

    let mend = (): void => undefined;
    const mended = new Promise<void>((resolve) => (mend = resolve));
    row.load = () => mended.then(() => ({ revision: 1, value: 'value' }));
    const stuck = Array.from({ length: 8 }, async (_, key) => cache.get(`stuck${key}`));
    const settled = Promise.allSettled(stuck);
    const start = performance.now();
    const failure: unknown = await Promise.resolve(cache.get('behind')).catch((error: unknown) => error);
    expect(asProblem(failure)).to.have.property('code', 'dependency_unavailable');
    expect(performance.now() - start).to.be.within(1500, 4000);
    mend();
    await settled;
  });

  it('takes what it cannot decode as absent', async () => {
    const row = new Row();
    await (await views.connect()).writeIfNewer(views.keyOf('k'), 1, 'not JSON', 10_000);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });
});
