import { expect } from 'chai';
import { randomFrom } from '../../../workers/random.js';
import { bytesBeside, residentBytes, residentBytesBeside } from '../../bench/processes.js';
import { flatnessOf, type Life } from '../../bench/soak/memory.js';
import { halfAnHour, lifeOf, type Moment } from './lives.js';

const megabyte = 2 ** 20;
const share = (seconds: number): number => seconds / halfAnHour;

describe('the judgement of memory', () => {
  it('noise and a warm-up are flat, a leak is not', () => {
    const noise = (at: number): number => 20 * Math.sin(at * 1.7);
    const of = (mbAt: (moment: Moment) => number): Life[] => [lifeOf({ until: 101 }, mbAt)];
    expect(flatnessOf(of(({ at }) => 300 + noise(at))).flat).to.equal(true);
    expect(flatnessOf(of(({ at }) => (at < 8 ? 100 + at * 20 : 300 + noise(at)))).flat).to.equal(true);
    const leak = flatnessOf(of(({ at }) => 300 + noise(at) + at));
    expect(leak.flat).to.equal(false);
    expect(leak.grownMb).to.be.closeTo(90, 10);
  });

  it('a process that lives through everything: a leak of 30 MB in half an hour is found in its heap and its memory', () => {
    const random = randomFrom(7);
    // A young generation that fills and is emptied, on what stays.
    const heap = ({ age }: Moment): number => 60 + 40 * (1 - Math.exp(-age / 30)) + ((age * 7) % 64) + 10 * random();
    const memory = ({ age }: Moment): number => 180 + 140 * (1 - Math.exp(-age / 40)) + 60 * random();
    for (const mbAt of [heap, memory]) {
      expect(flatnessOf([lifeOf({ until: halfAnHour }, mbAt)]).flat).to.equal(true);
      const leaking = (moment: Moment): number => mbAt(moment) + 30 * share(moment.age);
      const found = flatnessOf([lifeOf({ until: halfAnHour }, leaking)]);
      expect(found.flat).to.equal(false);
      expect(found.grownMb).to.be.closeTo(27, 6);
    }
  });

  it('memory that rises and falls as threads come and go is no leak, and one of 250 MB is found in it', () => {
    const wandering = ({ at }: Moment): number => 460 + 80 * Math.sin(at / 130) + 60 * Math.sin(at * 1.7);
    const of = (leak: number): Life[] => [
      lifeOf({ until: halfAnHour }, (moment) => wandering(moment) + leak * share(moment.age)),
    ];
    expect(flatnessOf(of(0)).flat).to.equal(true);
    expect(flatnessOf(of(60))).to.include({ flat: true, byChance: true });
    expect(flatnessOf(of(250)).flat).to.equal(false);
  });

  it('of a MySQL, its buffer pool is not counted, however much of it was touched', () => {
    const mapping = (sizeKb: number, residentKb: number): string =>
      `7f00-7f01 rw-p 00000000 00:00 0\nSize: ${sizeKb} kB\nKernelPageSize: 4 kB\nRss:    ${residentKb} kB\nPss: 1 kB\n`;
    const of = (pool: number, heap: number): number =>
      bytesBeside(mapping(65_404, heap) + mapping(140_752, pool) + mapping(32, 8), 128 * megabyte);
    expect(of(30_000, 100)).to.equal(108 * 1024);
    expect(of(130_000, 100)).to.equal(of(30_000, 100));
    expect(of(30_000, 200)).to.equal(208 * 1024);
    expect(bytesBeside('', 1)).to.equal(0);
  });

  it('of this process, all is counted where no block is large', () => {
    const all = residentBytes(process.pid);
    expect(residentBytesBeside(process.pid, Infinity)).to.be.within(all * 0.8, all * 1.2);
  });
});
