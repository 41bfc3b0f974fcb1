import { expect } from 'chai';
import { repairsOf } from '../../../src/console/editor/repairs.js';

describe('a cell that was written as in a spreadsheet is put right', () => {
  for (const [cell, condition, result] of [
    ['Personal', ['"Personal"'], ['"Personal"']],
    ['Car loan, Boat', ['"Car loan", "Boat"'], ['"Car loan", "Boat"']],
    ['750-850', ['[750..850]'], []],
    ['0.5 – 1', ['[0.5..1]'], []],
    ['1,5', ['1.5'], ['1.5']],
    ['1,500', ['1.500', '1500'], ['1.500', '1500']],
    ['>= 50 %', ['>= 0.5'], ['>= 0.5']],
    ['-7,25%', ['-0.0725'], ['-0.0725']],
    ['100%', ['1'], ['1']],
    ['12345678901234567890.5%', ['123456789012345678.905'], ['123456789012345678.905']],
    ['2024-01-31', ['"2024-01-31"'], ['"2024-01-31"']],
    ['> 5', [], []],
    ['"Car"', [], []],
  ] as const) {
    it(cell, () => {
      expect(repairsOf(cell, true)).to.deep.equal(condition);
      expect(repairsOf(cell, false)).to.deep.equal(result);
    });
  }
});
