import { expect } from 'chai';
import { noFit, noMeasure, type PieceTallies } from '../../../workers/models/index.js';
import { BoundedCounts } from '../../../src/replays/boundedCounts.js';
import { reportWithoutErased, talliesWithoutErased } from '../../../src/replays/withoutErased.js';
import { ErasedResults } from '../../../src/replays/erasedResults.js';
import { Tallies } from '../../../src/replays/tallies.js';

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

describe('Tallies', () => {
  const measure = { runs: 2, hits: 1, numbers: 1, sum: '0.1', min: 0.1, max: 0.1 };

  it('makes a report of pieces, whatever was kept between them', () => {
    let tallies = new Tallies();
    for (let count = 0; count < 5; count++) {
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
    expect(report).to.include('"transitions":[{"pointer":"/a","before":0.1000000000000000000001,"after":2,"count":5}]');
    const { engine, ...counts } = JSON.parse(report) as { engine: Record<string, { p50: number }> };
    expect(counts).to.deep.equal({
      replayed: 18,
      identical: 10,
      changed: 5,
      newlyFailed: 1,
      newlyCompleted: 2,
      skipped: { http: 6, fact_redacted: 1 },
      fields: [{ pointer: '/a', count: 5 }],
      transitions: [{ pointer: '/a', before: 0.1, after: 2, count: 5 }],
      measures: [{ name: 'sum', before: 0.5, after: 0 }],
    });
    expect(engine['before']?.p50).to.be.closeTo(0.1, 0.002);
    expect(engine['after']?.p50).to.be.closeTo(0.2, 0.004);
  });

  it('keep and show no value of fewer than five executions, in whatever pieces they come', () => {
    const row = '{"pointer":"/a","before":"Anna","after":"ANNA"}';
    const table = '{"before":"Anna","after":"ANNA","outcome":true}';
    const one = { unknown: 0, known: 1, before: noFit, after: noFit };
    const settings = { measures: [], outcomes: ['paid'], stated: null };
    const shown = (tallies: Tallies) => {
      const { transitions, outcomes } = JSON.parse(tallies.report(settings)) as {
        transitions: object[];
        outcomes: { table: object[] }[];
      };
      return [...transitions, ...(outcomes[0]?.table ?? [])];
    };
    let tallies = new Tallies();
    for (let count = 1; count <= 7; count++) {
      // As a shadow adds what it has counted in memory.
      const counted = new Tallies();
      const piece1 = piece({ changed: 1, transitions: [[row, 1]], outcomes: [{ ...one, table: [[table, 1]] }] });
      if (count % 2 === 0) counted.add(piece1);
      else tallies.add(piece1);
      tallies.merge(counted);
      const kept = JSON.stringify(tallies);
      if (count < 5) {
        expect(kept.toLowerCase()).to.not.include('anna');
        const [transition, outcome] = shown(tallies) as { hash: string }[];
        const [hash, other] = [transition?.hash, outcome?.hash];
        expect(hash).to.match(/^[0-9a-f]{32}$/);
        expect(shown(tallies)).to.deep.equal([
          { pointer: '/a', hash, count },
          { hash: other, count },
        ]);
      } else {
        expect(shown(tallies)).to.deep.equal([
          { pointer: '/a', before: 'Anna', after: 'ANNA', count },
          { before: 'Anna', after: 'ANNA', outcome: true, count },
        ]);
      }
      tallies = Tallies.parse(kept);
    }
  });

  it('hide a value again where fewer than five are left that were not erased, whatever was made of it', async () => {
    const rows = ['{"pointer":"/name","before":"Anna","after":"x"}', '{"pointer":"/made","after":"ANNA"}'] as const;
    const settings = { measures: [], outcomes: [], stated: null };
    const tallies = new Tallies();
    tallies.add(piece({ changed: 6, transitions: rows.map((row) => [row, 6]) }));
    let kept = JSON.stringify(tallies);
    let report = tallies.report(settings);
    const results = new ErasedResults([{ name: 'Anna' }]);
    for (let erased = 1; erased <= 6; erased++) {
      kept = await talliesWithoutErased(kept, { results, statedPointer: '', measures: [] });
      report = await reportWithoutErased(report, { results, statedPointer: '', measures: [] });
      const again = Tallies.parse(kept);
      for (const text of [kept, report, again.report(settings)])
        expect(text.toLowerCase().includes('anna'), text).to.equal(erased === 1);
      expect((JSON.parse(report) as { transitions: { count: number }[] }).transitions[0]).to.deep.include({ count: 6 });
      // Further executions count to what is hidden.
      again.add(piece({ changed: 1, transitions: rows.map((row) => [row, 1]) }));
      expect(again.report(settings).includes('Anna')).to.equal(erased <= 2);
    }
  });

  it('leave others alone where executions are erased that had another value there', async () => {
    const tallies = new Tallies();
    tallies.add(piece({ changed: 6, transitions: [['{"pointer":"/name","before":"Anna","after":"x"}', 5]] }));
    const kept = JSON.stringify(tallies);
    const results = new ErasedResults([{ name: 'Bertha', other: 'Anna' }, {}, undefined]);
    expect(await talliesWithoutErased(kept, { results, statedPointer: '', measures: [] })).to.equal(kept);
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

  it('forgets least, greatest and sums of few where executions are erased, and counts on', async () => {
    const all = ['sum', 'mean', 'count', 'min', 'max', 'share'] as const;
    const measures = all.map((aggregate) => ({ name: aggregate, expression: '', aggregate }));
    const settings = { measures, outcomes: [], stated: null };
    const measure = { runs: 6, hits: 6, numbers: 6, sum: '60.5', min: 1, max: 50.5 };
    const pair = { before: measure, after: measure };
    const one = { ...measure, runs: 1, hits: 1, numbers: 1, sum: '2' };
    for (const [erased, sum, later] of [
      [1, 60.5, 62.5],
      [2, null, null],
    ] as const) {
      const tallies = new Tallies();
      tallies.add(piece({ identical: 6, measures: all.map(() => pair) }));
      const by = { results: new ErasedResults(Array(erased).fill({})), statedPointer: '', measures };
      const kept = await talliesWithoutErased(JSON.stringify(tallies), by);
      const again = Tallies.parse(kept);
      const told = { sum, mean: sum === null ? null : sum / 6, count: 6, min: null, max: null, share: 1 };
      const shown = all.map((name) => ({ name, before: told[name], after: told[name], erased }));
      for (const report of [await reportWithoutErased(tallies.report(settings), by), again.report(settings)])
        expect((JSON.parse(report) as { measures: object }).measures).to.deep.equal(shown);
      expect(kept.includes('50.5')).to.equal(false);
      again.add(piece({ identical: 1, measures: all.map(() => ({ before: one, after: one })) }));
      const { measures: last } = JSON.parse(again.report(settings)) as { measures: { before: unknown }[] };
      expect(last.map(({ before }) => before)).to.deep.equal([
        ...[later, later === null ? null : later / 7, 7, null, null, 1],
      ]);
    }
  });

  it('is empty where nothing was counted', () => {
    const tallies = new Tallies();
    expect([tallies.isEmpty, Tallies.parse('').isEmpty]).to.deep.equal([true, true]);
    tallies.skip('dropped');
    expect(tallies.isEmpty).to.equal(false);
  });
});
