import { expect } from 'chai';
import { differences } from '../../../workers/models/differences.js';
import { readTests, runTest } from '../../../workers/models/modelTests.js';
import { compile } from '../../../workers/engine/index.js';
import { expressing } from '../../support/models.js';

describe("models' own tests", () => {
  it('are read with their names and variables', () => {
    const tests = [
      { input: 1, output: 2 },
      { name: 'n', input: {}, output: null, env: { A: 1 } },
    ];
    expect(readTests({ tests })).to.deep.equal({
      tests: [
        { name: 'test 1', input: 1, output: 2, env: {} },
        { name: 'n', input: {}, output: null, env: { A: 1 } },
      ],
      faults: [],
    });
    expect(readTests({})).to.deep.equal({ tests: [], faults: [] });
  });

  it('that are no tests are faults, not passes', () => {
    expect(readTests({ tests: {} }).faults).to.deep.equal(['`tests` must be a list of {"input", "output"}.']);
    expect(readTests({ tests: [{ input: 1 }, { input: 1, output: 1, env: 3 }] }).faults).to.deep.equal([
      'tests[0] needs `input` and `output`.',
      'tests[1].env must be an object.',
    ]);
  });

  it('pass, or tell each place that differs', async () => {
    const program = compile(expressing({ y: 'x * 2', rate: '$env.RATE' }), { resolve: () => undefined });
    const test = { name: 't', input: { x: 0.1 }, env: { RATE: 5 } };
    expect(await runTest(program, { ...test, output: { rate: 5, y: 0.2 } })).to.deep.equal({
      name: 't',
      passed: true,
      failures: [],
    });
    expect(await runTest(program, { ...test, output: { y: 3, z: 1 } })).to.deep.equal({
      name: 't',
      passed: false,
      failures: ['y: expected 3, got 0.2', 'z: expected 1, got nothing', 'rate: expected nothing, got 5'],
    });
  });

  it('whose run fails say so', async () => {
    const program = compile(expressing({ y: 'nope(1)' }), { resolve: () => undefined });
    const { passed, failures } = await runTest(program, { name: 't', input: {}, output: {}, env: {} });
    expect(passed).to.equal(false);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.include('the run failed: Node "Calculation"').and.include('nope');
  });

  it('compare values, not the order of keys', () => {
    expect(differences({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).to.deep.equal([]);
    expect(differences({ a: [1, 2] }, { a: [1] })).to.deep.equal(['a[1]: expected 2, got nothing']);
    expect(differences([], {})).to.deep.equal(['the result: expected [], got {}']);
    expect(differences(null, false)).to.deep.equal(['the result: expected null, got false']);
    expect(differences({ a: null }, {})).to.deep.equal(['a: expected null, got nothing']);
    expect(differences(Array(100).fill(1), Array(100).fill(2)).at(-1)).to.equal('and 80 more');
  });
});
