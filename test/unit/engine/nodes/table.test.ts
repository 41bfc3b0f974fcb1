import { expect } from 'chai';
import fc from 'fast-check';
import type { Value } from '../../../../workers/engine/index.js';
import { failureOf, program, resultOf, single, table } from '../../../support/engine.js';
import { cases } from '../../../support/environment.js';

type Rules = readonly Readonly<Record<string, string>>[];

const columns = { inputs: ['a'], outputs: ['x'] };
const pad = (rules: Rules, count: number): Rules => [
  ...Array.from({ length: count }, () => ({ i0: '-1', i1: '-1', o0: '0' })),
  ...rules,
];

describe('decision tables', () => {
  it('collect columns that end in [] over all rows', () => {
    const model = single(
      table('t', { inputs: ['age'], outputs: ['tier', ' tags [] '] }, [
        { i0: '> 100', o0: "'never'", o1: "'never'" },
        { i0: '> 10', o0: "'gold'", o1: "'adult'" },
        { i0: '> 18', o0: "tier - 'not evaluated any more'", o1: "'grown'" },
        { i0: '> 30', o0: "'x'", o1: '' },
        { o1: "'anyone'" },
      ]),
    );
    expect(resultOf(model, { age: 35 })).to.deep.equal({ tier: 'gold', tags: ['adult', 'grown', 'anyone'] });
    expect(resultOf(model, { age: 'x' })).to.deep.equal({ tags: ['anyone'] });
  });

  it('do not alias rows', () => {
    const rules = ['2', '3'].map((age) => ({ o0: 'person', o1: age }));
    const model = single(
      table('t', { inputs: [], outputs: ['person', 'person.age'] }, rules, { hitPolicy: 'collect' }),
    );
    expect(resultOf(model, { person: { name: 'A' } })).to.deep.equal([
      { person: { name: 'A', age: 2 } },
      { person: { name: 'A', age: 3 } },
    ]);
  });

  it('let limits through, with rule and column', () => {
    const model = single(
      table('t', columns, [
        { i0: '1', o0: '0' },
        { i0: '2', o0: 'map([0..100000], # + 1)' },
      ]),
    );
    const limits = { ...program(model).parts.limits, steps: 1000 };
    const { error, message } = failureOf(model, { a: 2 }, { limits });
    expect(error).to.include({ code: 'limit_steps', nodeId: 't', field: 'content.rules[1].outputs[0]' });
    expect(message).to.match(/^Node "t", rule 2, output x: /);
  });

  it('let every limit through, wherever a row meets it: that is no row that does not match', () => {
    const made = 'len(map([0..200], # + 1)) > 0';
    const exceeding = [
      ['limit_steps', { steps: 100 }, made],
      ['limit_iterations', { iterations: 100 }, made],
      ['limit_array', { arrayLength: 100 }, made],
      ['limit_memory', { madeItems: 100 }, made],
      ['limit_string', { stringLength: 100 }, `len('${'x'.repeat(60)}' + '${'y'.repeat(60)}' + string(a)) > 0`],
    ] as const;
    for (const [code, bound, cell] of exceeding) {
      const tables = [
        ['content.rules[0].inputs[0]', single(table('t', columns, [{ i0: cell, o0: '1' }, { o0: '2' }]))],
        ['content.rules[0].outputs[0]', single(table('t', columns, [{ o0: cell }, { o0: '2' }]))],
        [undefined, single(table('t', { ...columns, inputs: [cell] }, [{ i0: 'true', o0: '1' }, { o0: '2' }]))],
      ] as const;
      for (const [field, model] of tables) {
        const limits = { ...program(model).parts.limits, ...bound };
        const { error } = failureOf(model, { a: 2 }, { limits });
        expect(error, `${code} in ${field ?? 'a field'}`).to.include({
          code,
          ...(field === undefined ? {} : { field }),
        });
      }
    }
  });
});

describe('the index of a table', () => {
  const cell = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -3, max: 9 }).map(String) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("'a'", '"b"', "'a', 'c'", 'true', 'false', "'a', 1, true", '1, 2, 3', '1.5', '0.1'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...['> 3', '>= 3', '< 2', '<= 2', '>3', '[1..5]', '(1..5)', '[1..5)', ']1..5[', '[5..1]', '> 1 and < 4'],
        '!= 3',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('', ' ', 'null', "not 'a'", 'len($) > 0', '$ == 3', '# )', "d('2024-01-01')"),
    },
  );
  const value = fc.oneof(
    fc.integer({ min: -3, max: 9 }),
    fc.constantFrom<Value[]>('a', 'b', 'c', '', true, false, null, 1.5, 0.1, 4.999, 1e21, [1], { a: 1 }, []),
  );

  it('gives what the rows give one by one', () => {
    const rules = fc.array(fc.record({ i0: cell, i1: cell }), { minLength: 16, maxLength: 60 });
    fc.assert(
      fc.property(rules, fc.array(fc.record({ a: value, b: value }), { minLength: 5, maxLength: 5 }), (rows, facts) => {
        const numbered = rows.map((row, index) => ({ ...row, o0: String(index) }));
        const both = { inputs: ['a', 'b'], outputs: ['x'] };
        const whole = program(single(table('t', both, numbered, { hitPolicy: 'collect', outputPath: 'rows' })));
        const first = program(single(table('t', both, numbered)));
        const alone = numbered.map((row) => program(single(table('t', both, [row]))));
        for (const fact of facts) {
          const expected = alone.flatMap((row) => {
            const result = resultOf(row, fact);
            return Object.keys(result as object).length === 0 ? [] : [result];
          });
          expect(resultOf(whole, fact)).to.deep.equal({ rows: expected });
          expect(resultOf(first, fact)).to.deep.equal(expected[0] ?? {});
        }
      }),
      { numRuns: cases(60) },
    );
  });

  it('makes the last of 8,000 rows as cheap as the first', () => {
    const shapes: Record<string, (row: number) => string> = {
      texts: (row) => `'k${row}'`,
      numbers: (row) => String(row),
      ranges: (row) => `[${row * 10}..${row * 10 + 10})`,
      thresholds: (row) => `>= ${(8000 - row) * 10}`,
    };
    const facts: Record<string, (row: number) => Value> = {
      texts: (row) => `k${row}`,
      numbers: (row) => row,
      ranges: (row) => row * 10 + 5,
      thresholds: (row) => (8000 - row) * 10 + 5,
    };
    for (const [name, shape] of Object.entries(shapes)) {
      const rules = Array.from({ length: 8000 }, (_, row) => ({ i0: shape(row), o0: String(row) }));
      const target = program(single(table('t', columns, rules)));
      for (const row of [0, 1, 4321, 7999]) {
        const fact = { a: facts[name]?.(row) ?? null };
        expect(resultOf(target, fact), name).to.deep.equal({ x: row });
        // Steps, unlike times, are the same on a busy machine.
        const limits = { ...target.parts.limits, steps: 50 };
        expect(resultOf(target, fact, { limits }), `${name} ${row}`).to.deep.equal({ x: row });
      }
    }
  });

  it('stays away from tables whose cells read `$` elsewhere', () => {
    const rules = pad([{ i0: '', i1: '7', o0: '$' }], 20);
    const model = single(table('t', { inputs: ['a', 'b'], outputs: ['x'] }, rules));
    expect(resultOf(model, { a: 1, b: 7 })).to.deep.equal({ x: 7 });
  });
});

describe('an indexed column', () => {
  it('does not round a long decimal onto a bound', () => {
    const rules = pad([{ i0: '(5..10]', o0: "'above five'" }], 20);
    const model = single(table('t', { inputs: ["a + number('0.0000000000000000001')"], outputs: ['x'] }, rules));
    expect(resultOf(model, { a: 5 })).to.deep.equal({ x: 'above five' });
  });
});
