import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { foreignFile } from '../support/foreignSheet.js';
import type { Model } from '../support/models.js';
import { cellsOf, fileOf } from '../support/sheets.js';
import { soon } from '../support/eventually.js';
import { writeXlsx } from '../../workers/sheets/files/writeXlsx.js';

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const emptyModel: Model = {
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [{ id: 'first', sourceId: 'request', targetId: 'response' }],
};

describe('a spreadsheet is shown, and put right, before anything of it is kept', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'table.json': tableOf(2), 'empty.json': emptyModel });
    page = desk.page;
  });

  const creation = (): Locator => page.getByRole('dialog', { name: 'New decision' });
  const create = (): Locator => creation().getByRole('button', { name: 'Create' });
  const found = (within: Locator): Locator => within.getByRole('region', { name: 'Found in the file' });
  const bring = async (text: string, name = 'fees.csv'): Promise<void> => {
    const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text) };
    await creation().locator('input[type=file]').setInputFiles(file);
  };
  const decisions = async (): Promise<number> =>
    ((await desk.scene.caller.get('/logic/decisions')).body as { data: unknown[] }).data.length;

  it('by a new decision: while it is read nothing can be made of it, and that is told', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route('**/logic/conversions/table*', async (route) => {
      await held;
      await route.continue();
    });
    await bring('age,code,fee\n18-24,A,"1,500"\n25-64,B,"2,500"\nunder 18,C,"3,500"\n>= 65,D,"10,000"\n');
    await creation().getByRole('status').getByText('fees.csv is being read …').waitFor();
    await soon(async () => expect(await create().isDisabled()).to.equal(true));
    go();
    await creation().getByRole('checkbox', { name: 'age' }).waitFor();
    await page.unroute('**/logic/conversions/table*');
    await soon(async () => expect(await create().isDisabled()).to.equal(false));
  });

  it('with each cell as it is and as it would be, and one button for all that have one reading', async () => {
    const before = await decisions();
    await found(creation()).getByText('7 cells are written otherwise than they are read here.').waitFor();
    const ranges = creation().getByRole('region', { name: 'Ranges in age' });
    await soon(async () =>
      expect(await ranges.getByRole('row').nth(1).innerText()).to.match(/^1\s+18-24\s+\[18\.\.24\]$/),
    );
    await expectAccessible(page, 'a new decision of a spreadsheet with faults');
    await creation().getByRole('button', { name: 'Repair all that have one reading (3 cells)' }).click();
    await ranges.waitFor({ state: 'detached' });
    const fees = creation().getByRole('region', { name: /in fee/ });
    await fees.getByRole('radio').nth(1).check();
    await fees.getByRole('button', { name: 'Repair 4 cells' }).click();
    await found(creation()).getByText('written otherwise').waitFor({ state: 'detached' });
    expect(await decisions()).to.equal(before);
    await create().click();
    await desk.button('Rules').waitFor();
    await desk.region('Faults').getByText('No faults.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-2)!;
    const { content } = (await desk.scene.caller.get(`/logic/decisions/${id}/versions/0`)).body as { content: Model };
    const texts = JSON.stringify(content);
    for (const text of ['[18..24]', '[25..64]', '< 18', '1.5', '10']) expect(texts).to.include(`"${text}"`);
    expect(texts).to.not.include('10,000');
  });

  it('and read anew where other columns are its inputs', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    await bring('age,fee\n18-24,1\n25-64,2\n');
    await found(creation()).getByText('2 cells are written otherwise').waitFor();
    let answer = (): void => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    const path = '**/logic/conversions/table**';
    await page.route(path, (route) => released.then(() => route.continue()));
    await creation().getByRole('checkbox', { name: 'age' }).uncheck();
    await creation().getByRole('checkbox', { name: 'fee' }).check();
    // What would be put right meanwhile were gone with the answer.
    await creation().getByRole('status').getByText('is being read').waitFor();
    await soon(async () => expect(await found(creation()).count()).to.equal(0));
    answer();
    await creation().getByRole('row', { name: '18-24 1' }).waitFor();
    await found(creation()).waitFor({ state: 'attached' });
    await page.unroute(path);
    // However much there is to be put right, what is done with it is in sight.
    await bring(`age,fee\n${'18-24,"1"\n'.repeat(60)}`);
    await found(creation()).getByText('and 30 more').waitFor();
    const { y = NaN, height = NaN } = (await create().boundingBox()) ?? {};
    expect(y + height).to.be.below(page.viewportSize()?.height ?? NaN);
  });

  it('another file takes the place of the first, with its name, its columns and what it guesses of them', async () => {
    await bring('zip,city,price\n1,"a",2\n', 'prices.csv');
    await creation().getByRole('row', { name: '1 "a" 2' }).waitFor();
    const ticks = creation().getByRole('checkbox');
    const ticked = (await ticks.all()).map((tick) => tick.isChecked());
    expect(await Promise.all(ticked)).to.deep.equal([true, true, false]);
    await soon(async () =>
      expect(await creation().getByRole('columnheader').allInnerTexts()).to.deep.equal(['zip', 'city', 'price']),
    );
    const name = creation().getByRole('textbox', { name: 'Name (key)' });
    await soon(async () => expect(await name.inputValue()).to.equal('prices'));
    // Nor does it stay with the columns of a file of the same name, and a name that somebody typed stays.
    await name.fill('mine');
    await bring('land,fee\n"FI",2\n', 'prices.csv');
    await creation().getByRole('row', { name: '"FI" 2' }).waitFor();
    await soon(async () => expect(await name.inputValue()).to.equal('mine'));
    await page.keyboard.press('Escape');
  });

  it('with the cells of each of two columns that have one name, whichever of them is an input', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    await bring('Score,Score,Fee\n>= 700,< 900,1\n< 700,> 5,2\n', 'scores.csv');
    const firstRow = (): Promise<string> =>
      creation().getByRole('table', { name: 'First rows' }).getByRole('row').nth(1).innerText();
    await soon(async () => expect(await firstRow()).to.match(/^>= 700\s+< 900\s+1$/));
    await found(creation()).getByText('`Score` is there twice').waitFor();
    await creation().getByRole('checkbox', { name: 'Score', exact: true }).uncheck();
    await found(creation()).getByText('`Score` is there twice').waitFor({ state: 'detached' });
    expect(await firstRow()).to.match(/^>= 700\s+< 900\s+1$/);
    await creation().getByRole('button', { name: 'Cancel' }).click();
  });

  it('with a row of units or hints below the names, which one button leaves out, as it does a title above them', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    await bring('Tarif 2026,,\n,,\nAlter,Betrag,Zins\n18,500,5\n');
    await creation().getByRole('heading', { name: 'Row 3 names the columns: start there?' }).waitFor();
    await soon(async () => expect(await create().isDisabled()).to.equal(true));
    await creation().getByRole('button', { name: 'Start at row 3' }).click();
    await creation().getByRole('row', { name: '18 500 5' }).waitFor();
    await soon(async () => expect(await create().isDisabled()).to.equal(false));
    await bring('Alter,Betrag,Zins\nJahre,in EUR,p. a.\n18,500,5\n24,700,4\n');
    await creation().getByRole('heading', { name: 'Units or hints in row 2: leave it out?' }).waitFor();
    await soon(async () => expect(await create().isDisabled()).to.equal(false));
    const hints = creation().getByRole('row', { name: /^Jahre in EUR/ });
    await hints.waitFor();
    await creation().getByRole('button', { name: 'Leave row 2 out' }).click();
    await hints.waitFor({ state: 'detached' });
    await creation().getByText('Units or hints').waitFor({ state: 'detached' });
    await soon(async () => expect(await found(creation()).locator('.fault').count()).to.equal(0));
    await creation().getByRole('row', { name: '18 500 5' }).waitFor();
    await creation().getByRole('button', { name: 'Cancel' }).click();
  });

  it('of a workbook the sheet that one chooses, and of that sheet the row of the names', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    const sheet = (name: string, rows: readonly (readonly string[])[]) =>
      ({ name, holds: 'values', columns: [], rows }) as const;
    const titled = [['Prices 2026'], [], ['Age', 'Loan', 'Fee'], ['1', '2', '3']];
    const buffer = Buffer.from(
      writeXlsx([
        sheet('2025', [
          ['Age', 'Fee'],
          ['18', '99'],
        ]),
        sheet('New prices', titled),
      ]),
    );
    await creation().locator('input[type=file]').setInputFiles({ name: 'prices.xlsx', mimeType: xlsxType, buffer });
    await creation().getByRole('row', { name: '18 99' }).waitFor();
    await soon(async () => expect(await found(creation()).locator('.fault').count()).to.equal(0));
    await creation().getByRole('button', { name: 'Read New prices' }).click();
    await creation().getByRole('button', { name: 'Start at row 3' }).click();
    await creation().getByRole('row', { name: '1 2 3' }).waitFor();
    await creation().getByRole('button', { name: 'Cancel' }).click();
  });

  it('by the import of a table: a formula without a value is told once, in words', async () => {
    await desk.edit('table.json', 'fees');
    const bytes = foreignFile({
      rows: [
        ['Code', 'Fee'],
        [{ value: '18-24', type: 'str' }, { value: '1' }],
        [{ value: '5' }, { formula: 'B2*2' }],
      ],
    });
    const file = { name: 'fees.xlsx', mimeType: xlsxType, buffer: Buffer.from(bytes) };
    await page.locator('input[type=file]').setInputFiles(file);
    const dialog = page.getByRole('dialog', { name: 'Import fees.xlsx' });
    const faults = found(dialog);
    await faults.getByText('The cell has a formula and no stored value').waitFor();
    await soon(async () => expect(await faults.locator('.fault').count()).to.equal(1));
    await soon(async () => expect(await dialog.locator('pre').count()).to.equal(0));
    await soon(async () => expect((await faults.locator('.fault').innerText()).match(/![A-Z]\d/g)).to.have.length(1));
    await dialog.getByRole('region', { name: 'Ranges in Code' }).getByRole('button').click();
    await dialog.getByRole('button', { name: 'Take it over' }).click();
    await desk.unsaved().waitFor();
    const cell = page.locator('.grid-cell[data-row="0"][data-column="0"]');
    await cell.getByText('[18..24]').waitFor();
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('by the import of a table: nothing is taken over of a title, and what is repaired or put below is what is listed', async () => {
    const file = (text: string) => ({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const dialog = page.getByRole('dialog', { name: 'Import rows.csv' });
    const take = dialog.getByRole('button', { name: 'Take it over' });
    const listed = (): Promise<number> => dialog.getByRole('table', { name: 'Differences' }).getByRole('row').count();
    await page.locator('input[type=file]').setInputFiles(file('Code,Fee\n1,9\n0,9\n'));
    await dialog.getByText('0 rows added, 2 changed, 0 removed. 1 row moved: of those that apply, the first').waitFor();
    await dialog.getByRole('row', { name: /^row 1 ?1 moved row 2 row 1$/ }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('input[type=file]').setInputFiles(file('Fees 2026,\n,\nCode,Fee\n700-800,9\n'));
    await dialog.getByRole('heading', { name: 'Row 3 names the columns: start there?' }).waitFor();
    await soon(async () => expect(await take.count()).to.equal(0));
    await dialog.getByRole('button', { name: 'Start at row 3' }).click();
    await dialog.getByRole('radio', { name: 'take the place of the table’s 2 rows' }).waitFor();
    await dialog.getByText('0 rows added, 1 changed, 1 removed.').waitFor();
    await dialog.getByRole('button', { name: 'Repair 1 cell' }).click();
    await dialog.getByRole('row', { name: /changed .* \[700\.\.800\]$/ }).waitFor();
    expect(await listed()).to.be.above(1);
    await dialog.getByRole('radio', { name: 'go below those of the table' }).check();
    await dialog.getByText('1 row added, 0 changed, 0 removed.').waitFor();
    await dialog.getByRole('button', { name: 'Repair 1 cell' }).click();
    await expectAccessible(page, 'an import into a table');
    await take.click();
    await page.locator('.grid-cell[data-row="2"][data-column="0"]').getByText('[700..800]').waitFor();
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('by the import of a table that was changed meanwhile in the same rows: asks whose are taken', async () => {
    const id = desk.ids.get('table.json')!;
    const { bytes } = await desk.scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.xlsx`);
    const { sheet, hidden } = cellsOf(bytes!);
    sheet[1]![2] = '7';
    sheet[2]![2] = '8';
    const theirs = structuredClone(tableOf(2));
    (theirs.nodes as { content: { rules: { fee: string }[] } }[])[1]!.content.rules[0]!.fee = '5';
    await desk.scene.caller.patch(`/logic/decisions/${id}`, { content: theirs });
    await desk.view.go('/decisions');
    await desk.edit('table.json', 'fees');
    const file = { name: 'both.xlsx', mimeType: xlsxType, buffer: Buffer.from(fileOf({ sheet, hidden })) };
    await page.locator('input[type=file]').setInputFiles(file);
    const asked = page.getByRole('dialog', { name: 'Changed in the file and in the table' });
    await asked.getByText('B2: the row was changed here, and meanwhile in the table as well').waitFor();
    await expectAccessible(page, 'rows that both have changed');
    await asked.getByRole('radio', { name: 'Take what the file has there' }).check();
    await asked.getByRole('button', { name: 'Show what would change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import both.xlsx' });
    await dialog.getByText('0 rows added, 2 changed, 0 removed.').waitFor();
    await dialog.getByRole('row', { name: /changed 5 7$/ }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(desk.view.complaints.splice(0)).to.have.length(1);
  });

  it('a sheet that is pasted on the graph becomes a table between request and response', async () => {
    await desk.edit('empty.json');
    await page.getByText('Or paste a sheet (Ctrl+V).').waitFor();
    await page.locator('[data-node="request"]').focus();
    const sheet = 'Age\tCountry\tFee\n< 18\t"FI"\t0\n>= 18\t"SE"\t12.5\n';
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(sheet)})`);
    await page.keyboard.press('Control+v');
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows of 3 columns' });
    await dialog.getByRole('button', { name: 'Make 3 columns and paste' }).click();
    await page.locator('.grid-cell[data-row="1"][data-column="2"]').getByText('12.5').waitFor();
    await page.getByRole('textbox', { name: 'Age', exact: true }).fill('20');
    await page.getByRole('textbox', { name: 'Country', exact: true }).fill('SE');
    await desk.button('Run').click();
    await page.getByRole('region', { name: 'Result' }).getByText('12.5').waitFor();
    await desk.keep();
    const { nodes, edges } = (await desk.stored('empty.json')) as unknown as {
      nodes: { id: string; type: string; content: { inputs: { field: string }[] } }[];
      edges: { sourceId: string; targetId: string }[];
    };
    const table = nodes.find(({ type }) => type === 'decisionTableNode')!;
    expect(table.content.inputs.map(({ field }) => field)).to.deep.equal(['Age', 'Country']);
    expect(edges.map(({ sourceId, targetId }) => [sourceId, targetId])).to.have.deep.members([
      ['request', table.id],
      [table.id, 'response'],
    ]);
  });

  it('the browser had no complaint', () => {
    expect(desk.view.complaints).to.deep.equal([]);
  });
});
