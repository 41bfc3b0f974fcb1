import { expect } from 'chai';
import { JsonTexts, redactor, stringify, traceText, type Value } from '../../../../workers/engine/index.js';
import { program, runSync, single, table } from '../../../support/engine.js';

describe('a table of which no row matches', () => {
  const columns = { inputs: ['kind', 'day', 'weight', 'zone'], outputs: ['price'] };
  const modelOf = (
    rows: readonly Readonly<Record<string, string>>[],
    more: object = {},
    inputs: readonly string[] = columns.inputs,
  ) => single(table('t', { ...columns, inputs: [...inputs] }, [...rows], more));
  const entryOf = (model: unknown, fact: Value, more: object = {}) =>
    runSync(program(model), fact, { trace: true, ...more }).trace?.['t'];
  const nearestOf = (model: unknown, fact: Value, more: object = {}) => entryOf(model, fact, more)?.nearest;

  const rows = [
    { i0: "'a'", i1: '<= d("2027-01-31")', i2: '> 1', o0: '1' },
    { i0: "'b'", i1: '<= d("2027-06-30")', i2: '> 1', o0: '2' },
    { i0: "'b'", i1: '<= d("2027-05-30")', i2: '> 1', o0: '3' },
  ];
  const fact = { kind: 'b', day: '2027-06-30T14:30:00Z', weight: 5 };
  const missed = {
    index: 1,
    missed: [{ column: 'day', condition: '<= d("2027-06-30")', value: '“2027-06-30T14:30:00Z”' }],
  };

  it('tells the first of the rows of which the fewest conditions fail, and those with what they were asked of', () => {
    for (const hitPolicy of ['first', 'collect'])
      expect(nearestOf(modelOf(rows, { hitPolicy }), fact)).to.deep.equal(missed);
    expect(nearestOf(modelOf(rows), { kind: 'b', weight: 0 })).to.deep.equal({
      index: 1,
      missed: [
        { column: 'day', condition: '<= d("2027-06-30")', value: 'absent' },
        { column: 'weight', condition: '> 1', value: '0' },
      ],
    });
  });

  for (const [title, cells, value, wanted] of [
    ['numbers', ['[0..50)', '[50..200)', '[200..1000)', '> 5000'], 1000, 2],
    ['negative numbers', ['[-5..0)', '[-50..-40)', '< -90'], -60, 1],
    ['several ranges', ['[0..5], [20..30]', '[0..5], [60..70]', '[0..50)'], 51, 2],
    ['days', ['< d("2027-01-01")', '> d("2027-06-30")', '> d("2027-08-30")'], '2027-06-01', 1],
    ['times', ['time($) < time("06:00")', 'time($) > time("18:30")', 'time($) > time("18:00")'], '17:59', 2],
    ['texts, of which none is nearer', ['"a1"', '"a2"', '"a3"'], 'a3x', 0],
    ['rows alike', ['< 5', '> 25', '< 5'], 15, 0],
  ] as const)
    it(`tells the one whose bound lies nearest, of rows that fail in the same column: ${title}`, () => {
      const rows = cells.map((cell) => ({ i0: "'b'", i2: cell, o0: '1' }));
      for (const more of [[], [{ i0: "'x'", i2: '> 1e9', o0: '9' }]]) {
        const nearest = nearestOf(modelOf([...rows, ...more]), { kind: 'b', weight: value });
        expect(nearest?.index).to.equal(wanted);
        expect(nearest?.missed.map(({ condition }) => condition)).to.deep.equal([cells[wanted]]);
      }
    });

  it('tells the first of rows that fail in other columns, or nearer in one and farther in another', () => {
    const first = { i0: "'b'", i2: '< 5', i3: '> 100', o0: '1' };
    for (const other of [
      { i0: "'b'", i2: '< 9', i3: '> 200', o0: '2' },
      { i0: "'x'", i2: '< 9.9', o0: '2' },
    ])
      expect(nearestOf(modelOf([first, other]), { kind: 'b', weight: 10, zone: 50 })?.index).to.equal(0);
    const nearer = { ...first, i2: '< 9' };
    expect(nearestOf(modelOf([first, nearer]), { kind: 'b', weight: 10, zone: 50 })?.index).to.equal(1);
  });

  it('tells a row of which one condition fails also where a later row draws a number or takes too long', () => {
    const one = { i0: "'b'", i2: '< 5', o0: '1' };
    const drawing = { i0: "'b'", i2: '> rand(5) + 100', o0: '2' };
    expect(nearestOf(modelOf([one, drawing]), { kind: 'b', weight: 10 })?.index).to.equal(0);
    expect(nearestOf(modelOf([drawing, one]), { kind: 'b', weight: 10 })).to.equal(undefined);
    const long = { i0: "'b'", i2: 'some([0..60000], # == -1)', o0: '2' };
    expect(nearestOf(modelOf([one, long]), { kind: 'b', weight: 10 })?.index).to.equal(0);
    expect(nearestOf(modelOf([long, one]), { kind: 'b', weight: 10 })).to.equal(undefined);
  });

  it('tells nothing where a row matched, or was only passed over, and no row of which more than three conditions fail', () => {
    expect(entryOf(modelOf(rows), { ...fact, day: '2027-06-29' })).to.not.have.any.keys('unmatched', 'nearest');
    const passed = entryOf(modelOf([...rows, { o0: 'bonus * 2' }]), fact);
    expect(passed).to.include.keys('unmatched', 'passedOver').and.not.have.property('nearest');
    const far = [{ i0: '1', i1: '1', i2: '1', i3: '1', o0: '1' }];
    expect(entryOf(modelOf(far), {}))
      .to.include({ unmatched: true })
      .and.not.have.property('nearest');
  });

  it('never changes what comes after it: what a run draws, reads of the environment and may still do', () => {
    const drawn = modelOf([{ i0: "'b'", i1: '> rand(5)', o0: '1' }], {}, ['kind', 'weight']);
    let draws = 0;
    const random = () => (draws++, 0);
    expect(nearestOf(drawn, { kind: 'a', weight: 1 }, { random })).to.equal(undefined);
    expect(draws).to.equal(0);
    const reading = modelOf([{ i0: "'b'", i1: '$ == $env.key', o0: '1' }], {}, ['kind', 'weight']);
    const secrets = redactor({ key: 'topsecret' }).forRun();
    const guess = { kind: 'a', weight: 'topsecret' };
    const outcome = entryOf(reading, guess, { env: { key: 'topsecret' }, secrets });
    expect(outcome).to.not.have.property('nearest');
    expect(secrets.text('topsecret')).to.equal('topsecret');
    const many = modelOf(Array.from({ length: 300 }, (_, at) => ({ i0: `'x${at}'`, i1: 'contains($, "y")', o0: '1' })));
    const steps = (trace: boolean): number => {
      const { limits } = program(many).parts;
      let least = 1;
      while (runSync(program(many), { kind: 'z' }, { trace, limits: { ...limits, steps: least } }).status === 'FAILED')
        least++;
      return least;
    };
    expect(steps(true)).to.equal(steps(false));
  });

  it('ends where too many rows would be looked at, in all tables of a run together', () => {
    const table = modelOf([{ i0: '1', i1: '1', o0: '1' }]);
    const call = {
      id: 'c',
      type: 'decisionNode',
      name: 'C',
      content: { key: 'k', executionMode: 'loop', inputField: 'all' },
    };
    const target = program(single(call), { resolve: () => program(table) });
    const all = Array.from({ length: 20_000 }, () => ({}));
    const limits = { ...target.parts.limits, traceBytes: 1e9 };
    const told = stringify(runSync(target, { all }, { trace: true, limits }).trace ?? {});
    const count = (word: string): number => told.split(`"${word}":`).length - 1;
    expect(count('unmatched')).to.equal(all.length);
    expect(count('nearest')).to.be.within(1, all.length - 1);
  });

  it('is written as it is, and holds no long text', () => {
    const long = 'é"'.repeat(500);
    const model = modelOf([{ i0: `'${long}'`, o0: '1' }]);
    const { trace = {}, plain } = runSync(program(model), { kind: `${long}x` }, { trace: true });
    expect(trace['t']?.nearest?.missed).to.deep.equal([{ column: 'kind', condition: `'${long.slice(0, 79)}…` }]);
    expect(traceText(trace, new JsonTexts(plain)))
      .to.equal(stringify(trace))
      .and.include('"nearest":{');
  });
});
