import { expect } from 'chai';
import { Counter } from '../../../src/measures/counter.js';
import { EngineTimes } from '../../../src/measures/engineTimes.js';
import { valueAt } from '../../../workers/valueAt.js';
import { FieldCounts, fieldsOfText } from '../../../src/measures/fieldCounts.js';
import { NumberSketch } from '../../../src/measures/numberSketch.js';

/** Park and Miller, 1988. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('what counts executions', () => {
  describe('the place of a field in a result', () => {
    const at = (json: unknown, pointer: string): unknown => valueAt(JSON.parse(JSON.stringify(json)), pointer);

    it('is found, whatever stands around it', () => {
      const hostile = {
        'a"b': '{"x":1}',
        x: { x: '"x":2', y: ['],', { x: 3 }] },
        '': 'e',
        'm~n/o': -1.5e-7,
        '\\': '\\"',
      };
      for (const [pointer, value] of [
        ['', hostile],
        ['/a"b', '{"x":1}'],
        ['/x/x', '"x":2'],
        ['/x/y/1/x', 3],
        ['/x/y/0', '],'],
        ['/', 'e'],
        ['/m~0n~1o', -1.5e-7],
        ['/\\', '\\"'],
        ['/x/y/2', undefined],
        ['/x/y/01', undefined],
        ['/nothing', undefined],
        ['/x/y/length', undefined],
        ['/__proto__', undefined],
        ['/a"b/x', undefined],
      ] as const) {
        expect(at(hostile, pointer), pointer).to.deep.equal(value);
      }
      expect(at([], '/0')).to.equal(undefined);
      expect(at({}, '/x')).to.equal(undefined);
      expect(at(7, '/x')).to.equal(undefined);
    });
  });

  describe('a sketch of numbers', () => {
    const random = seeded(11);
    const numbers = Array.from({ length: 30_000 }, () => (random() - 0.3) * 10 ** (random() * 12 - 4));
    const sketchOf = (some: readonly number[]): NumberSketch => {
      const sketch = new NumberSketch();
      for (const number of some) sketch.record(number);
      return sketch;
    };

    it('is the same in any order, and merged of any parts', () => {
      const whole = sketchOf(numbers).toJSON();
      expect(sketchOf([...numbers].reverse()).toJSON()).to.deep.equal(whole);
      const merged = new NumberSketch();
      for (const from of [20_000, 0, 10_000]) {
        merged.merge(JSON.parse(JSON.stringify(sketchOf(numbers.slice(from, from + 10_000)))) as typeof whole);
      }
      expect(merged.toJSON()).to.deep.equal(whole);
      expect(whole.buckets.length).to.be.at.most(512);
      expect(merged.count).to.equal(30_000);
    });

    it('gives quantiles to a percent while the numbers are of one kind', () => {
      const amounts = Array.from({ length: 10_000 }, () => 100 + 900 * random()).sort((a, b) => a - b);
      const sketch = sketchOf(amounts);
      for (const share of [0.01, 0.25, 0.5, 0.75, 0.99]) {
        const wanted = amounts[Math.ceil(share * amounts.length) - 1]!;
        expect(sketch.quantile(share)! / wanted).to.be.within(0.99, 1.01);
      }
      expect(sketchOf([0, 0, 0]).quantile(0.5)).to.equal(0);
      expect(sketchOf([-5, -5, 7]).quantile(0.5)).to.be.within(-5.05, -4.95);
      expect(new NumberSketch().quantile(0.5)).to.equal(null);
      expect(sketchOf([Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, Infinity]).count).to.equal(4);
    });
  });

  it('times give quantiles to 3 %, from nothing to an hour', () => {
    for (const scale of [1, 30, 1000, 1e6, 3e9]) {
      const times = new EngineTimes();
      for (let n = 1; n <= 1000; n++) times.record(Math.round((scale * n) / 1000));
      for (const share of [0.5, 0.99]) {
        const wanted = Math.round(scale * share) / 1000;
        expect(times.quantile(share)!).to.be.within(wanted * 0.965 - 0.0011, wanted * 1.035 + 0.0011);
      }
    }
    expect(new EngineTimes().quantile(0.5)).to.equal(null);
  });

  it('times are the same together, whether they are added up as they are or from what was kept of them', () => {
    const random = seeded(3);
    const [all, parts, texts] = [new EngineTimes(), new EngineTimes(), new EngineTimes()];
    for (let part = 0; part < 50; part++) {
      const times = new EngineTimes();
      for (let run = Math.floor(random() * 40); run > 0; run--) {
        const us = Math.floor(10 ** (random() * 9));
        times.record(us);
        all.record(us);
      }
      parts.merge(times);
      texts.mergeText(JSON.stringify(times));
    }
    expect(parts.toJSON()).to.deep.equal(all.toJSON());
    expect(texts.toJSON()).to.deep.equal(all.toJSON());
  });

  it('a model with another text in each result stays within its bytes, and what is frequent is found', () => {
    const field = new FieldCounts();
    const count = (result: string): void => field.count(fieldsOfText(result, ['/text']).texts[0]!);
    for (let n = 0; n < 20_000; n++) {
      count(JSON.stringify({ text: n % 4 === 0 ? 'often' : `text ${n}`, filled: 'x'.repeat(n % 500) }));
    }
    count(JSON.stringify({ text: 'x'.repeat(10_000) }));
    count('{"text":[1]}');
    field.count(fieldsOfText('{}', ['/text']).texts[0]!);
    const { values, others, absent } = field.toJSON();
    expect(JSON.stringify(field).length).to.be.below(16_384);
    expect(values[0]).to.deep.equal(['"often"', 5000]);
    expect(absent).to.equal(1);
    expect(values.reduce((sum, [, count]) => sum + count, others)).to.equal(20_002);
  });

  it('results that came before it was known what is measured are counted too', () => {
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0);
    counter.count({ status: 'COMPLETED', engineUs: 10, result: '{"a":1}' });
    counter.count({ status: 'FAILED', engineUs: 10, result: '{"error":"a"}' });
    counter.begin(['/a']);
    counter.count({ status: 'COMPLETED', engineUs: 10, result: '{"a":true}' });
    const addition = counter.take();
    expect(addition).to.include({ number: 1, count: 3, failed: 1 });
    const field = addition.fields!.get('/a')!.toJSON();
    expect(field.values).to.deep.equal([['true', 1]]);
    expect(field.numbers.buckets).to.have.length(1);
  });

  it('fields that a thread took are counted as they are, and a long result is not read for others', () => {
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0);
    counter.begin(['/a']);
    // It is no JSON: whoever reads it throws.
    const run = { status: 'COMPLETED', engineUs: 10, result: 'x'.repeat(4_000_000) } as const;
    counter.count({ ...run, measured: { pointers: ['/a'], texts: ['"taken"'] } });
    counter.count({ ...run, measured: { pointers: ['/b'], texts: ['"another"'] } });
    counter.count(run);
    const field = counter.take().fields!.get('/a')!.toJSON();
    expect(field).to.deep.include({ values: [['"taken"', 1]], others: 2, absent: 0 });
  });

  it('what was taken to be written is the same until it is, and what comes meanwhile is the next', () => {
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0);
    counter.begin(['/a']);
    const count = (a: unknown): void =>
      counter.count({ status: 'COMPLETED', engineUs: 10, result: JSON.stringify({ a }) });
    count('x');
    const first = counter.take();
    count('y');
    expect(counter.take()).to.equal(first);
    expect([first.count, first.fields!.get('/a')!.toJSON().values]).to.deep.equal([1, [['"x"', 1]]]);
    counter.written();
    expect(counter.isWritten).to.equal(false);
    const second = counter.take();
    expect(second).to.include({ number: 2, count: 1, failed: 0 });
    expect(second.fields!.get('/a')!.toJSON().values).to.deep.equal([['"y"', 1]]);
    expect(second.times.toJSON()).to.deep.equal([[10, 1]]);
    counter.written();
    expect(counter.isWritten).to.equal(true);
  });

  it('a result that is forgotten counts as one without the field, whatever was counted of it', () => {
    const counted = new FieldCounts();
    const textOf = (result: string) => fieldsOfText(result, ['/a']).texts[0]!;
    const results = ['{"a":"x"}', '{"a":"x"}', '{"a":7}', '{"a":[1]}', `{"a":"${'y'.repeat(300)}"}`, '{}'].map(textOf);
    for (const result of results) counted.count(result);
    const field = new FieldCounts();
    field.merge(counted.toJSON());
    expect(field.forget('"z"')).to.equal(false);
    for (const result of results) if (!field.forget(result)) field.forgetOther(result);
    expect(field.toJSON()).to.deep.equal({ values: [], others: 0, absent: 6, numbers: { level: 0, buckets: [] } });
  });
});
