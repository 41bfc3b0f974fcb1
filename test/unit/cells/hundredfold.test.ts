import { expect } from 'chai';
import { columnOf, readCell, withKind } from '../../../workers/cells/index.js';
import { validate } from '../../../workers/engine/index.js';
import { repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import type { Model } from '../../../src/console/api/types.js';
import { rowsOf } from '../../../src/console/graph/fields.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { convertedSheet } from '../../support/sheets.js';

const rates = ['0.085', '0.06', '0.085', '0.12', '0'];
const readingsOf = (cell: string, others: readonly string[], item = {}): readonly string[] =>
  readCell(cell, columnOf(item, false, [...others, cell]))?.readings ?? [];

describe('a share in percent whose sign was left out', () => {
  for (const [cell, share] of [
    ['8.5', '0.085'],
    ['12', '0.12'],
    ['15', '0.15'],
  ] as const)
    it(`is asked among shares below 1: ${cell}`, () => expect(readingsOf(cell, rates)).to.deep.equal([share, cell]));

  it('has three decimals behind a point, not thousands, where it has its sign and no comma is one of decimals', () => {
    expect(readingsOf('3.464%', ['0%', '16.5%'])).to.deep.equal(['0.03464']);
    expect(readingsOf('3.464%', ['0%', '16.5%'], { name: 'Duty %' })).to.deep.equal(['0.03464', '3.464']);
    expect(readingsOf('3.464%', ['1,5%'])).to.deep.equal(['0.03464', '34.64']);
  });

  it('is asked however many are written so: what is wrong more often is told no less', () => {
    for (const many of [1, 3, 5, 12])
      expect(readingsOf('5', [...rates, ...Array.from({ length: many }, () => '8.5')]), `${many}`).to.deep.equal([
        '0.05',
        '5',
      ]);
  });

  for (const [what, cell, others] of [
    ['where few numbers are below 1', '8.5', ['0.085', '0.06', '0.12']],
    ['where the whole is natural', '1', rates],
    ['among factors', '1.2', ['0.8', '0.9', '0.95', '0.85']],
    ['among factors of which one is small', '1.2', ['0.05', '0.5', '0.9', '0.95', '0.85']],
    ['among prices that rise', '2', ['0.01', '0.05', '0.1', '0.2', '0.5']],
    ['where others are above 1, too', '8.5', ['0.085', '0.06', '0.085', '0.12', '340']],
    ['where it is no hundredfold of such a share', '850', rates],
  ] as const)
    it(`is not asked ${what}`, () => expect(readingsOf(cell, others)).to.deep.equal([]));

  it('is not asked where somebody has said that the column has numbers', () =>
    expect(readingsOf('8.5', rates, withKind({}, 'number'))).to.deep.equal([]));

  it('is told in an imported table, is never guessed, and stays once somebody says so', () => {
    const cells = [...rates, '8.5'];
    const { content } = convertedSheet(['Zone,Fuel', ...cells.map((cell, at) => `Z${at},${cell}`)].join('\n'));
    const model = content as Model;
    const groupsOf = (of: Model) =>
      repairGroups(
        of,
        validate(of, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'a', diagnostic })),
      );
    const [group, ...others] = groupsOf(model);
    expect([group?.cells.map(({ readings }) => readings), others]).to.deep.equal([[['0.085', '8.5']], []]);
    const [mended, kept] = [repaired(model, group!, 0), repaired(model, group!, 1)];
    const results = (of: Model): unknown[] =>
      rowsOf(of.nodes[1]!.content, 'rules').map((rule) =>
        Object.values(rule).find((cell) => /^[\d.]+$/.test(String(cell))),
      );
    expect([results(mended), groupsOf(mended)]).to.deep.equal([[...rates, '0.085'], []]);
    expect([results(kept), groupsOf(kept)]).to.deep.equal([cells, []]);
  });
});
