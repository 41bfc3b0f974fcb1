import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { zipOf } from '../../workers/sheets/files/writeZip.js';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import type { Model } from '../support/models.js';

const blank: Model = {
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    {
      ...{ id: 'fees', type: 'decisionTableNode', name: 'Fees', position: { x: 300, y: 120 } },
      content: {
        hitPolicy: 'first',
        inputs: [{ id: 'a', name: 'A', field: 'a' }],
        outputs: [{ id: 'b', name: 'B', field: 'b' }],
        rules: [],
      },
    },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [
    { id: 'first', sourceId: 'request', targetId: 'fees' },
    { id: 'second', sourceId: 'fees', targetId: 'response' },
  ],
};
const beside = [
  'Age,Price,,Promo code,Discount',
  ...['0-5', '6-12', '13-17', '18+'].map((age, at) => `${age},${10 + at},,${at < 2 ? `P${at},0.${at}` : ','}`),
].join('\n');
const twoLines = 'Grade,Years of service,,Allowance\n,from,to,EUR\nG1,0,2,105\nG1,3,5,110\nG2,0,2,115\nG2,3,5,120\n';
const names = 'Trip,Europe,World\nGolf,19,29\nWinter,20,31\nSki,21,33\n';
const cell = (place: string, text: string): string => `<c r="${place}" t="str"><v>${text}</v></c>`;
const sheet =
  `<row r="1">${cell('A1', 'Age')}${cell('B1', 'Plan')}${cell('C1', 'Fee')}</row>` +
  `<row r="2">${cell('A2', '0-5')}${cell('B2', 'A')}<c r="C2"><v>1</v></c></row>` +
  `<row r="3">${cell('A3', '6+')}${cell('B3', 'B')}<c r="C3"><v>2</v></c></row>` +
  `<row r="5">${cell('A5', 'Average')}<c r="C5"><f>AVERAGE(C2:C3)</f></c></row>`;
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const formulas = zipOf({
  'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
});

describe('what a sheet may be is said by a button', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'blank.json': blank });
    page = desk.page;
    await desk.button('New decision').click();
  });

  const creation = (): Locator => page.getByRole('dialog', { name: 'New decision' });
  const asked = (title: string): Locator => creation().getByRole('region', { name: title, exact: true });
  const headings = async (): Promise<readonly string[]> =>
    creation().getByRole('table', { name: 'First rows' }).getByRole('columnheader').allInnerTexts();
  const put = (name: string, content: string | Uint8Array): Promise<void> =>
    creation()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

  it('of two tables beside one another the first is read, and the other one at a press', async () => {
    await put('beside.csv', beside);
    const question = asked('Another table stands beside this one');
    await question.waitFor();
    await soon(async () => expect(await headings()).to.deep.equal(['Age', 'Price']));
    await expectAccessible(page, 'two tables beside one another');
    await question.getByRole('button', { name: 'Read columns D to E' }).click();
    await soon(async () => expect(await headings()).to.deep.equal(['Promo code', 'Discount']));
    await question.waitFor({ state: 'detached' });
  });

  it('headings in two lines are joined at a press', async () => {
    await put('lines.csv', twoLines);
    await asked('Rows 1 and 2 name the columns together: join them?')
      .getByRole('button', { name: 'Join rows 1 and 2' })
      .click();
    await asked('Years of service from and Years of service to: one input with a range?').waitFor();
  });

  it('a matrix of names alone is one at a press', async () => {
    await put('names.csv', names);
    await creation().getByRole('button', { name: 'It is a matrix' }).click();
    const question = asked('A matrix: a row for each of its cells?');
    await question.getByLabel('What stands along the first row').fill('Area');
    await question.getByLabel('What stands in the cells').fill('Price');
    await question.getByRole('button', { name: 'Make a table of it' }).click();
    await soon(async () => expect(await headings()).to.deep.equal(['Trip', 'Area', 'Price']));
  });

  it('what is told of a row goes with it', async () => {
    await put('formulas.xlsx', formulas);
    await creation().getByText('no stored value').first().waitFor();
    await creation().getByRole('button', { name: 'Leave row 5 out' }).click();
    await creation().getByText('no stored value').first().waitFor({ state: 'detached' });
  });

  it('both are so where they are pasted', async () => {
    await desk.edit('blank.json', 'fees');
    const cells = async (): Promise<readonly string[]> =>
      (await page.locator('.grid-cell[data-row]').allInnerTexts()).map((text) => text.trim());
    const dialog = (name: string): Locator => page.getByRole('dialog', { name });
    await page.locator('.grid-cell').first().click();
    await paste(page, { 'text/plain': beside.replaceAll(',', '\t') });
    const pasting = dialog('Paste 5 rows of 2 columns');
    await pasting.getByRole('button', { name: 'Read columns Promo code to Discount' }).click();
    await dialog('Paste 3 rows of 2 columns').getByRole('button', { name: 'Make 2 columns and paste' }).click();
    await soon(async () => expect((await cells()).slice(0, 2)).to.deep.equal(['"P0"', '0.0']));
    await desk.button('Undo').click();
    await page.locator('.grid-cell').first().click();
    await paste(page, { 'text/plain': names.trim().replaceAll(',', '\t') });
    const asked = dialog('Paste 4 rows of 3 columns');
    await asked.getByRole('button', { name: 'It is a matrix' }).click();
    await asked.getByLabel('What stands along the first row').fill('Area');
    await asked.getByLabel('What stands in the cells').fill('Price');
    await asked.getByRole('button', { name: 'Make a table of it' }).click();
    await dialog('Paste 7 rows of 3 columns').getByRole('button', { name: 'Make 3 columns and paste' }).click();
    await soon(async () => expect((await cells()).slice(0, 3)).to.deep.equal(['"Golf"', '"Europe"', '19']));
    await desk.button('Undo').click();
  });
});
