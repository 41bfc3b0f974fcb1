import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';

describe('numbers in the cells of a table', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(30) });
    page = desk.page;
    await desk.edit('fees.json', 'fees');
  });

  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const texts = (rows: readonly number[]): Promise<string[]> =>
    Promise.all(rows.map(async (row) => (await cell(row, 1).innerText()).trim()));

  it('that are selected are offered the decimals of their whole column, also where the selected ones have none', async () => {
    await cell(5, 1).click();
    await page.keyboard.type('10.25');
    await page.keyboard.press('Enter');
    await cell(1, 1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Change numbers …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change numbers' });
    await soon(async () =>
      expect(await dialog.getByRole('spinbutton', { name: 'Decimals' }).inputValue()).to.equal('2'),
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await soon(async () => expect(await texts([5])).to.deep.equal(['10']));
  });

  it('that are selected are raised by a share, as is shown before, and by Undo as they were', async () => {
    await cell(3, 1).click();
    await page.keyboard.type('"free"');
    await page.keyboard.press('Enter');
    await cell(1, 1).click();
    await cell(4, 1).click({ modifiers: ['Shift'] });
    await cell(2, 1).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Change numbers …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change numbers' });
    await dialog.getByRole('textbox', { name: 'By' }).fill('3,5 %');
    await dialog.getByRole('spinbutton', { name: 'Decimals' }).fill('2');
    await dialog.getByText('Row 5, Fee: 8 → 8.28').waitFor();
    await dialog.getByText('Without a number alone, and left: 1 cell').waitFor();
    await expectAccessible(page, 'Change numbers');
    await dialog.getByRole('button', { name: 'Change 3 cells' }).click();
    await soon(async () =>
      expect(await texts([0, 1, 2, 3, 4, 5])).to.deep.equal(['0', '2.07', '4.14', '"free"', '8.28', '10']),
    );
    await page.keyboard.press('Control+z');
    await soon(async () => expect(await texts([1, 2, 4])).to.deep.equal(['2', '4', '8']));
  });

  it('are pasted as often as they fit into what is selected', async () => {
    const [first = '', second = ''] = await texts([0, 1]);
    await cell(0, 1).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    await cell(3, 1).click();
    for (const _step of [1, 2, 3]) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+v');
    await soon(async () => expect(await texts([3, 4, 5, 6])).to.deep.equal([first, second, first, second]));
    await desk.button('Undo').click();
    await soon(async () => expect(await texts([5, 6])).to.deep.equal(['10', '12']));
  });

  it('that are typed are asked once one of them had a comma for its decimals', async () => {
    for (const [row, typed] of [
      [6, '1.234,50'],
      [7, '1.234'],
    ] as const) {
      await cell(row, 1).click();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    }
    await soon(async () => expect(await texts([6, 7])).to.deep.equal(['1234.5', '1.234']));
    await page.getByRole('region', { name: 'Faults' }).getByText('1 warning').waitFor();
  });
});
