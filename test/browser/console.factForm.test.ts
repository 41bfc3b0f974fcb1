import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk, paste } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { deciding, type Model } from '../support/models.js';

const table = {
  hitPolicy: 'first',
  inputs: [
    { id: 'i', name: 'Age', field: 'Age', _unit: 'years' },
    { id: 'p', name: 'Product', field: 'Product' },
  ],
  outputs: [{ id: 'o', name: 'Fee', field: 'Fee' }],
  rules: [
    { _id: '1', i: '< 25', p: '"Car"', o: '10' },
    { _id: '2', i: '>= 25', p: '"Boat"', o: '20' },
    { _id: '3', i: '', p: '', o: '30' },
  ],
};
const fees: Model = {
  nodes: [
    { id: '7f94a-4n', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    { id: 'fees', type: 'decisionTableNode', name: 'Fees', position: { x: 300, y: 120 }, content: table },
    { id: 'out', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [
    { id: 'e1', sourceId: '7f94a-4n', targetId: 'fees' },
    { id: 'e2', sourceId: 'fees', targetId: 'out' },
  ],
};

describe('the form of a fact is of what is on the screen', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, {
      'fees.json': fees,
      'few.json': deciding([{ _id: 'a', age: '< 30', size: '', fee: '1' }]),
    });
    page = desk.page;
    await desk.edit('fees.json', 'fees');
  });

  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const names = (): Promise<string[]> => page.locator('.fact-name label').allInnerTexts();
  const result = (): Locator => desk.region('Result');
  const earlier = (): Locator => result().getByText('of an earlier fact: run it again', { exact: true });

  it('a result is of the fact that ran: as soon as a field is another one, that is told, until it is run', async () => {
    await field('Age').fill('20');
    await field('Product').fill('Car');
    await desk.button('Run').click();
    await result().getByText('COMPLETED').waitFor();
    await soon(async () => expect(await earlier().count()).to.equal(0));
    for (const [name, text, back] of [
      ['Product', 'Boat', 'Car'],
      ['Age', 'abc', '20'],
    ] as const) {
      await field(name).fill(text);
      await earlier().waitFor();
      await soon(async () => expect(await result().getByText('COMPLETED').count()).to.equal(0));
      await field(name).fill(back);
      await earlier().waitFor({ state: 'detached' });
    }
    await field('Product').fill('Boat');
    await earlier().waitFor();
    await expectAccessible(page, 'a result of an earlier fact');
    await page.getByRole('tab', { name: 'Result' }).click();
    await earlier().waitFor();
    await page.getByRole('tab', { name: 'Fact' }).click();
    await desk.button('Run').click();
    await earlier().waitFor({ state: 'detached' });
    await result().getByText('COMPLETED').waitFor();
  });

  it('what is asked for by Enter while a run is under way runs after it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(
      '**/logic/evaluations',
      async (route) => {
        await held;
        await route.continue().catch(() => undefined);
      },
      { times: 1 },
    );
    await field('Age').fill('20');
    await field('Product').fill('Car');
    const asked = page.waitForRequest('**/logic/evaluations');
    await field('Age').press('Enter');
    await asked;
    await field('Product').fill('Plane');
    await field('Product').press('Enter');
    release();
    await result().getByText('30', { exact: true }).waitFor();
    await earlier().waitFor({ state: 'detached' });
  });

  it('a number that is a thousand to half of the world is asked before it runs', async () => {
    await field('Age').fill('12.000');
    await desk.button('Run').click();
    await page.getByText('It has not run').waitFor();
    await page.locator('input:focus[data-asked]').waitFor();
    await desk.button('Run').click();
    await page.getByText('It has not run').waitFor({ state: 'detached' });
    await earlier().waitFor({ state: 'detached' });
    await field('Age').fill('20');
  });

  it('a number with another unit than its column is none, which is said beside it, and one with the same is read', async () => {
    await page.getByRole('columnheader', { name: 'Age years' }).waitFor();
    await field('Age').fill('20 months');
    await page.getByText('This is a number in years').waitFor();
    await page.locator('.fact-name').filter({ hasText: 'Age years' }).waitFor();
    await expectAccessible(page, 'a number with another unit');
    await field('Age').fill('20 years');
    await page.getByText('This is a number in years').waitFor({ state: 'hidden' });
    await desk.button('Run').click();
    await earlier().waitFor({ state: 'detached' });
    await field('Age').fill('20');
  });

  it('a column with another field asks for that one, and for the old one no more, before anything is kept', async () => {
    await field('Age').fill('');
    await page.getByRole('columnheader', { name: /Age/ }).dblclick();
    const dialog = page.getByRole('dialog', { name: 'Change input' });
    await dialog.getByRole('textbox', { name: 'Field' }).fill('Alter des Kunden');
    await dialog.getByText('A name with such signs is read as').waitFor();
    await expectAccessible(page, 'a field that is read as a name');
    await dialog.getByRole('button', { name: 'Change' }).click();
    await soon(async () => expect(await names()).to.have.members(['Product', 'Alter des Kunden']));
    await desk.region('Faults').getByText('No faults.').waitFor();
    await field('Alter des Kunden').fill('20');
    await field('Product').fill('Car');
    await desk.button('Run').click();
    await result().getByText('10', { exact: true }).waitFor();
    await desk.keep();
  });

  it('and a word that was mended is asked for no more, however the nodes are called', async () => {
    const cell = page.locator('.grid-cell[data-row="2"][data-column="0"]');
    await cell.click();
    await page.keyboard.type('n/a');
    await page.keyboard.press('Enter');
    await desk.keep();
    await page.reload();
    await cell.waitFor();
    await cell.click();
    await page.keyboard.press('Delete');
    await desk.unsaved().waitFor();
    await soon(async () => expect(await names()).to.have.members(['Product', 'Alter des Kunden']));
  });

  it('what is pasted with its header goes into the columns of these names, and others are made', async () => {
    await page.locator('.grid-cell[data-row="0"][data-column="0"]').click();
    const plain = 'Product\tColour\tFee\r\n"Bike"\t"red"\t7\r\n"Bus"\t"blue"\t8\r\n';
    await paste(page, { 'text/plain': plain });
    const dialog = page.getByRole('dialog', { name: 'Paste 3 rows of 3 columns' });
    const goesInto = async (...places: readonly string[]): Promise<void> => {
      const chosen = dialog.locator('option:checked');
      await soon(async () => expect(await chosen.allTextContents()).to.deep.equal(places));
    };
    await goesInto('Product', 'a new input', 'Fee');
    await expectAccessible(page, 'a paste by names');
    await dialog.getByRole('checkbox').uncheck();
    await goesInto('Age', 'Product', 'Fee');
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: 'Make 1 column and paste' }).click();
    const row = (at: number): Promise<string[]> => page.locator(`.grid-cell[data-row="${at}"]`).allInnerTexts();
    await soon(async () => expect((await row(0)).slice(0, 4)).to.deep.equal(['< 25', '"Bike"', '"red"', '7']));
    await soon(async () => expect((await row(1)).slice(0, 4)).to.deep.equal(['>= 25', '"Bus"', '"blue"', '8']));
    expect(desk.view.complaints).to.deep.equal([]);
  });

  it('a run that no row matches gives nothing, which has no name', async () => {
    await desk.keep();
    await desk.edit('few.json', 'table');
    await desk.button('Run').click();
    await result().getByText('no row of').waitFor();
    await soon(async () => expect(await result().innerText()).to.match(/^nothing$/m));
    await soon(async () => expect(await result().innerText()).to.not.match(/\bvalue\b/));
  });
});
