import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { approval, dmn } from '../../support/dmn.js';
import { useScene } from '../../support/scene.js';
import { asCsv, asXlsx } from '../../support/sheets.js';

const tests = [{ name: 'small', input: { 'Applicant Age': 30, Amount: 500 }, output: { Letter: 'We say yes' } }];

describe('a DMN decision as spreadsheets', () => {
  const app = useApp();
  const scene = useScene(app);
  let id: string;
  beforeEach(async () => {
    id = await scene.write('loans/sheet.dmn', dmn(approval, tests));
  });
  const xmlOf = async (): Promise<string> => {
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return (body as { content: { xml: string } }).content.xml;
  };
  const at = (name: string): string => `/logic/decisions/${id}/versions/0/tables/${name}`;

  it('gives its table out, and takes it in again with no other byte changed', async () => {
    for (const [format, headers] of [
      ['xlsx', asXlsx],
      ['csv', asCsv],
    ] as const) {
      const file = await scene.caller.get(at(`approval.${format}`));
      expect(file.status, file.text).to.equal(200);
      const again = await scene.caller.put(`/logic/decisions/${id}/tables/approval`, file.bytes!, headers);
      expect(again.status, again.text).to.equal(200);
      expect((again.body as { differences: object }).differences).to.deep.include({ nodes: [], edges: [], rows: [] });
      expect(await xmlOf()).to.equal(approval);
    }
  });

  it('takes one cell that a person changed, and names it in the differences', async () => {
    const { text } = await scene.caller.get(at('approval.csv'));
    const changed = await scene.caller.put(
      `/logic/decisions/${id}/tables/approval`,
      text.replace('<= 1000', '<= 2000'),
      asCsv,
    );
    expect(changed.status, changed.text).to.equal(200);
    const { rows } = (changed.body as { differences: { rows: { cells: object[] }[] } }).differences;
    expect(rows.map(({ cells }) => cells)).to.deep.equal([[{ column: 'Amount', before: '<= 1000', after: '<= 2000' }]]);
    expect(await xmlOf()).to.equal(approval.replace('&lt;= 1000', '&lt;= 2000'));
  });

  it('names the cell of the file in what is told of it', async () => {
    const { text } = await scene.caller.get(at('approval.csv'));
    const put = await scene.caller.put(
      `/logic/decisions/${id}/tables/approval?dryRun=true`,
      text.replace('<= 1000', '1-1000'),
      asCsv,
    );
    const line = text.split('\n').findIndex((each) => each.includes('<= 1000')) + 1;
    const { faults } = put.body as { faults: { message: string; field: string }[] };
    expect(faults.map(({ message }) => message)).to.deep.equal([
      `Rules!B${line}: This is the difference of two numbers, and no range.`,
    ]);
  });

  it('stores nothing of a sheet with other columns, and knows no table of another name', async () => {
    const file = 'Kind,Applicant Age,Amount,Approval\n"""a""",< 18,,"""no"""\n';
    const refused = await scene.caller.put(`/logic/decisions/${id}/tables/approval`, file, asCsv);
    expect(refused.status, refused.text).to.equal(422);
    expect((refused.body as { code: string }).code).to.equal('model_has_faults');
    expect(await xmlOf()).to.equal(approval);
    expectProblem(await scene.caller.get(at('letter.csv')), 'node_not_found', { instance: at('letter.csv') });
  });

  it('has its tests as a sheet, out and in again', async () => {
    const file = await scene.caller.get(`/logic/decisions/${id}/tests.csv`);
    expect(file.status, file.text).to.equal(200);
    expect(file.text).to.include('input.').and.to.include('We say yes');
    const again = await scene.caller.put(`/logic/decisions/${id}/tests.csv`, file.text, asCsv);
    expect(again.status, again.text).to.equal(200);
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    expect((body as { content: object }).content).to.deep.equal(dmn(approval, tests));
  });
});
