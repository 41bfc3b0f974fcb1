import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readFacts, writeAnswers } from '../../../workers/sheets/facts/batch.js';
import { sheetLimits, type Grid } from '../../../workers/sheets/files/grid.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { readXlsx } from '../../../workers/sheets/files/readXlsx.js';
import { foreignFile } from '../../support/foreignSheet.js';

const answerOf = (fields: number, at: number): string =>
  JSON.stringify({
    id: `i${at}`,
    status: 'COMPLETED',
    result: Object.fromEntries(Array.from({ length: fields }, (_, field) => [`a${field}`, 1])),
  });

describe('answers in a sheet', () => {
  it('have the midnights of the file as dates with a time, also when they are sent again', () => {
    const sheetOf = (bytes: Uint8Array): Grid => readXlsx(bytes, 'Facts', 'verdict').sheet;
    const cell = (value: string, format: number): object => ({ value, format });
    const cells = [cell('46053', 22), cell('46053.25', 22), cell('46053', 14)];
    const facts = ['{"fact":{"a":"2026-01-31T00:00:00","b":"2026-01-31T06:00:00","c":"2026-01-31"}}'];
    const sheet = sheetOf(foreignFile({ rows: [['a', 'b', 'c'], cells] }));
    const answer = JSON.stringify({ id: randomUUID(), status: 'COMPLETED', result: { r: 1 } });
    expect(readFacts(sheet).items).to.deep.equal(facts);
    expect(readFacts(sheetOf(writeAnswers(sheet, [answer], undefined))).items).to.deep.equal(facts);
  });

  it('are of days where the decision takes a date, and the file shows midnight beside it', () => {
    const format = 'yyyy-mm-dd hh:mm';
    const rows = [
      ['day', 'at'],
      ...['46053', '46053.25'].map((value) => [value, value].map((each) => ({ value: each, format }))),
    ];
    const sheet = readXlsx(foreignFile({ rows }), 'Facts', 'verdict').sheet;
    const input = { properties: { day: { type: ['string', 'null'], format: 'date' }, at: { type: 'string' } } };
    expect(readFacts(sheet, { input }).items).to.deep.equal([
      '{"fact":{"day":"2026-01-31","at":"2026-01-31T00:00:00"}}',
      '{"fact":{"day":"2026-01-31T06:00:00","at":"2026-01-31T06:00:00"}}',
    ]);
  });

  it('have the fields of the results in the order of the decision, whatever the first row has', () => {
    const fields = { properties: { fee: { properties: { net: {}, gross: {} } }, list: {}, note: {} } };
    const results = [{ error: 'x' }, { note: 'n', list: [{ k: 1 }] }, { fee: { gross: 2, net: 1 } }];
    const answers = results.map((result) => JSON.stringify({ id: randomUUID(), status: 'COMPLETED', result }));
    const rows = [['a'], ['1'], ['2'], ['3']];
    const written = writeAnswers({ name: 'Facts', rows, notes: [] }, answers, ',', fields);
    expect(Buffer.from(written).toString().split(/\r?\n/)[0]).to.equal(
      'a,id,status,result.fee.net,result.fee.gross,result.list[0].k,result.note,result.error',
    );
  });

  it('have times as people write them, and with seconds where the decision takes a time as ISO has it', () => {
    const cells = ['0.25', '0.50001'].map((value) => ({ value, format: 21 }));
    const { sheet } = readXlsx(foreignFile({ rows: [['a', 'b'], cells] }), 'Facts', 'verdict');
    const answer = JSON.stringify({ id: randomUUID(), status: 'COMPLETED', result: { r: 1 } });
    const answered = readXlsx(writeAnswers(sheet, [answer], undefined), 'Facts', 'verdict').sheet;
    const input = { properties: { a: { type: ['string', 'null'], format: 'time' } } };
    for (const each of [sheet, answered]) {
      expect(readFacts(each).items).to.deep.equal(['{"fact":{"a":"06:00","b":"12:00:01"}}']);
      expect(readFacts(each, { input }).items).to.deep.equal(['{"fact":{"a":"06:00:00","b":"12:00:01"}}']);
    }
  });

  for (const [what, file, rate] of [
    ['a comma where numbers of the file have one', 'n;m\n1;2,5\n', '-0,075'],
    ['a comma where days of the file have points', 'n;m\n1;31.12.2026\n', '-0,075'],
    ['a point where numbers of the file have one', 'n;m\n1,5;2.25\n', '-0.075'],
    ['a point where nothing tells of commas', 'n;m\n1;2\n', '-0.075'],
    ['a point where commas stand between the cells', 'n,m\n1,"2,5"\n', '-0.075'],
  ] as const)
    it(`of a .csv have ${what}, and texts stay as they are`, () => {
      const sheet = readCsv(Buffer.from(file), 'Facts');
      const answer = JSON.stringify({ id: 'i', status: 'COMPLETED', result: { rate: -0.075, code: '0.5', n: 12 } });
      const written = Buffer.from(writeAnswers(sheet, [answer], sheet.delimiter)).toString();
      const cells = readCsv(Buffer.from(written), 'Facts').rows[1]!;
      expect(cells.slice(2)).to.deep.equal(['i', 'COMPLETED', rate, '"0.5"', '12']);
      expect(written).to.not.include("'");
    });

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
