import { expect } from 'chai';
import { fieldShown, fittedWidth, startWidth } from '../../../../src/console/editor/grid/widths.js';
import { sheetOf } from '../../../../src/console/editor/sheet.js';

describe('a column as wide as its cells', () => {
  const widthOf = (name: string, field: string, cell: string): number => {
    const content = { inputs: [{ id: 'i', name, field }], outputs: [], rules: [{ _id: '1', i: cell }] };
    const sheet = sheetOf({ type: 'decisionTableNode', content })!;
    return fittedWidth(sheet, sheet.columns[0]!);
  };

  it('has room for the field under its name where that is shown, and for none that only repeats the name', () => {
    expect(widthOf('Credit Score', '$root["Credit Score"]', '> 5')).to.equal(
      widthOf('Credit Score', 'Credit Score', '> 5'),
    );
    expect(widthOf('Credit Score', '$root["Credit Score"]', '> 5')).to.be.within(90, 120);
    expect(widthOf('Age', 'customer.personal.age', '> 5')).to.be.above(180);
    expect(widthOf('Age', 'age', `"${'x'.repeat(40)}"`)).to.be.above(320);
    const shown = (name: string, field: string): string =>
      fieldShown({ ...{ id: '', name, field, unit: '', empty: '' }, side: 'in', language: 'condition' });
    expect(shown('Age', 'age')).to.equal('age');
    expect(shown('Zip code', '$root["Zip code"]')).to.equal('');
  });
});

describe('the width with which a column begins', () => {
  const column = (name: string, cell: string) => {
    const content = { inputs: [1, 2, 3].map((id) => ({ id: String(id), name, field: name })), outputs: [] };
    const sheet = sheetOf({ type: 'decisionTableNode', content: { ...content, rules: [{ _id: '1', 1: cell }] } })!;
    return startWidth(sheet, sheet.columns[0]!);
  };

  it('shows the whole heading, which is bold, as far as a column begins so wide', () => {
    // What these are wide in DejaVu Sans, bold, of 13 pixels, with what is around them.
    for (const [name, least] of [
      ['Weekend?', 90],
      ['Member id', 91],
      ['MAXIMUM', 88],
      ['Months with us', 126],
      ['Summe mm', 101],
    ] as const)
      expect(column(name, '1'), name).to.be.within(least, least + 50);
    const long = 'The number of months for which somebody has been a member';
    expect(column(long, '1')).to.equal(column('Age', `"${'x'.repeat(60)}"`));
  });
});
