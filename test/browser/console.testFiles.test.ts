import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { deciding } from '../support/models.js';
import { cellsOf } from '../support/sheets.js';

const rules = [{ _id: 'a', age: '< 30', size: '', fee: '10' }];
const tests = [
  { name: 'young', input: { age: 20 }, output: { fee: 10 } },
  { name: 'old', input: { age: 70 }, output: { fee: 30 } },
];

describe('the tests of a decision on the desk', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'shop/fees.json': { ...deciding(rules), tests } });
    page = desk.page;
  });

  const save = async (name: string): Promise<{ readonly file: string; readonly bytes: Buffer }> => {
    const [download] = await Promise.all([page.waitForEvent('download'), desk.button(name).click()]);
    return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const bring = async (text: string): Promise<Locator> => {
    const file = { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Spreadsheet of tests').setInputFiles(file);
    return page.getByRole('dialog', { name: 'Import mine.csv' });
  };
  const changes = async (dialog: Locator): Promise<readonly string[]> => {
    const rows = await dialog.getByRole('table', { name: 'What would change' }).getByRole('row').allInnerTexts();
    return rows.map((text) => text.replace(/\s+/g, ' ').trim());
  };

  it('go out as a spreadsheet', async () => {
    await desk.edit('shop/fees.json');
    await page.getByRole('tab', { name: 'Tests' }).click();
    const csv = await save('Tests as .csv');
    expect({ file: csv.file, text: csv.bytes.toString().trim().split(/\r?\n/) }).to.deep.equal({
      file: 'fees tests.csv',
      text: ['name,input.age,output.fee', 'young,20,10', 'old,70,30'],
    });
    const xlsx = await save('Tests as .xlsx');
    expect(xlsx.file).to.equal('fees tests.xlsx');
    expect(cellsOf(xlsx.bytes).sheet.map((row) => row.join())).to.deep.equal([
      ...['name,input.age,output.fee', 'young,20,10', 'old,70,30'],
    ]);
  });

  it('come back, shown before they are in the draft', async () => {
    const dialog = await bring('name,input.age,output.fee\nyoung,21,10\nmiddle,40,20\n');
    await soon(async () =>
      expect(await changes(dialog)).to.deep.equal([
        ...['Test Change Given Expected', 'young changed age 21 fee 10', 'middle added age 40 fee 20'],
      ]),
    );
    await dialog.getByText('2 tests of the file: 1 new, 1 changed.', { exact: true }).waitFor();
    await dialog.getByRole('checkbox', { name: 'Keep the tests that the file does not have' }).uncheck();
    await soon(async () => expect((await changes(dialog)).at(-1)).to.equal('old removed age 70 fee 30'));
    await dialog
      .getByText('2 tests of the file: 1 new, 1 changed. 1 test that it does not have would be removed.')
      .waitFor();
    await expectAccessible(page, 'tests of a file');
    await dialog.getByRole('button', { name: 'Take them over' }).click();
    await page.getByRole('row', { name: /middle/ }).waitFor();
    await soon(async () => expect(await desk.button('Tests from a file').isDisabled()).to.equal(true));
    await desk.keep();
    const { tests: kept } = (await desk.stored('shop/fees.json')) as unknown as { tests: unknown };
    expect(kept).to.deep.equal([
      { name: 'young', input: { age: 21 }, output: { fee: 10 } },
      { name: 'middle', input: { age: 40 }, output: { fee: 20 } },
    ]);
  });

  it('are counted by what is new, what is changed and what is the same', async () => {
    const dialog = await bring('name,input.age,output.fee\nyoung,21,10\nmiddle,41,20\nlate,60,30\nlast,70,30\n');
    await dialog.getByText('4 tests of the file: 2 new, 1 changed, 1 the same.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('are not taken of a file that could not be read whole, and nothing changes by the same ones', async () => {
    const wrong = await bring('name,input.age,output.fee\nyoung,22,10,7\n');
    await wrong.getByText('error').waitFor();
    await soon(async () =>
      expect(await wrong.getByRole('button', { name: 'Take them over' }).isDisabled()).to.equal(true),
    );
    await wrong.getByRole('button', { name: 'Cancel' }).click();
    const same = await bring('name,input.age,output.fee\nyoung,21,10\nmiddle,40,20\n');
    await same.getByText('Nothing would change.').waitFor();
    await same.getByRole('button', { name: 'Close' }).click();
    expect(desk.view.complaints).to.deep.equal([]);
  });

  it('are taken without a column that is nothing of a test, once somebody says so, and with what is sure as it is read', async () => {
    const dialog = await bring('Name;Case no;Age;Fee\nlate;17;50,5;10\n');
    const take = dialog.getByRole('button', { name: 'Take them over' });
    await dialog.getByText('"50,5" is read as 50.5.').waitFor();
    await soon(async () => expect(await take.isDisabled()).to.equal(true));
    await dialog.getByText('"Case no" is no column of tests').waitFor();
    await expectAccessible(page, 'a strange column of tests');
    await dialog.getByRole('button', { name: 'Leave this column out' }).click();
    await soon(async () => expect((await changes(dialog)).at(-1)).to.equal('late added age 50.5 fee 10'));
    await take.click();
    await page.getByRole('row', { name: /late/ }).waitFor();
    await page.getByRole('row', { name: /young/ }).waitFor();
  });
});
