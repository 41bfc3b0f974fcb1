import { expect } from 'chai';
import { secondsBetween, type Processes } from '../support/costs.js';

/** Each process as its parent, and its own ticks and those of what it has waited for; 1 is the one that counts. */
const living = (all: Readonly<Record<number, readonly [parent: number, own: number, ended?: number]>>) =>
  new Map(Object.entries(all).map(([pid, [parent, own, ended = 0]]) => [Number(pid), { parent, own, ended }]));

const before: Processes = { ended: 1000, living: living({ 2: [1, 500], 3: [2, 300], 4: [3, 100, 50] }) };

describe('what the processes of a file took', () => {
  it('is what each has used since', () => {
    const now = { ended: 1000, living: living({ 2: [1, 700], 3: [2, 300], 4: [3, 110, 55], 5: [2, 20] }) };
    expect(secondsBetween(before, now)).to.be.closeTo(2.35, 1e-9);
  });

  it('is counted once where one has ended and was waited for', () => {
    const now = { ended: 1000, living: living({ 2: [1, 500, 460 + 90], 5: [2, 10] }) };
    expect(secondsBetween(before, now), 'what 3 and 4 had used was counted').to.be.closeTo(1.1, 1e-9);
    expect(secondsBetween(before, { ended: 1000 + 950 + 70, living: living({}) })).to.be.closeTo(0.7, 1e-9);
  });

  it('is nothing where nobody has waited for one that has ended', () => {
    const now = { ended: 1000, living: living({ 2: [1, 600], 3: [2, 300, 0] }) };
    expect(secondsBetween(before, now)).to.be.closeTo(1, 1e-9);
  });
});
