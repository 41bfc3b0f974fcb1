import { expect } from 'chai';
import { idFromBytes, idTime, idToBytes, isUuid, newId } from '../../../src/storage/ids.js';
import { uuidV7 } from '../../support/asserts.js';
import { stopClock } from '../../support/clock.js';

describe('ids', () => {
  it('are UUIDv7 of now, ascending in the order they were made, and all different', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, newId);
    const after = Date.now();
    expect([...ids].sort()).to.deep.equal(ids);
    expect(new Set(ids).size).to.equal(ids.length);
    for (const id of ids) expect(id).to.match(uuidV7);
    const ms = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(ms(ids[0]!)).to.be.within(before, after);
    // The order costs no more than what the clock lags behind: 4096 ids a millisecond.
    expect(ms(ids.at(-1)!)).to.be.within(before, after + 10);
  });

  it('keep their order where more are made in a millisecond than it has room for: the next ones are taken', () => {
    const clock = stopClock();
    const ids = Array.from({ length: 10_000 }, newId);
    clock.release();
    expect([...ids].sort()).to.deep.equal(ids);
    expect(idTime(ids.at(-1)!).getTime() - idTime(ids[0]!).getTime()).to.be.within(2, 3);
  });

  it('follow a clock that is set back by hours, for they are read as times', async () => {
    const clock = stopClock();
    await clock.pass(24 * 60 * 60 * 1000);
    newId();
    clock.release();
    const before = Date.now();
    const ms = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(ms).to.be.within(before, Date.now() + 1000);
  });

  it('go to 16 bytes and back, and only UUIDs are taken as such', () => {
    const id = newId();
    expect(idToBytes(id)).to.have.length(16);
    expect(idFromBytes(idToBytes(id))).to.equal(id);
    for (const text of ['', 'x', id.slice(1), `${id}0`, id.replaceAll('-', ''), `{${id}}`])
      expect(isUuid(text)).to.equal(false);
    expect(isUuid(id.toUpperCase())).to.equal(true);
  });
});
