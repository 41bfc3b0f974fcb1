import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { convertedSheet } from '../../support/sheets.js';

const faultsOf = (model: Model): readonly Fault[] =>
  validate(model, { knows: () => true }).map((diagnostic) => faultDocument({ key: 'fees.json', diagnostic }));
const groupsOf = (model: Model) => repairGroups(model, faultsOf(model));
const modelOf = (fees: readonly string[]): Model =>
  convertedSheet(['Zone,Fee', ...fees.map((fee, at) => `Z${at},${fee}`)].join('\n')).content as Model;

describe('a text that somebody has said to stand among numbers', () => {
  const fees = ['5', '7.5', '12', '8', '9', '11'];

  for (const [cell, choice] of [
    ['n/a', '"n/a"'],
    ['none', '"none"'],
    ['unlimited', '"unlimited"'],
    ['on request', '"on request"'],
  ] as const)
    it(`is told no more: ${cell}`, () => {
      const model = modelOf([...fees, cell]);
      const [group, ...others] = groupsOf(model);
      expect(others).to.deep.equal([]);
      const said = repaired(model, group!, group!.cells[0]!.readings.indexOf(choice));
      expect(faultsOf(said)).to.deep.equal([]);
    });

  it('says nothing of other texts, and nothing of a number with a sign', () => {
    const model = modelOf([...fees, 'on request', 'n/a', '$7']);
    const before = groupsOf(model);
    const group = before.find(({ cells }) => cells.some(({ text }) => text === 'on request'))!;
    const said = groupsOf(repaired(model, group, 0)).flatMap(({ cells }) => cells.map(({ text }) => text));
    expect(said).to.have.members(['n/a', '$7']);
  });
});
