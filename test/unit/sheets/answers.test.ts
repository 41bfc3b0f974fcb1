import { expect } from 'chai';
import { writeAnswers } from '../../../workers/sheets/facts/batch.js';
import { sheetLimits } from '../../../workers/sheets/files/grid.js';

const answerOf = (fields: number, at: number): string =>
  JSON.stringify({
    id: `i${at}`,
    status: 'COMPLETED',
    result: Object.fromEntries(Array.from({ length: fields }, (_, field) => [`a${field}`, 1])),
  });

describe('answers in a sheet', () => {
  for (const [what, count, fields, isWhole] of [
    ['one field more than a sheet has columns', 2, sheetLimits.columns + 1, true],
    ['more cells than a sheet has', 2000, sheetLimits.cells / 2000 + 1, true],
    ['as many cells as a sheet has', 2000, sheetLimits.cells / 2000, false],
  ] as const)
    it(`have each result in ${isWhole ? 'one cell' : 'cells of its own'} where all fields together would take ${what}`, () => {
      const rows = [['n'], ...Array.from({ length: count }, () => ['1'])];
      const answers = rows.slice(1).map((_, at) => answerOf(at === 0 ? fields : 1, at));
      const [head, first] = Buffer.from(writeAnswers({ name: 'Facts', rows, notes: [] }, answers, ','))
        .toString()
        .split('\n');
      expect(head?.trim()).to.match(isWhole ? /^\uFEFF?n,id,status,result$/ : /^\uFEFF?n,id,status,result\.a0,/);
      expect(first).to.match(isWhole ? /^1,i0,COMPLETED,"\{""a0"":1,/ : /^1,i0,COMPLETED,1,1,/);
    });
});
