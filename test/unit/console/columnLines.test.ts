import { expect } from 'chai';
import { columnLines } from '../../../src/console/compare/columnLines.js';

const column = (id: string, name: string, field = id): object => ({ id, name, field });
const [a, b, c] = [column('a', 'Age'), column('b', 'Branch'), column('c', '', 'customer.type')];

describe('columns that differ, in words', () => {
  for (const [what, before, after, lines] of [
    [
      'gone and new',
      [a, c],
      [a, b],
      [
        { where: 'input column “customer.type”', change: 'removed', before: 'customer.type', after: undefined },
        { where: 'input column “Branch”', change: 'added', before: undefined, after: 'b' },
      ],
    ],
    [
      'in nothing but how their numbers were written, which is no difference',
      [a, b],
      [{ ...a, _commas: 'own', _unit: 'kg' }, b],
      [],
    ],
    [
      'in another order',
      [a, b, c],
      [c, a, b],
      [
        {
          where: 'order of the input columns',
          change: 'moved',
          before: 'Age, Branch, customer.type',
          after: 'customer.type, Age, Branch',
        },
      ],
    ],
    [
      'with another name',
      [a, b],
      [column('a', 'Years')],
      [
        { where: 'input column “Age”', change: 'changed', before: 'Age (field a)', after: 'Years (field a)' },
        { where: 'input column “Branch”', change: 'removed', before: 'b', after: undefined },
      ],
    ],
  ] as const) {
    it(what, () => expect(columnLines('inputs', before, after)).to.deep.equal(lines));
  }
});
