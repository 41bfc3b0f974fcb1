import { expect } from 'chai';
import { Counter, Source } from '../../../src/measures/counter.js';
import { valueAt } from '../../../workers/json/index.js';
import { millisecondsAt } from '../../../workers/sketch/index.js';
import { FieldCounts, fieldsOfText } from '../../../src/measures/fieldCounts.js';

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
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0, new Source());
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
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0, new Source());
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
    const counter = new Counter({ workspaceId: 'w', environmentId: 'e', decisionId: 'd', version: 1 }, 0, new Source());
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
    expect(millisecondsAt(second.times, 0.5)).to.be.closeTo(0.01, 0.001);
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
