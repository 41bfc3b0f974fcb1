import { expect } from 'chai';
import type { Model } from '../../../src/console/api/types.js';
import { repaired, repairGroups, sureGroups, withFormulasTold } from '../../../src/console/editor/repairs.js';
import { rowsOf } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { single } from '../../support/engine.js';

describe('formulas that were pasted into expressions', () => {
  const values = ['=amount*2', '=IF(net>100;"big";"small")', '=IF(c="FI";$1;2)', '=VLOOKUP(a;b;2)', 'amount'];
  const expressions = values.map((value, at) => ({ id: String(at), key: at === 0 ? 'net' : `k${at}`, value }));
  const model = single({ id: 'e', type: 'expressionNode', content: { expressions } }) as Model;
  const faults = validate(model, { knows: () => true }).map((diagnostic) =>
    faultDocument({ key: 'sums.json', diagnostic }),
  );

  it('are put right together, and those that nobody can write are left', () => {
    const groups = sureGroups(repairGroups(model, faults));
    expect(groups.map(({ title, cells }) => [title, cells.length])).to.deep.equal([['Formulas of spreadsheets', 2]]);
    const next = groups.reduce((before, group) => repaired(before, group, 0), model);
    expect(rowsOf(next.nodes[1]?.content, 'expressions').map(({ value }) => value)).to.deep.equal([
      'amount * 2',
      '($.net > 100 ? "big" : "small")',
      ...values.slice(2),
    ]);
  });

  it('are told as the button writes them, with what a spreadsheet does not tell apart', () => {
    const own = [
      { id: '1', key: 'net', value: 'amount' },
      { id: '2', key: 'k', value: '=IF(net="a";1;2)' },
    ];
    const other = single({ id: 'e', type: 'expressionNode', content: { expressions: own } }) as Model;
    const found = validate(other, { knows: () => true }).map((diagnostic) =>
      faultDocument({ key: 'sums.json', diagnostic }),
    );
    expect(withFormulasTold(other, found).map(({ hint }) => hint)).to.deep.equal([
      'Write ($.net == "a" ? 1 : 2). Capital and small letters differ here, and not in a spreadsheet.',
    ]);
  });
});
