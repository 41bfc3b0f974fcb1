import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import type { Model } from '../../support/models.js';
import { priced, rules, type Imported } from '../../support/pricedTable.js';
import { useScene } from '../../support/scene.js';
import { asXlsx, cellsOf, fileOf } from '../../support/sheets.js';

describe('files of decision tables that changed, or are wrong', () => {
  const app = useApp();
  const scene = useScene(app);
  let made = 0;

  const write = (model: Model = priced()): Promise<string> => scene.write(`tables/${++made}.json`, model);
  const pathOf = (id: string): string => `/logic/decisions/${id}/tables/fees`;
  const exported = async (id: string, format = 'xlsx'): Promise<Buffer> =>
    (await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.${format}`)).bytes!;
  const rulesOf = async (id: string): Promise<unknown> => {
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return (body as { content: { nodes: { content: { rules: unknown } }[] } }).content.nodes[1]!.content.rules;
  };
  const imported = async (id: string, file: Uint8Array | string, headers = asXlsx): Promise<Imported> =>
    bodyOf(await scene.caller.put(pathOf(id), file, headers)) as Imported;

  it('merges by row what others changed since the file was made', async () => {
    const id = await write();
    const { sheet, hidden } = cellsOf(await exported(id));
    const theirs = [
      { ...rules[0], fee: '1' },
      rules[1],
      { _id: 'new', age: '> 70', country: '', fee: '5', text: '' },
      rules[2],
    ];
    await scene.caller.patch(`/logic/decisions/${id}`, { content: priced(theirs) });
    sheet[2]![3] = '9';
    await imported(id, fileOf({ sheet, hidden }));
    expect(await rulesOf(id)).to.deep.equal([theirs[0], { ...rules[1], fee: '9' }, theirs[2], rules[2]]);
  });

  it('refuses a file that changes a row that others changed since, and names the row', async () => {
    const id = await write();
    const { sheet, hidden } = cellsOf(await exported(id));
    await scene.caller.patch(`/logic/decisions/${id}`, {
      content: priced([{ ...rules[0], fee: '1' }, rules[1], rules[2]]),
    });
    sheet[1]![3] = '2';
    const refused = await scene.caller.put(pathOf(id), fileOf({ sheet, hidden }), asXlsx);
    const message = 'Rules!B2: the row was changed here, and meanwhile in the table as well';
    expectProblem(refused, 'precondition_failed', {
      instance: pathOf(id),
      errors: [{ in: 'body', pointer: 'Rules!B2', message }],
    });
    expect(((await rulesOf(id)) as { fee: string }[])[0]!.fee).to.equal('1');
  });

  it('takes the row of the side that is preferred, where both changed it, and what one of them changed of the others', async () => {
    for (const [prefer, first, third] of [
      ['file', { ...rules[0], fee: '2' }, []],
      ['table', { ...rules[0], fee: '1' }, [{ ...rules[2], fee: '8' }]],
    ] as const) {
      const id = await write();
      const { sheet, hidden } = cellsOf(await exported(id));
      const theirs = [{ ...rules[0], fee: '1' }, rules[1], { ...rules[2], fee: '8' }];
      await scene.caller.patch(`/logic/decisions/${id}`, { content: priced(theirs) });
      sheet[1]![3] = '2';
      sheet[2]![3] = '9';
      sheet.splice(3, 1);
      const file = fileOf({ sheet, hidden });
      expect((await scene.caller.put(pathOf(id), file, asXlsx)).status).to.equal(412);
      const answer = await scene.caller.put(`${pathOf(id)}?prefer=${prefer}`, file, asXlsx);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(await rulesOf(id)).to.deep.equal([first, { ...rules[1], fee: '9' }, ...third]);
    }
  });

  it('names sheet and cell of what is wrong, and stores nothing that cannot run', async () => {
    const id = await write();
    const { sheet, hidden } = cellsOf(await exported(id));
    sheet[3]![1] = '>> 5';
    const warned = await imported(await write(), fileOf({ sheet, hidden }));
    expect(warned.faults).to.have.length(1);
    expect(warned.faults[0]).to.deep.include({ severity: 'warning', field: 'Rules!B4, rule 3, input customer.age' });
    expect(warned.faults[0]!.message).to.match(/^Rules!B4: /);
    sheet[2]![7] = 'lost';
    const refused = await scene.caller.put(pathOf(id), fileOf({ sheet, hidden }), asXlsx);
    expect(refused.status).to.equal(422);
    const { code, faults } = refused.body as { code: string; faults: Imported['faults'] };
    expect(code).to.equal('model_has_faults');
    expect(faults.map(({ severity, message }) => `${severity} ${message}`)).to.deep.equal([
      'error Rules!H3: this column has no name in row 1.',
      `warning ${warned.faults[0]!.message}`,
    ]);
    const dry = (await scene.caller.put(`${pathOf(id)}?dryRun=true`, fileOf({ sheet, hidden }), asXlsx))
      .body as Imported;
    expect(dry.faults.map(({ severity }) => severity)).to.include('error');
  });
});
