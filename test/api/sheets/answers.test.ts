import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { foreignFile } from '../../support/foreignSheet.js';
import { between, expressing } from '../../support/models.js';
import { useScene } from '../../support/scene.js';
import { factsRecorded, type File } from '../../support/sheetBatches.js';
import { asCsv, asXlsx, cellsOf } from '../../support/sheets.js';

describe('batches of files', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  let batches: string;
  const deployed = async (key: string, model: Parameters<typeof scene.decision>[1]): Promise<string> => {
    const { decisionId } = await scene.deployed(key, model, environmentId);
    return `/logic/${environmentId}/decisions/${decisionId}/batches`;
  };
  before(async () => {
    environmentId = await scene.environment();
    batches = await deployed('echo.json', expressing({ x: 'x' }));
  });
  const factsOf = (file: File): Promise<unknown[]> => factsRecorded(scene.caller, batches, file);

  it('with ids of 64 bits run beside functions that read other fields', async () => {
    const source = 'export const handler = (input) => ({ twice: input.n * 2 })';
    const path = await deployed('ids.json', between({ id: 'f', type: 'functionNode', name: 'F', content: { source } }));
    const { text } = await scene.caller.post(path, 'account,n\n9007199254740993,2\n18446744073709551615,3\n', asCsv);
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(rows.slice(1).map((cells) => cells.toSpliced(2, 1))).to.deep.equal([
      ['9007199254740993', '2', 'COMPLETED', '4'],
      ['18446744073709551615', '3', 'COMPLETED', '6'],
    ]);
  });

  describe('answers to files', () => {
    for (const separator of [',', ';', '\t', '|']) {
      it(`have ${JSON.stringify(separator)} between their cells as the file has`, async () => {
        const mark = separator === '|' ? 'sep=|\n' : '';
        const csv = `${mark}key${separator}x\nk${separator}TRUE\n`;
        const [head, row] = (await scene.caller.post(batches, csv, asCsv)).text.split('\n');
        expect(head!.split(separator)).to.deep.equal(['key', 'x', 'id', 'status', 'result.x']);
        expect(row!.split(separator).toSpliced(2, 1)).to.deep.equal(['k', 'TRUE', 'COMPLETED', 'true']);
      });
    }

    it('have dates, times, durations and codes as such cells, and can be sent again', async () => {
      const cells = [
        { value: '46053', format: 'dd.mm.yyyy' },
        { value: '46053.395833333336', format: 22 },
        { value: '0.75', format: 'h:mm' },
        { value: '1.25', format: '[h]:mm' },
        { value: '1067', format: '00000' },
        { value: '0.07000000000000001', format: '0%' },
      ];
      const fact = { a: '2026-01-31', b: '2026-01-31T09:30:00', c: '18:00', d: 'PT30H', e: '01067', f: 0.07 };
      const file = foreignFile({ rows: [Object.keys(fact), cells] });
      expect(await factsOf(file)).to.deep.equal([fact]);
      const { bytes } = await scene.caller.post(batches, file, asXlsx);
      const read = cellsOf(bytes!).sheet;
      // A code says by its zeros that it is a text.
      const sources = Object.values(fact).map((value) => (value === fact.e ? fact.e : JSON.stringify(value)));
      expect(read[1]!.slice(0, 6)).to.deep.equal(sources);
      expect(await factsOf(bytes!)).to.deep.equal([fact]);
    });
  });
});
