import { expect } from 'chai';
import fc from 'fast-check';
import { EngineError, validate } from '../../../workers/engine/index.js';
import type { Value, ValueObject } from '../../../workers/engine/values.js';
import { compileExpression } from '../../../workers/engine/zen/index.js';
import { includes, splitAt } from '../../../workers/engine/zen/search.js';
import { expressions, graph, input } from '../../support/engine.js';
import { ownTime } from '../../support/ownTime.js';
import { buildScope } from '../../support/zen.js';
import { allowedMs, cases } from '../../support/environment.js';

/** An operation, and data whose size doubles with `size`. */
interface Operation {
  readonly source: string;
  readonly size: number;
  readonly data: (size: number) => ValueObject;
}

const numbers = (size: number): Value[] => Array.from({ length: size }, (_, at) => (at * 7919) % size);
const a = (size: number): string => 'a'.repeat(size);

/** Operations whose time could grow faster than what they are given. */
const operations: readonly Operation[] = [
  { source: 'contains(x, y)', size: 250_000, data: (n) => ({ x: a(n), y: `${a(n / 2)}b` }) },
  { source: 'contains(x, y)', size: 250_000, data: (n) => ({ x: 'ab'.repeat(n / 2), y: `b${'ab'.repeat(n / 4)}b` }) },
  { source: 'len(split(x, y))', size: 250_000, data: (n) => ({ x: a(n), y: `${a(n / 2)}b` }) },
  { source: 'len(split(x, y))', size: 250_000, data: (n) => ({ x: a(n), y: '' }) },
  { source: 'startsWith(x, y) or endsWith(x, y)', size: 400_000, data: (n) => ({ x: a(n), y: `${a(n / 2)}b` }) },
  { source: 'x in y', size: 4000, data: (n) => ({ x: `${a(2 * n)}b`, y: [...Array<Value>(50).fill(`${a(2 * n)}c`)] }) },
  { source: 'fuzzyMatch(x, y)', size: 1500, data: (n) => ({ x: a(n), y: 'b'.repeat(n) }) },
  { source: "matches(x, '(a*)*b')", size: 200_000, data: (n) => ({ x: a(n) }) },
  { source: `len(extract(x, '${'(.*)'.repeat(60)}$'))`, size: 2000, data: (n) => ({ x: a(n) }) },
  { source: 'median(x) + mode(x)', size: 60_000, data: (n) => ({ x: numbers(n) }) },
  { source: 'len(flatten([x, x])) + len(merge([x, x]))', size: 200_000, data: (n) => ({ x: numbers(n) }) },
  { source: 'len(upper(x)) + len(lower(x)) + len(trim(x))', size: 400_000, data: (n) => ({ x: a(n) }) },
  { source: 'isNumeric(x) or bool(x)', size: 400_000, data: (n) => ({ x: '1'.repeat(n) }) },
  { source: 'd(x).isValid()', size: 400_000, data: (n) => ({ x: `2024-01-01T00:00:00.${'1'.repeat(n)}` }) },
  { source: 'x[1] + x[0:2]', size: 400_000, data: (n) => ({ x: a(n) }) },
];

function spentOn(work: () => unknown): number {
  const spent = ownTime();
  work();
  return spent();
}

/** Runs an operation and says how long it took; a limit that it meets is an answer too. */
function timeOf({ source, data }: Operation, size: number): number {
  const evaluate = compileExpression(source);
  const scope = buildScope({ data: data(size), steps: 1_000_000_000 });
  return spentOn(() => {
    try {
      evaluate(scope);
    } catch (error) {
      if (!(error instanceof EngineError) || !error.code.startsWith('limit_')) throw error;
    }
  });
}

describe('operations that nothing can stop', () => {
  for (const operation of operations) {
    const quadratic = operation.source.startsWith('fuzzyMatch');
    it(`take time in proportion, or meet a limit: ${operation.source.slice(0, 60)}`, () => {
      timeOf(operation, operation.size);
      const [once, twice] = [operation.size, 2 * operation.size].map((size) =>
        Math.min(...[1, 2, 3].map(() => timeOf(operation, size))),
      );
      // Milliseconds below which a busy machine says nothing.
      const floor = allowedMs(20);
      expect(twice).below((quadratic ? 12 : 6) * Math.max(once ?? 0, floor));
    });
  }

  it('find what they look for, and what is not there, among long texts', () => {
    const evaluate = compileExpression('contains(x, y)');
    const x = `${a(600_000)}b`;
    expect(evaluate(buildScope({ data: { x, y: `${a(599_999)}b` } }))).to.equal(true);
    expect(evaluate(buildScope({ data: { x, y: `${a(600_001)}b` } }))).to.equal(false);
  });

  it('search as the platform does', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'ab', 'Ж'), { minLength: 4000, maxLength: 6000 });
    const part = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 8 });
    const property = fc.property(text, part, fc.nat(4000), fc.nat(50), (pieces, short, from, most) => {
      const whole = pieces.join('');
      const { run } = buildScope();
      for (const wanted of [short.join(''), whole.slice(from), `${whole.slice(from)}b`]) {
        // Long enough together for the linear search.
        const long = whole.repeat(Math.ceil(20_000_000 / whole.length / wanted.length / whole.length) + 1);
        expect(includes(run, long, wanted)).to.equal(long.includes(wanted));
        expect(splitAt(run, long, wanted, most + 1)).to.deep.equal(long.split(wanted, most + 1));
      }
    });
    fc.assert(property, { numRuns: cases(30) });
  });

  it('are paid for before they begin', () => {
    const few = (source: string, data: ValueObject) => () =>
      compileExpression(source)(buildScope({ data, steps: 1000 }));
    const x = a(600_000);
    const sources = ['contains(x, x)', 'split(x, x)', 'number(x)', 'd(x)', 'upper(x)', "matches(x, 'b')"];
    for (const source of sources) expect(few(source, { x }), source).to.throw().with.property('code', 'limit_steps');
    expect(few('median(x)', { x: numbers(200) }))
      .to.throw()
      .with.property('code', 'limit_steps');
  });

  it('include no compilation of a pattern that grows beyond measure', () => {
    const hostile = [
      '(?i)' + '[a-z\u4e00-\uffff]'.repeat(150),
      `^${'\\\\pL?'.repeat(300)}(?:[\\\\pL\\\\d]{30}){30}`,
      '(?:(?:ab|cd|ef){30}){30}',
      '()'.repeat(900) + '(a|b)'.repeat(30),
    ];
    const model = (name: string, pattern: string): object => {
      const pairs = Array.from({ length: 120 }, (_, at) => [`k${at}`, `matches(a, '${pattern}${name}${at}')`] as const);
      return graph([input, expressions('e', Object.fromEntries(pairs))], ['in>e']) as object;
    };
    // As long as the compilation of patterns of which a hundred are as much as one model may have.
    const usual = spentOn(() => validate(model('u', '(\\\\pL|\\\\d){700}x'), { knows: () => true }));
    for (const [at, pattern] of hostile.entries()) {
      const time = spentOn(() => validate(model(`h${at}`, pattern), { knows: () => true }));
      expect(time, pattern.slice(0, 40)).below(Math.max(usual, allowedMs(300)) * 10);
    }
  });
});
