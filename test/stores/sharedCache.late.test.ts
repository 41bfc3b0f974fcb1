import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { asProblem } from '../../src/storage/database.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { openViews, Row, type Views } from '../support/cacheViews.js';

const maxAgeMs = 900;

describe('a read that comes back when it is too old to be used', () => {
  let views: Views;
  let row: Row;
  beforeEach(() => {
    views = openViews(maxAgeMs);
    row = new Row();
  });
  afterEach(() => views.close());

  it('is made again where MySQL is well and only the machine busy, and nobody who waits is refused', async () => {
    const view = await views.view(row, false);
    let come = (): void => undefined;
    row.delay = new Promise((resolve) => (come = resolve));
    const waiting = [1, 2].map(async () => view.get('k'));
    await sleep(1);
    views.clock.ms += maxAgeMs;
    row.delay = null;
    row.revision = 2;
    come();
    const found = { revision: 2, value: 'value 2' };
    expect(await Promise.all(waiting)).to.deep.equal([found, found]);
    expect(row.reads).to.equal(2);
    expect(view.get('k'), 'at hand').to.deep.equal(found);
  });

  it('is made again after a long standstill too', async () => {
    const view = await views.view(row, false);
    let come = (): void => undefined;
    row.delay = new Promise((resolve) => (come = resolve));
    const waiting = view.get('k');
    await sleep(1);
    views.clock.ms += 60_000;
    row.delay = null;
    come();
    expect(await waiting).to.deep.equal({ revision: 1, value: 'value 1' });
    expect(row.reads).to.equal(2);
  });

  it('is given up where MySQL stays that slow', async () => {
    const view = await views.view(row, false);
    const load = row.load.bind(row);
    row.load = () => {
      views.clock.ms += maxAgeMs;
      return load();
    };
    const refusal: unknown = await Promise.resolve(view.get('k')).catch((error: unknown) => error);
    expect(asProblem(refusal)).to.have.property('code', 'dependency_unavailable');
    expect(row.reads).to.equal(3);
  });
});

describe('a write that Redis gets to late', () => {
  let redis: Service;
  let views: Views;
  beforeEach(async () => {
    redis = await startService('redis');
    views = openViews(maxAgeMs, redis.url);
  });
  afterEach(async () => {
    redis.thaw();
    views.close();
    await redis.end();
  });

  it('puts nothing old back with a fresh life', async () => {
    const row = new Row();
    let come = (): void => undefined;
    row.delay = new Promise((resolve) => (come = resolve));
    const early = await views.view(row);
    const reading = early.get('k');
    await eventually(() => row.reads === 1);
    redis.freeze();
    come();
    expect(await reading).to.have.property('revision', 1);
    // It moves, and what is said of that is lost.
    row.revision = 2;
    row.delay = null;
    await sleep(maxAgeMs + 100);
    redis.thaw();
    const cold = await views.view(row);
    expect(await cold.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });
});

describe('a value that has not moved', () => {
  const longMs = 600_000;
  let views: Views;
  let row: Row;
  beforeEach(() => {
    views = openViews(longMs);
    row = new Row();
  });
  afterEach(() => views.close());

  it('is neither decoded again by who has it, nor encoded again for the others', async () => {
    const [one, two] = [await views.view(row), await views.view(row)];
    await one.get('k');
    await views.stored('k');
    await two.get('k');
    for (const view of [one, two, one, two]) {
      views.clock.ms += longMs;
      expect(await view.get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    }
    expect([one.hits, two.hits, row.coded]).to.deep.equal([
      { local: 0, redis: 2, mysql: 1 },
      { local: 0, redis: 3, mysql: 0 },
      { encoded: 1, decoded: 1 },
    ]);
  });

  it('gets a new life in Redis when it is read of MySQL again, and is put there again where it is gone', async () => {
    const view = await views.view(row);
    let come = (): void => undefined;
    row.delay = new Promise((resolve) => (come = resolve));
    const reading = view.get('k');
    await eventually(() => row.reads === 1);
    views.clock.ms += longMs * 0.3;
    row.delay = null;
    come();
    await reading;
    expect(await views.stored('k')).to.be.at.most(longMs * 0.7);
    views.clock.ms += longMs * 0.3;
    // In use and half as old as it may be: it is read again.
    await view.get('k');
    await eventually(async () => (await views.stored('k')) > longMs * 0.7);
    expect([row.reads, row.coded.encoded]).to.deep.equal([2, 1]);
    await views.forget('k');
    views.clock.ms += longMs;
    await view.get('k');
    await eventually(() => row.coded.encoded === 2);
    expect(row.reads).to.equal(3);
  });

  it('is not taken for one that moved, even where its revision begins alike', async () => {
    const view = await views.view(row);
    await view.get('k');
    await views.stored('k');
    for (const revision of [10, 1000]) {
      row.revision = revision;
      await (await views.view(row)).invalidate('k', revision);
      await (await views.view(row)).get('k');
      await eventually(async () => (await view.get('k')).revision === revision);
      expect(await view.get('k')).to.deep.equal({ revision, value: `value ${revision}` });
    }
  });
});
