import { expect } from 'chai';
import { fieldShown, fittedWidth } from '../../../../src/console/editor/grid/widths.js';
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
      fieldShown({ id: '', name, field, side: 'in', language: 'condition', empty: '' });
    expect(shown('Age', 'age')).to.equal('age');
    expect(shown('Zip code', '$root["Zip code"]')).to.equal('');
  });
});
