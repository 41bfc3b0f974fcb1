import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { documentOf } from '../../support/scene.js';
import { exportedTable, withOwnTests, withTable } from '../../support/sheets.js';

interface Model extends Record<string, unknown> {
  readonly nodes: { readonly id: string; readonly type: string; content: Record<string, unknown> }[];
}

/** The public vectors, where they are, and models of ours. */
const folders = [
  process.env['ZEN_SUITE'] ?? join(projectRoot, '../shared/zen-suite'),
  join(projectRoot, 'db/seeds/demo'),
  join(projectRoot, 'test/golden/models'),
  join(projectRoot, 'test/golden/sheets'),
];
const models = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({ name, model: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Model })),
  )
  .filter(({ model }) => Array.isArray(model.nodes));

/** As it is stored. */
const textOf = (model: Model): string => String(documentOf(model).text);

describe('what goes out and comes in again is the same model, byte for byte:', () => {
  for (const { name, model } of models) {
    const text = textOf(model);
    const tables = model.nodes.filter(({ type }) => type === 'decisionTableNode');
    if (tables.length > 0) {
      it(`tables of ${name}`, () => {
        for (const { id } of tables) {
          for (const format of ['xlsx', 'csv'] as const) {
            const bytes = exportedTable(text, id, format);
            const { model: again, diagnostics, conflicts } = withTable(text, id, { bytes, format });
            expect(again, `${id} .${format}`).to.equal(text);
            expect([diagnostics, conflicts], `${id} .${format}`).to.deep.equal([[], []]);
          }
        }
      });
    }
    if (model['tests'] !== undefined) {
      it(`tests of ${name}`, () => {
        for (const format of ['xlsx', 'csv'] as const) expect(withOwnTests(text, format), format).to.equal(text);
      });
    }
  }

  it('a table that LibreOffice has opened and saved', () => {
    const folder = join(projectRoot, 'test/golden/sheets');
    const model = JSON.parse(readFileSync(join(folder, 'table.json'), 'utf8')) as Model;
    const bytes = readFileSync(join(folder, 'libreoffice.xlsx'));
    const text = textOf(model);
    const { model: again, diagnostics, conflicts } = withTable(text, 'rates', { bytes });
    expect([again, diagnostics, conflicts]).to.deep.equal([text, [], []]);
    // Into another table, which has nothing of it: ids, hit policy, fields and types come from the file.
    const other = structuredClone(model);
    const { rules, ...settings } = model.nodes[1]!.content as { rules: Record<string, string>[] };
    other.nodes[1]!.content = { hitPolicy: 'first', inputs: [], outputs: [], rules: [] };
    const foreign = JSON.parse(withTable(JSON.stringify(other), 'rates', { bytes, of: 'another' }).model) as Model;
    const { rules: brought, ...kept } = foreign.nodes[1]!.content as { rules: Record<string, string>[] };
    expect(kept).to.deep.equal(settings);
    const shown = (list: readonly Record<string, string>[]): unknown =>
      list.map((rule) =>
        Object.fromEntries(Object.entries(rule).filter(([key, cell]) => key !== '_id' && cell !== '')),
      );
    expect(shown(brought)).to.deep.equal(shown(rules));
    expect(brought.map(({ _id }) => _id).slice(0, 4)).to.deep.equal(['r1', 'r2', 'r3', 'r4']);
  });
});
