import { expect } from 'chai';
import { exportTests, importTests } from '../../../workers/sheets/facts/tests.js';
import type { FileFormat, Grid } from '../../../workers/sheets/files/grid.js';
import { readWorkbook } from '../../../workers/sheets/files/index.js';
import { approval, dmn } from '../../support/dmn.js';

const a = { name: 'a', input: { Amount: 1 }, output: { Approval: 'yes' }, select: ['Approval'] };
const z = { name: 'z', input: { Amount: 2 }, output: { Letter: 'We say yes' }, select: ['Letter'] };
const plain = { name: 'p', input: { Amount: 3 }, output: { Letter: 'We say yes' } };
const model = dmn(approval, [a, z, plain]);
const fileOf = (format: FileFormat): Grid => readWorkbook(exportTests(model, format), format, 'Tests').sheet;
/** The file with other rows below its titles. */
const edited = (file: Grid, edit: (rows: Grid['rows']) => Grid['rows']): Grid => {
  const [titles = [], ...rows] = file.rows;
  return { ...file, rows: [titles, ...edit(rows)] };
};
const renamed = (row: Grid['rows'][number] | undefined, name: string): Grid['rows'][number] => row?.with(0, name) ?? [];
const testsOf = ({ model: after, faults }: ReturnType<typeof importTests>): unknown => {
  expect(faults).to.deep.equal([]);
  return after['tests'];
};

describe('the selection of a test of DMN in a spreadsheet', () => {
  for (const format of ['csv', 'xlsx'] as const) {
    it(`goes out, and into another decision: .${format}`, () => {
      expect(fileOf(format).rows[0]).to.include('select');
      expect(testsOf(importTests(dmn(approval), fileOf(format)))).to.deep.equal(model['tests']);
      expect(importTests(model, fileOf(format)).model).to.deep.equal(model);
    });

    it(`is that of its own row, whichever rows are gone or new: .${format}`, () => {
      const gone = edited(fileOf(format), ([, second]) => [renamed(second, 'z2')]);
      expect(testsOf(importTests(model, gone))).to.deep.equal([{ ...z, name: 'z2' }]);
      const above = edited(fileOf(format), (rows) => [renamed(rows[2], 'new'), ...rows]);
      expect(testsOf(importTests(model, above))).to.deep.equal([{ ...plain, name: 'new' }, a, z, plain]);
    });
  }

  it('may be a name without quotes', () => {
    const csv = 'name,input.Amount,output.Approval,select\na,1,yes,Approval\n';
    expect(testsOf(importTests(model, readWorkbook(Buffer.from(csv), 'csv', 'Tests').sheet))).to.deep.equal([a]);
  });

  it('goes with the name of its test where a file has no such column', () => {
    const csv = 'name,input.Amount,output.Letter\nz,9,We say yes\nq,8,We say no\n';
    expect(testsOf(importTests(model, readWorkbook(Buffer.from(csv), 'csv', 'Tests').sheet))).to.deep.equal([
      { ...z, input: { Amount: 9 } },
      { name: 'q', input: { Amount: 8 }, output: { Letter: 'We say no' } },
    ]);
  });

  it('is no column of a model of JDM', () => {
    const { strangers } = importTests(
      { nodes: [], edges: [] },
      readWorkbook(Buffer.from('name,select\na,R\n'), 'csv', 'Tests').sheet,
    );
    expect(strangers.map(({ message }) => message)).to.deep.equal([
      'Tests!B1: "select" is no column of tests: that is `name`, or begins with `input`, `output` or `env`, or is called as a field or column of the decision.',
    ]);
  });
});
