import { expect } from 'chai';
import { convertedSheet } from '../../support/sheets.js';

interface Model {
  readonly nodes: readonly {
    readonly content: {
      readonly inputs?: readonly { readonly id: string }[];
      readonly outputs?: readonly { readonly id: string }[];
      readonly rules?: readonly Record<string, string>[];
    };
  }[];
}

/** The cells of a column of conditions, and of one of results, beside others. */
function madeOf(cells: readonly string[]): {
  conditions: unknown;
  results: unknown;
  told: readonly (string | undefined)[];
} {
  const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const { content, diagnostics } = convertedSheet(
    ['A,,B', ...cells.map((cell) => `${field(cell)},,${field(cell)}`)].join('\n'),
  );
  const { inputs = [], outputs = [], rules = [] } = (content as Model).nodes[1]?.content ?? {};
  const of = (column: { readonly id: string } | undefined): unknown => rules.map((rule) => rule[column?.id ?? '']);
  return {
    conditions: of(inputs[0]),
    results: of(outputs[0]),
    told: diagnostics.map(({ label }) => label?.split(',')[0]),
  };
}

describe('words that can be nothing but texts are texts', () => {
  const quoted = (cells: readonly string[]): string[] => cells.map((cell) => `"${cell}"`);

  for (const [what, cells] of [
    ['with a remark in brackets', ['Austria (standard)', 'Belgium (standard)', 'Finland (reduced)']],
    ['that are codes with points', ['9903.01.05', '9903.45.25', '8471.30.01', 'Other goods']],
    ['that are long', [`Goods which ${'are very '.repeat(30)}long`, 'Goods']],
    ['with thousands', ['Lakes of 10,000 acres', 'Ponds']],
  ] as const)
    it(what, () =>
      expect(madeOf(cells)).to.deep.equal({ conditions: quoted(cells), results: quoted(cells), told: [] }),
    );

  it('beside `NO`, which may be one as well, and is asked', () => {
    const cells = ['FI', 'SE', 'NO', 'DK', 'EE'];
    const meant = ['"FI"', '"SE"', 'NO', '"DK"', '"EE"'];
    expect(madeOf(cells)).to.deep.equal({ conditions: meant, results: meant, told: ['Rules!A4', 'Rules!C4'] });
  });

  it('but several below one another in a condition may be alternatives, and are asked', () => {
    const { conditions, told } = madeOf(['FI\nSE', 'DK', 'EE', 'DE']);
    expect([conditions, told]).to.deep.equal([['FI\nSE', '"DK"', '"EE"', '"DE"'], ['Rules!A2']]);
  });

  it('but a call of a function with a blank before its brackets is one', () => {
    expect(madeOf(['max ([1, 2])', 'Gold', 'Silver', 'Bronze']).results).to.deep.equal([
      'max ([1, 2])',
      ...quoted(['Gold', 'Silver', 'Bronze']),
    ]);
  });
});
