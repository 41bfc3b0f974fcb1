import { expect } from 'chai';
import fc from 'fast-check';
import { exportTests, importTests } from '../../../workers/sheets/facts/tests.js';
import { readWorkbook } from '../../../workers/sheets/files/index.js';

const empty = { nodes: [], edges: [] };
const modelOf = (inputs: readonly unknown[]): { readonly tests: readonly object[] } & typeof empty => ({
  ...empty,
  tests: inputs.map((a, at) => ({ name: `t${at}`, input: { a }, output: { r: a } })),
});

/** The tests of a file of ours in another decision: it has no tests by which they would be known. */
function elsewhere(inputs: readonly unknown[], format: 'csv' | 'xlsx'): ReturnType<typeof importTests> {
  return importTests(empty, readWorkbook(exportTests(modelOf(inputs), format), format, 'Tests').sheet);
}

for (const format of ['csv', 'xlsx'] as const)
  describe(`a file of tests that the service has written, brought into another decision as .${format}`, () => {
    for (const [what, inputs] of [
      ['a number beside a code', [1, '01']],
      ['codes alone', ['01067', '10115']],
      ['codes with blanks around them', [' 01', '007 ']],
      ['a number beside an amount as a ledger writes it', [999, '1,5']],
      ['a boolean beside a word for one', [true, 'WAHR']],
      ['a word for a boolean alone', ['WAHR']],
      ['fields with a name too long for a title', [{ b: { ['k'.repeat(300)]: { c: 1, d: '01' } }, e: 1 }]],
      ['a day, its midnight, and the two in a text', ['2026-01-31', '2026-01-31T00:00:00', '2026-01-31 00:00']],
    ] as const)
      it(`has the same tests: ${what}`, () => {
        expect(elsewhere(inputs, format)).to.deep.include({ model: modelOf(inputs), faults: [] });
      });

    it('has the same tests, whatever they hold', () => {
      const value = fc.oneof(
        fc.constantFrom<unknown>(1, 10115, -2, 0.5, 1000, true, false, null),
        fc.constantFrom('01', '007', '5', '10115', '1e3', '1,5', '1.000', '10%', '1.234,56', '50-', '€ 500', '1,5E+03'),
        fc.constantFrom('WAHR', 'ja', 'no', 'TRUE', '=1', "'01", ' 01', '"01"', '[1]', 'null', '31.01.2026', 'Gold'),
        fc.constantFrom('2026-01-31', '2026-01-31T00:00:00', '09:30:00', 'PT30H', '00:00:00', '', 'a\nb', 'a\rb'),
      );
      fc.assert(
        fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), (inputs) => {
          expect(elsewhere(inputs, format)).to.deep.include({ model: modelOf(inputs), faults: [] });
        }),
      );
    });
  });

describe('a file of tests with one row renamed', () => {
  for (const format of ['csv', 'xlsx'] as const)
    it(`keeps numbers beside codes: .${format}`, () => {
      const model = modelOf([1, '01']);
      const { sheet } = readWorkbook(exportTests(model, format), format, 'Tests');
      const rows = sheet.rows.map((cells) => cells.map((cell) => (cell === 't0' ? 'renamed' : cell)));
      const [first, ...others] = model.tests;
      const { model: after, faults } = importTests(model, { ...sheet, rows });
      expect(after).to.deep.equal({ ...model, tests: [{ ...first, name: 'renamed' }, ...others] });
      expect(faults).to.deep.equal([]);
    });

  it('has its new codes beside the old ones, though a program made one of them a number', () => {
    const file = `${Buffer.from(exportTests(modelOf(['01067']), 'csv')).toString()}new,10115,x\n`;
    const { model } = importTests(empty, readWorkbook(Buffer.from(file), 'csv', 'Tests').sheet);
    expect(model['tests']).to.deep.include({ name: 'new', input: { a: '10115' }, output: { r: 'x' } });
  });
});
