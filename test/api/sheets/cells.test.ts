import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { single, table } from '../../support/engine.js';
import type { Model } from '../../support/models.js';
import { useScene } from '../../support/scene.js';
import { asCsv } from '../../support/sheets.js';

interface Fault {
  readonly severity: string;
  readonly pointer: string | null;
  readonly field: string;
  readonly message: string;
  readonly hint: string;
}

/** Among numbers: what ZEN reads as something else, and what it does not read. */
const cells = ['10,000-50,000', '$1,000', '01/31/2026', '2026-Q1', 'under 18', '"18"', 'n/a', '[5..1]'];
const numbers = Array.from({ length: 30 }, (_, row) => String(row));
const model = single(
  table(
    't',
    { inputs: ['amount'], outputs: ['rate'] },
    [...cells, ...numbers].map((i0) => ({ i0, o0: '1' })),
  ),
) as Model;
const told = cells.map((_cell, row) => `/nodes/1/content/rules/${row}/i0`);
const hintOf = (faults: readonly Fault[], row: number): string | undefined =>
  faults.find(({ pointer }) => pointer === told[row])?.hint;

describe('cells that mean something else than they say are faults of their column', () => {
  const app = useApp();
  const scene = useScene(app);

  const expectTold = (faults: readonly Fault[]): void => {
    expect(faults.map(({ severity, pointer }) => [severity, pointer])).to.have.deep.members(
      told.map((pointer) => ['warning', pointer]),
    );
    expect(hintOf(faults, 0)).to.include('write [10000..50000]').and.include('write [10..50]');
    expect(hintOf(faults, 4)).to.include('write < 18.');
  };

  it('in validations, and in the count of a decision, which is stored and deployed all the same', async () => {
    const { body } = await scene.caller.post('/logic/validations', { decisions: [{ key: 'a.json', content: model }] });
    expectTold((body as { faults: Fault[] }).faults);
    const id = await scene.write('cells/rates.json', model);
    expect((await scene.caller.get(`/logic/decisions/${id}`)).body).to.include({ faults: 0, warnings: told.length });
    expect((await scene.caller.post(`/logic/decisions/${id}/versions`, {})).status).to.equal(201);
  });

  it('in a file that is brought into a table, by the name of the cell', async () => {
    const id = await scene.write('cells/brought.json', model);
    const file = ['amount,rate', ...[...numbers, ...cells].map((cell) => `"${cell.replaceAll('"', '""')}",1`)].join(
      '\n',
    );
    const { body } = await scene.caller.put(`/logic/decisions/${id}/tables/t?dryRun=true`, file, asCsv);
    const { faults } = body as { faults: Fault[] };
    expect(faults.map(({ field }) => field.split(',')[0])).to.have.members(
      cells.map((_cell, at) => `Rules!A${32 + at}`),
    );
  });

  it('in a plain sheet that becomes a model, which quotes only what can be nothing but a text', async () => {
    const rows = ['PRUEFKEIN, PRUEFGL', 'Gold', '“Silver”', 'other', 'Gold or Silver', 'not Gold', 'any', 'n/a'];
    const file = ['Segment,Rate', ...rows.map((cell, at) => `"${cell}",${at}`)].join('\n');
    const { body } = await scene.caller.post('/logic/conversions/table', file, asCsv);
    const { content, faults } = body as {
      content: { nodes: { content: { inputs: { id: string }[]; rules: Record<string, string>[] } }[] };
      faults: Fault[];
    };
    const { inputs, rules } = content.nodes[1]!.content;
    expect(rules.map((rule) => rule[inputs[0]!.id])).to.deep.equal([
      ...['PRUEFKEIN, PRUEFGL', '"Gold"', '"Silver"', 'other', 'Gold or Silver', 'not Gold', 'any', 'n/a'],
    ]);
    expect(faults.map(({ field }) => field.split(',')[0])).to.have.members(
      ['A2', 'A5', 'A6', 'A7', 'A8', 'A9'].map((cell) => `Rules!${cell}`),
    );
  });
});
