import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { createRounds, type Entry } from '../../../src/inquiries/rounds.js';

describe('rounds of what arrives together', () => {
  const full = new Problem('dependency_unavailable', 'full', { retryAfter: 1 });

  it('what waits is bounded: beyond that it is refused at once, and room is used again', async () => {
    const rounds: (readonly Entry<number, number>[])[] = [];
    const ended: (() => void)[] = [];
    const add = createRounds<number, number>({
      work: (entries) => {
        rounds.push(entries);
        return new Promise((resolve) => ended.push(resolve));
      },
      maxSize: 2,
      maxUnderWay: 1,
      maxWaiting: 5,
      patienceMs: 60_000,
      refusal: () => full,
    });
    const outcomes: unknown[] = [];
    const ask = (item: number): void =>
      void add(item).then(
        (result) => outcomes.push(result),
        (error: unknown) => outcomes.push([item, error]),
      );
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    for (const item of [1, 2]) ask(item);
    await turn();
    for (const item of [3, 4, 5, 6, 7, 8, 9]) ask(item);
    await turn();
    expect(outcomes).to.deep.equal([
      [8, full],
      [9, full],
    ]);
    const endRound = async (): Promise<void> => {
      for (const { item, done } of rounds.at(-1) ?? []) done(item * 10);
      ended.at(-1)?.();
      await turn();
    };
    await endRound();
    for (const item of [10, 11, 12]) ask(item);
    await turn();
    expect(outcomes.slice(2)).to.deep.equal([10, 20, [12, full]]);
    for (let rest = 0; rest < 4; rest++) await endRound();
    expect(rounds.map((entries) => entries.map(({ item }) => item))).to.deep.equal([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 10],
      [11],
    ]);
    expect(outcomes.slice(5)).to.deep.equal([30, 40, 50, 60, 70, 100, 110]);
  });

  it('what goes on waiting after its round counts as waiting', async () => {
    const set: Entry<number, number>[] = [];
    const add = createRounds<number, number>({
      work: (entries) => Promise.resolve(void set.push(...entries)),
      maxSize: 2,
      maxUnderWay: 1,
      maxWaiting: 2,
      patienceMs: 60_000,
      refusal: () => full,
    });
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const first = [add(1), add(2)];
    await turn();
    expect(await add(3).catch((error: unknown) => error)).to.equal(full);
    for (const { item, done } of set) done(item * 10);
    expect(await Promise.all(first)).to.deep.equal([10, 20]);
    const next = add(4);
    await turn();
    set.at(-1)?.done(40);
    expect(await next).to.equal(40);
  });
});
