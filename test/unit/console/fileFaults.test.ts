import { expect } from 'chai';
import type { Fault } from '../../../src/console/api/types.js';
import { fileFaults } from '../../../src/console/editor/fileFaults.js';

const fault = (more: Partial<Fault>): Fault => ({
  ...{ severity: 'error', key: 'k', nodeId: null, node: null, field: null, pointer: null },
  ...{ message: 'm', hint: null, line: null, column: null, excerpt: null },
  ...more,
});
const ofTable = { nodeId: 't', node: 'Rules' };

describe('faults of a file', () => {
  it('name their cell once, and what is in it in the words of its heading', () => {
    const field = 'Rules!B4, rule 3, input $root["Größe"]';
    const message = 'Rules!B4: A range is written otherwise here.';
    const [told] = fileFaults([
      fault({ ...ofTable, severity: 'warning', field, message, hint: 'Write [1..5].', excerpt: '1-5', column: 2 }),
    ]);
    expect(told).to.deep.equal({
      severity: 'warning',
      place: 'Rules!B4, row 3, input Größe',
      text: 'A range is written otherwise here. Write [1..5].',
      excerpt: '1-5',
    });
  });

  it('are told once each: a formula without a value is no expression that has faults, too', () => {
    const missing = 'The cell has a formula and no stored value: formulas are not computed here.';
    const note = fault({ field: 'Rules!H4', message: `Rules!H4: ${missing}` });
    const parsed = fault({ ...ofTable, field: 'Rules!H4, rule 3, output Rate', message: 'Rules!H4: expected a value' });
    const other = fault({ ...ofTable, field: 'Rules!H5, rule 4, output Rate', message: 'Rules!H5: expected a value' });
    expect(fileFaults([note, parsed, note, other, other]).map(({ place, text }) => `${place}: ${text}`)).to.deep.equal([
      `Rules!H4: ${missing}`,
      'Rules!H5, row 4, output Rate: expected a value.',
    ]);
  });

  it('and their sheet once', () => {
    const [told] = fileFaults([fault({ field: 'Rates', message: 'Rates: row 1 has one name for many columns.' })]);
    expect(told).to.include({ place: 'Rates', text: 'row 1 has one name for many columns.' });
  });

  it('keep what they are where they are of no cell', () => {
    const found = fileFaults([fault({ message: 'No columns' }), fault({ ...ofTable, message: 'It has no rows' })]);
    expect(found.map(({ place, text }) => [place, text])).to.deep.equal([
      ['', 'No columns.'],
      ['Rules', 'It has no rows.'],
    ]);
  });
});
