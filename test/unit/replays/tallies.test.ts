import { expect } from 'chai';
import { noMeasure, type PieceTallies } from '../../../workers/models/index.js';
import { BoundedCounts } from '../../../src/replays/boundedCounts.js';
import { Tallies } from '../../../src/replays/tallies.js';
import { Times } from '../../../src/replays/times.js';

const piece = (changes: Partial<PieceTallies> = {}): PieceTallies => ({
  identical: 0,
  changed: 0,
  newlyFailed: 0,
  newlyCompleted: 0,
  skipped: {},
  fields: [],
  transitions: [],
  measures: [],
  outcomes: [],
  reached: [],
  beforeUs: [],
  afterUs: [],
  ...changes,
});

describe('BoundedCounts', () => {
  it('is exact for a thousand texts, the most frequent first', () => {
    const counts = new BoundedCounts();
    for (let round = 0; round < 3; round++) for (let n = 0; n < 1000; n++) counts.add(`t${n}`, n % 7);
    const expected = Array.from({ length: 1000 }, (_, n) => [`t${n}`, 3 * (n % 7)] as const);
    expect(counts.entries()).to.have.deep.members(expected);
    expect(counts.entries()[0]).to.deep.equal(['t104', 18]);
  });

  it('keeps what is frequent among any number of rare ones, and never counts too much', () => {
    const counts = new BoundedCounts();
    for (let n = 0; n < 100_000; n++) {
      counts.add(`rare ${n}`, 1);
      if (n % 10 === 0) counts.add(`frequent ${n % 100}`, 1);
    }
    const entries = counts.entries();
    expect(entries.length).to.be.at.most(1000);
    expect(entries.slice(0, 10).map(([text]) => text)).to.have.members(
      Array.from({ length: 10 }, (_, n) => `frequent ${n * 10}`),
    );
    for (const [text, count] of entries) expect(count).to.be.at.most(text.startsWith('f') ? 1000 : 1);
    expect(entries[9]?.[1]).to.be.at.least(950);
  });

  it('holds few long texts, and none that is too long', () => {
    const counts = new BoundedCounts();
    for (let n = 0; n < 1000; n++) counts.add(`${n}`.padStart(4000, '-'), 1);
    expect(counts.entries().reduce((sum, [text]) => sum + text.length, 0)).to.be.within(100_000, 256 * 1024);
    expect(new BoundedCounts([['x'.repeat(5000), 9]]).entries()).to.deep.equal([]);
  });
});

describe('Times', () => {
  it('has quantiles within 2 %, in milliseconds', () => {
    const times = new Times();
    expect(times.quantile(0.5)).to.equal(null);
    for (let us = 1; us <= 10_000; us++) times.record(us);
    expect(times.quantile(0.5)).to.be.closeTo(5, 0.1);
    expect(times.quantile(0.99)).to.be.closeTo(9.9, 0.2);
    expect(new Times(times.toJSON()).quantile(0.99)).to.equal(times.quantile(0.99));
  });
});

describe('Tallies', () => {
  const measure = { runs: 2, hits: 1, numbers: 1, sum: '0.1', min: 0.1, max: 0.1 };

  it('makes a report of pieces, whatever was kept between them', () => {
    let tallies = new Tallies();
    for (let count = 0; count < 3; count++) {
      tallies.add(
        piece({
          identical: 2,
          changed: 1,
          skipped: { http: 1 },
          fields: [['/a', 1]],
          transitions: [['{"pointer":"/a","before":0.1000000000000000000001,"after":2}', 1]],
          measures: [{ before: measure, after: noMeasure }],
          beforeUs: [100],
          afterUs: [200],
        }),
      );
      tallies = Tallies.parse(JSON.stringify(tallies));
    }
    const other = new Tallies();
    other.add(piece({ newlyFailed: 1, newlyCompleted: 2, skipped: { http: 1, fact_redacted: 1 } }));
    other.merge(tallies);
    const measures = (['sum', 'mean', 'count', 'min', 'max', 'share'] as const).map((aggregate) => {
      return { name: aggregate, expression: '', aggregate };
    });
    const report = other.report({ measures: measures.slice(0, 1), outcomes: [], stated: null });
    expect(report).to.include('"transitions":[{"pointer":"/a","before":0.1000000000000000000001,"after":2,"count":3}]');
    const { engine, ...counts } = JSON.parse(report) as { engine: Record<string, { p50: number }> };
    expect(counts).to.deep.equal({
      replayed: 12,
      identical: 6,
      changed: 3,
      newlyFailed: 1,
      newlyCompleted: 2,
      skipped: { http: 4, fact_redacted: 1 },
      fields: [{ pointer: '/a', count: 3 }],
      transitions: [{ pointer: '/a', before: 0.1, after: 2, count: 3 }],
      measures: [{ name: 'sum', before: 0.3, after: 0 }],
    });
    expect(engine['before']?.p50).to.be.closeTo(0.1, 0.002);
    expect(engine['after']?.p50).to.be.closeTo(0.2, 0.004);
  });

  it('gives each aggregate of a measure', () => {
    const tallies = new Tallies();
    const before = { runs: 4, hits: 3, numbers: 2, sum: '0.3', min: 0.1, max: 0.2 };
    const pair = { before, after: { ...noMeasure, runs: 4 } };
    const all = ['sum', 'mean', 'count', 'min', 'max', 'share'] as const;
    tallies.add(piece({ measures: all.map(() => pair) }));
    const measures = all.map((aggregate) => ({ name: aggregate, expression: '', aggregate }));
    const { measures: made } = JSON.parse(tallies.report({ measures, outcomes: [], stated: null })) as {
      measures: unknown;
    };
    expect(made).to.deep.equal([
      { name: 'sum', before: 0.3, after: 0 },
      { name: 'mean', before: 0.15, after: null },
      { name: 'count', before: 3, after: 0 },
      { name: 'min', before: 0.1, after: null },
      { name: 'max', before: 0.2, after: null },
      { name: 'share', before: 0.75, after: 0 },
    ]);
  });

  it('is empty where nothing was counted', () => {
    const tallies = new Tallies();
    expect([tallies.isEmpty, Tallies.parse('').isEmpty]).to.deep.equal([true, true]);
    tallies.skip('dropped');
    expect(tallies.isEmpty).to.equal(false);
  });
});
