import { expect } from 'chai';
import { convertTable } from '../../../workers/sheets/tables/convertTable.js';
import { listOf, type Json } from '../../../workers/sheets/tables/tableOfModel.js';

describe('cells of a sheet that could not be read', () => {
  it('are no texts in a column of texts, so that a check of the model goes on telling of them', () => {
    const unread = ['=A2+1', '=#DIV/0!', '=B9'];
    const cells = ['Personal', 'Car', 'Home', 'Boat', ...unread];
    const notes = unread.map((_, at) => ({ severity: 'error' as const, row: 5 + at, column: 0, message: 'No value.' }));
    const rows = [['x', 'r'], ...cells.map((cell, at) => [cell, String(at)])];
    const { model } = convertTable(
      { sheet: { name: 'Rules', rows, notes }, hidden: undefined, others: [], delimiter: undefined },
      { inputs: ['x'], outputs: ['r'] },
    );
    const content = (listOf(model['nodes'])[1] as Json)['content'] as Json;
    const column = String((listOf(content['inputs'])[0] as Json)['id']);
    const made = listOf(content['rules']).map((rule) => (rule as Json)[column]);
    expect(made).to.deep.equal(['"Personal"', '"Car"', '"Home"', '"Boat"', ...unread]);
  });
});
