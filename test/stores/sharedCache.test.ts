import { expect } from 'chai';
import { asProblem } from '../../src/storage/database.js';
import { openViews, Row, type Views } from '../support/cacheViews.js';
import { ownTime } from '../support/ownTime.js';
import { eventually } from '../support/eventually.js';
import { allowedMs } from '../support/environment.js';

/** Long, as Redis counts it by a clock that no test moves. */
const maxAgeMs = 600_000;

describe('shared cache', () => {
  let views: Views;
  let view: Views['view'];
  beforeEach(() => {
    views = openViews(maxAgeMs);
    ({ view } = views);
  });
  afterEach(() => views.close());

  it('shares through Redis what another process has read', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await views.stored('k');
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
    expect(row.reads).to.equal(1);
  });

  it('tells the others at once', async () => {
    const row = new Row();
    const [one, two] = [await view(row), await view(row)];
    await two.get('k');
    row.revision = 2;
    await one.invalidate('k', 2);
    // No time passes, so that it is the message alone.
    await eventually(async () => (await two.get('k')).revision === 2);
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('does not let a late reader put the old value back', async () => {
    const row = new Row();
    const [late, other] = [await view(row), await view(row)];
    const mover = await views.connect();
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const reading = Promise.resolve(late.get('k'));
    await eventually(() => row.reads === 1);
    row.revision = 2;
    row.delay = null;
    // A move, whose message comes later: the late reader does not know of it when it writes.
    await mover.writeIfNewer(views.keyOf('k'), 2, '', maxAgeMs);
    go();
    await reading;
    // By the same connection as its late write, and so after it.
    await late.get('another');
    expect(await other.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    mover.publish(views.keyOf('k'), 2);
    await eventually(async () => (await late.get('k')).revision === 2);
    expect(await late.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('forgets within its age when the message is lost, also through Redis', async () => {
    const row = new Row();
    const two = await view(row);
    await two.get('k');
    row.revision = 2; // and nobody says so
    expect(await views.stored('k')).to.be.at.most(maxAgeMs);
    views.clock.ms += maxAgeMs;
    await views.forget('k');
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
    expect(await two.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('hands on no more life than is left', async () => {
    const row = new Row();
    let go = (): void => undefined;
    row.delay = new Promise((resolve) => (go = resolve));
    const first = await view(row);
    const reading = Promise.resolve(first.get('k'));
    await eventually(() => row.reads === 1);
    views.clock.ms += maxAgeMs * 0.6;
    go();
    await reading;
    expect(await views.stored('k')).to.be.at.most(maxAgeMs * 0.4);
    const second = await view(row);
    await second.get('k');
    expect(second.hits).to.deep.equal({ local: 0, redis: 1, mysql: 0 });
    row.revision = 2;
    await views.forget('k');
    views.clock.ms += maxAgeMs * 0.4;
    expect(await second.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('counts the time that an answer of Redis was on its way', async () => {
    const row = new Row();
    await (await view(row)).get('k');
    await views.stored('k');
    const late = await view(row);
    const answer = late.get('k');
    views.clock.ms += maxAgeMs * 0.3;
    await answer;
    expect(late.hits).to.deep.equal({ local: 0, redis: 1, mysql: 0 });
    row.revision = 2;
    await views.forget('k');
    views.clock.ms += maxAgeMs * 0.7;
    expect(await late.get('k')).to.deep.equal({ revision: 2, value: 'value 2' });
  });

  it('asks MySQL for a few keys at a time, and lets nobody wait for ever', async () => {
    const row = new Row();
    const cache = await view(row, false);
    let underWay = 0;
    let most = 0;
    row.load = async () => {
      most = Math.max(most, ++underWay);
      // Within one turn of the event loop, in which no time limit can come.
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
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
    const [start, took] = [performance.now(), ownTime()];
    const failure: unknown = await Promise.resolve(cache.get('behind')).catch((error: unknown) => error);
    expect(asProblem(failure)).to.have.property('code', 'dependency_unavailable');
    expect(took()).to.be.below(allowedMs(4000));
    expect(performance.now() - start).to.be.at.least(1500);
    mend();
    await settled;
  });

  it('takes what it cannot decode as absent', async () => {
    const row = new Row();
    await (await views.connect()).writeIfNewer(views.keyOf('k'), 1, 'not JSON', 600_000);
    expect(await (await view(row)).get('k')).to.deep.equal({ revision: 1, value: 'value 1' });
  });
});
