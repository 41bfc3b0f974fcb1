import { expect } from 'chai';
import { parseExactly } from '../../../workers/json/index.js';
import { differences, readTests, runTest } from '../../../workers/models/modelTests.js';
import { compile } from '../../../workers/engine/index.js';
import { approval, dmn } from '../../support/dmn.js';
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

  it('of a document of DMN compare the decisions that they select, and no others', async () => {
    const program = compile(dmn(approval), { resolve: () => undefined });
    const input = { 'Applicant Age': 30, Amount: 500 };
    const run = async (test: object): Promise<unknown> => {
      const { tests, faults } = readTests({ tests: [{ input, ...test }] });
      expect(faults).to.deep.equal([]);
      return (await runTest(program, tests[0]!, Infinity)).result.differences;
    };
    expect(await run({ select: ['Approval'], output: { Approval: 'yes' } })).to.deep.equal([]);
    expect(await run({ select: ['Approval'], output: { Letter: 'We say yes' } })).to.deep.equal([
      { pointer: '/Letter', expected: 'We say yes' },
      { pointer: '/Approval', actual: 'yes' },
    ]);
    expect(await run({ select: ['Approved'], output: {} })).to.deep.equal([
      { pointer: '/error', actual: 'There is no decision or service "Approved".' },
    ]);
    expect(readTests({ tests: [{ input, output: {}, select: 'Approval' }] }).faults).to.deep.equal([
      'tests[0].select must be a list of names.',
    ]);
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
    const passing = await runTest(program, { ...test, output: { rate: 5, y: 0.2 } }, Infinity);
    expect(passing.result).to.deep.equal({ name: 't', passed: true, differences: [] });
    const failing = await runTest(program, { ...test, output: { y: 3, z: 1 } }, Infinity);
    expect(failing.result).to.deep.equal({
      name: 't',
      passed: false,
      differences: [
        { pointer: '/y', expected: 3, actual: 0.2 },
        { pointer: '/z', expected: 1 },
        { pointer: '/rate', actual: 5 },
      ],
    });
  });

  it('give a run the numbers that were written, digit by digit', async () => {
    const program = compile(expressing({ x: 'string(x)', y: 'y' }), { resolve: () => undefined });
    const text =
      '{"tests":[{"input":{"x":1.50,"y":12345678901234567890},"output":{"x":"1.50","y":12345678901234567890}}]}';
    const [test] = readTests(parseExactly(text)).tests;
    if (test === undefined) throw new Error('no test was read');
    expect((await runTest(program, test, Infinity)).result.differences).to.deep.equal([]);
  });

  it('whose run fails say so', async () => {
    const program = compile(expressing({ y: 'nope(1)' }), { resolve: () => undefined });
    const { result } = await runTest(program, { name: 't', input: {}, output: {}, env: {} }, Infinity);
    expect(result.passed).to.equal(false);
    expect(result.differences).to.have.length(1);
    expect(JSON.stringify(result.differences)).to.include('Node \\"Calculation\\"').and.include('nope');
  });

  it('compare values, not the order of keys', () => {
    expect(differences({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).to.deep.equal([]);
    expect(differences({ a: [1, 2] }, { a: [1] })).to.deep.equal([{ pointer: '/a/1', expected: 2 }]);
    expect(differences([], {})).to.deep.equal([{ pointer: '', expected: [], actual: {} }]);
    expect(differences(null, false)).to.deep.equal([{ pointer: '', expected: null, actual: false }]);
    expect(differences({ a: null }, {})).to.deep.equal([{ pointer: '/a', expected: null }]);
    expect(differences(Array(100).fill(1), Array(100).fill(2))).to.have.length(20);
  });

  it('compare numbers digit by digit, but take the nearest double for a fraction that no double holds', () => {
    const same = (expected: string, actual: string): boolean =>
      differences(parseExactly(expected), parseExactly(actual)).length === 0;
    for (const [expected, actual] of [
      ['9007199254740993', '9007199254740993'],
      ['12345678901234567890.0', '12345678901234567890'],
      ['1.5', '1.50'],
      ['1e3', '1000'],
      ['0.3333333333333333', '0.3333333333333333333333333333'],
      ['0.3333333333333333333333333333', '0.3333333333333333333333333333'],
    ] as const) {
      expect(same(expected, actual), `${expected} is ${actual}`).to.equal(true);
    }
    for (const [expected, actual] of [
      ['9007199254740992', '9007199254740993'],
      ['12345678901234567000', '12345678901234567890'],
      ['12345678901234567891', '12345678901234567890'],
      ['0.10000000000000001', '0.1'],
      ['0.3333333333333333333333333334', '0.3333333333333333333333333333'],
      ['0.3333333333333334', '0.3333333333333333333333333333'],
    ] as const) {
      expect(same(expected, actual), `${expected} is not ${actual}`).to.equal(false);
    }
  });
});
