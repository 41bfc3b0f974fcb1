import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';

describe('on the desk nothing moves, and the focus stays with the cells', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(8) });
    page = desk.page;
    await desk.edit('fees.json', 'fees');
  });

  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  /** Where the rows' heads, the columns' heads and the foot of the desk stand, to the pixel. */
  const places = (): Promise<string> =>
    page.evaluate(
      `JSON.stringify([...document.querySelectorAll('.grid-row-head, .grid-column-head, .faults, .tools, .node-line')].map((each) => {
        const { x, y } = each.getBoundingClientRect();
        return [each.dataset.row ?? each.className, x, y];
      }))`,
    );
  const focused = (): Promise<string> =>
    page.evaluate('`${document.activeElement.dataset.row} ${document.activeElement.dataset.column}`');

  describe('no row moves by a pixel', () => {
    let start: string;
    const expectSteady = async (after: string): Promise<void> => {
      expect(await places(), after).to.equal(start);
    };
    const type = async (row: number, column: number, text: string): Promise<void> => {
      await cell(row, column).click();
      await page.keyboard.type(text);
      await expectSteady(`while ${text} is written`);
      await page.keyboard.press('Enter');
    };

    before(async () => {
      await desk.region('Faults').getByText('No faults.').waitFor();
      start = await places();
    });

    it('through an edit, its fault, and a repair', async () => {
      await type(2, 0, '"700"');
      await desk.unsaved().waitFor();
      await desk.region('Faults').getByText('1 warning').waitFor();
      await cell(2, 0).click();
      await expectSteady('the fault of the chosen cell');
      await page.getByRole('group', { name: 'Cell' }).getByRole('button').first().click();
      await desk.region('Faults').getByText('No faults.').waitFor();
      await expectSteady('the repair');
      await soon(async () => expect(await focused()).to.equal('2 0'));
    });

    it('through a finding of a row and of the table', async () => {
      await cell(0, 0).click();
      await page.keyboard.press('Delete');
      await page.locator('.grid-row-head.warning[data-row="1"]').waitFor();
      await expectSteady('a row that is never reached');
      await page.keyboard.press('Control+z');
      await page.locator('.finding', { hasText: 'gap' }).waitFor();
      await expectSteady('a gap');
    });

    it('through a run', async () => {
      await page.getByRole('complementary', { name: 'Run' }).getByRole('button', { name: 'Run', exact: true }).click();
      await desk.region('Result').getByText('no row of').waitFor();
      await expectSteady('a run');
    });

    it('through a save, a failed save, and the save that is done by itself after it', async () => {
      await desk.keep();
      await expectSteady('a save');
      await page.route('**/logic/decisions/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({
              status: 503,
              contentType: 'application/problem+json',
              body: JSON.stringify({ code: 'overloaded', detail: 'No thread came free in time.' }),
            })
          : route.continue(),
      );
      await type(3, 1, '77');
      await page.keyboard.press('Control+s');
      await page.getByText('It is tried again by itself').waitFor();
      await expectSteady('a failed save');
      await page.unroute('**/logic/decisions/*');
      await desk.unsaved().waitFor({ state: 'detached' });
      await page.getByText('It is tried again by itself').waitFor({ state: 'detached' });
      await expectSteady('the next try');
      await soon(async () => expect(JSON.stringify(await desk.stored('fees.json'))).to.contain('"77"'));
      desk.view.complaints.splice(0);
    });
  });

  it('after each button of the toolbar, Undo and Redo, what is typed goes into the cell', async () => {
    for (const name of ['Insert row above', 'Insert row below', 'Move rows up', 'Fill down', 'Delete rows']) {
      await cell(4, 0).click();
      await desk.button(name).click();
      const place = await focused();
      expect(place, name).to.match(/^\d+ 0$/);
      const rows = await page.getByRole('grid').getAttribute('aria-rowcount');
      await page.keyboard.type('> 99');
      await page.keyboard.press('Enter');
      await soon(async () =>
        expect(await page.getByRole('grid').getAttribute('aria-rowcount'), `${name}: rows`).to.equal(rows),
      );
      const [row, column] = place.split(' ').map(Number);
      await eventually(async () => (await cell(row ?? -1, column ?? -1).innerText()) === '> 99');
      for (const button of ['Undo', 'Redo', 'Undo', 'Undo']) {
        await desk.button(button).click();
        await soon(async () => expect(await focused(), `${name}, ${button}`).to.match(/^\d+ 0$/));
      }
    }
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('a column that was named in its dialog gives the focus back', async () => {
    await cell(1, 0).click();
    await desk.button('Edit column').click();
    await page.getByRole('dialog', { name: 'Change input' }).getByRole('button', { name: 'Cancel' }).click();
    await soon(async () => expect(await focused()).to.equal('1 0'));
  });

  it('a double click on a node opens it, and writes in no cell; nor does a key take one away before it is chosen', async () => {
    await desk.button('Graph').click();
    await page.locator('[data-node="fees"]').dblclick();
    await page.getByRole('grid').waitFor();
    await page.waitForLoadState('networkidle');
    await soon(async () => expect(await focused()).to.equal('0 0'));
    const asked = page.getByRole('dialog', { name: 'Delete the node?' });
    const before = await places();
    const expectAsked = async (key: string): Promise<void> => {
      await page.keyboard.press(key);
      await asked.waitFor();
      await soon(async () => expect(await places()).to.equal(before));
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      await soon(async () => expect(await focused()).to.equal('0 0'));
    };
    await expectAsked('Delete');
    await page.keyboard.press('Control+x');
    await expectAsked('Backspace');
    await desk.unsaved().waitFor({ state: 'detached' });
    // The keyboard has the node all the same.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await soon(async () => expect(await cell(1, 0).innerText()).to.equal('any'));
    await page.keyboard.press('Control+z');
    await cell(0, 0).click();
    await page.keyboard.press('Control+x');
    await soon(async () => expect(await cell(0, 0).innerText()).to.equal('any'));
    await page.keyboard.press('Control+z');
    await desk.unsaved().waitFor({ state: 'detached' });
    await desk.button('Graph').click();
    await page.locator('[data-node="fees"]').click();
    await soon(async () => expect(await focused()).to.equal('0 0'));
    await page.keyboard.press('Delete');
    await asked.getByRole('button', { name: 'Delete node' }).click();
    await soon(async () => expect(await page.locator('[data-node="fees"]').count()).to.equal(0));
    await page.keyboard.press('Control+z');
    await page.locator('[data-node="fees"]').dblclick();
    await page.getByRole('grid').waitFor();
    await soon(async () => expect(await page.locator('.grid-cell.editing').count()).to.equal(0));
    await cell(1, 0).dblclick();
    const editing = page.locator('.grid-cell.editing');
    await editing.waitFor();
    // The text that is written is as large as its cell.
    const [inner, outer] = [await editing.locator('.code-host').boundingBox(), await editing.boundingBox()];
    const head = await page.locator('.grid-column-head').first().boundingBox();
    expect(outer?.width).to.equal(head?.width);
    expect(inner?.width).to.be.at.most(outer?.width ?? 0);
    expect(inner?.y).to.be.within(outer?.y ?? 0, (outer?.y ?? 0) + 1);
    await page.keyboard.press('Escape');
  });

  it('nor do the buttons of a node lie below the panel, however wide that is drawn', async () => {
    const edge = page.getByRole('separator', { name: 'Width of the panel' });
    await edge.focus();
    for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowLeft');
    for (const name of ['Delete node', 'Fill the screen', 'Export .xlsx', 'Graph'])
      await desk.button(name).click({ trial: true });
    for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowRight');
  });
});
