import { expect } from 'chai';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { documentOf } from '../../support/scene.js';
import { table, single } from '../../support/engine.js';
import type { Model } from '../../support/models.js';
import { exportedTable, withTable } from '../../support/sheets.js';

const numbers = ['3.0', '3.1', '-4.50', '0.00', '100000.0', '12'];
const rows = numbers.map((rate) => ({ i0: '> 5', o0: rate }));
const model = single(table('t', { inputs: ['score'], outputs: ['rate'] }, rows)) as Model;
const text = String(documentOf(model).text);
const sheetPath = 'xl/worksheets/sheet1.xml';

/** The file as a program saves it that has changed texts of it. */
function saved(bytes: Uint8Array, changes: Readonly<Record<string, readonly (readonly [string | RegExp, string])[]>>) {
  const files = unzipSync(bytes);
  for (const [path, replaced] of Object.entries(changes))
    files[path] = strToU8(replaced.reduce((xml, [from, to]) => xml.replaceAll(from, to), strFromU8(files[path]!)));
  return zipSync(files);
}

describe('a column of numbers in an .xlsx', () => {
  const bytes = exportedTable(text, 't');

  it('has numbers alone, each shown with all its places', () => {
    const sheet = strFromU8(unzipSync(bytes)[sheetPath]!);
    for (const number of numbers) expect(sheet).to.match(new RegExp(`<c r="C\\d"(?: s="\\d+")?><v>${number}</v>`));
  });

  it('comes back to the byte, also from programs that write no idle zeros and formats of their own', () => {
    const short = [
      [/<v>(-?\d+)\.0+<\/v>/g, '<v>$1</v>'],
      [/<v>(-?\d+\.\d*[1-9])0+<\/v>/g, '<v>$1</v>'],
    ] as const;
    const formats = [[/(formatCode="0\.0+;)-/g, '$1\\-']] as const;
    for (const changes of [{}, { [sheetPath]: short }, { [sheetPath]: short, 'xl/styles.xml': formats }]) {
      const { model: again, diagnostics, conflicts } = withTable(text, 't', { bytes: saved(bytes, changes) });
      expect([again, diagnostics, conflicts]).to.deep.equal([text, [], []]);
    }
  });

  it('takes what was typed over a number with all its digits', () => {
    const { model: again } = withTable(text, 't', {
      bytes: saved(bytes, { [sheetPath]: [['<v>3.0</v>', '<v>3.25</v>']] }),
    });
    expect(again).to.equal(text.replace('"3.0"', '"3.25"'));
  });
});
