import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import type { Model } from '../support/models.js';
import { trialFile, trialRows } from '../support/trialSheet.js';
import { soon } from '../support/eventually.js';

describe('a sheet that is brought in is repaired in one dialog', function () {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'empty.json': tableOf(0) });
    page = desk.page;
  });

  const dialog = (): Locator => page.getByRole('dialog', { name: 'Repairs' });
  const faults = (): Locator => desk.region('Faults');
  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);

  it('which shows each cell as it is and as it would be, and asks what has two readings once a column', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    const rows = trialRows.with(2, { ...trialRows[2]!, cells: ['Car', '318-326', 'see terms', '5', '', '2%'] });
    const file = { name: 'trial.csv', mimeType: 'text/csv', buffer: Buffer.from(trialFile(rows)) };
    const creation = page.getByRole('dialog', { name: 'New decision' });
    await creation.locator('input[type=file]').setInputFiles(file);
    await creation.getByRole('checkbox', { name: 'Loan type' }).waitFor();
    await creation.getByRole('button', { name: 'Create' }).click();
    await desk.button('Rules').click();
    await cell(0, 0).waitFor();
    await faults()
      .getByRole('button', { name: /^Repair \d+ cells/ })
      .click();
    await dialog().waitFor();
    await expectAccessible(page, 'repairs');
    const scores = dialog().getByRole('region', { name: 'Ranges in Credit score' });
    await soon(async () =>
      expect(await scores.getByRole('row').nth(1).innerText()).to.match(/^1\s+300-308\s+\[300\.\.308\]$/),
    );
    const amounts = dialog()
      .getByRole('region', { name: /in Loan amount/ })
      .filter({ hasText: '10,000-50,000' });
    await soon(async () => expect(await amounts.getByRole('button').isDisabled()).to.equal(true));
    await amounts.getByRole('radio').first().check();
    await soon(async () => expect(await amounts.getByRole('row').nth(1).innerText()).to.contain('[10000..50000]'));
  });

  it('until no cell is left but those that nobody can read, which stay named', async () => {
    const sections = dialog().locator('section');
    // All that nobody has to be asked about, by one button above the kinds; the questions stay.
    await dialog()
      .getByRole('button', { name: /^Repair all that have one reading \(\d+ cells\)$/ })
      .click();
    await dialog().getByRole('region', { name: 'Ranges in Credit score' }).waitFor({ state: 'detached' });
    await page.locator('dialog :focus').waitFor();
    await soon(async () =>
      expect(await sections.count()).to.equal(await sections.filter({ has: page.getByRole('radio') }).count()),
    );
    for (let left = await sections.count(); left > 0; left = await sections.count()) {
      const section = sections.first();
      const radio = section.getByRole('radio').first();
      if ((await radio.count()) > 0) await radio.check();
      await section.getByRole('button', { name: /^Repair/ }).click();
      await sections.nth(left - 1).waitFor({ state: 'detached' });
      // The focus stays in the dialog, though its button is gone.
      await page.locator('dialog :focus').waitFor();
    }
    await dialog().getByText('row 3').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await faults().getByText('1 warning').waitFor();
    await soon(async () =>
      expect(await faults().innerText())
        .to.contain('see terms')
        .and.not.to.contain('No faults.'),
    );
  });

  it('and “No faults.” is said when that is written anew', async () => {
    await cell(2, 2).click();
    await page.keyboard.type('> 5');
    await page.keyboard.press('Enter');
    await faults().getByText('1 warning').waitFor({ state: 'detached' });
    const key = new URL(page.url()).pathname.split('/').at(-2)!;
    await desk.keep();
    const { body } = await desk.scene.caller.get(`/logic/decisions/${key}`);
    expect(body).to.include({ faults: 0, warnings: 0 });
    const { content } = (await desk.scene.caller.get(`/logic/decisions/${key}/versions/0`)).body as { content: Model };
    for (const at of [0, 7, 31, 59]) {
      const { fact, rate } = trialRows[at]!;
      const { body: evaluated } = await desk.scene.caller.post('/logic/evaluations', { content, fact });
      expect((evaluated as { result: unknown }).result, `row ${at + 1}`).to.deep.equal({ Rate: rate });
    }
  });

  it('and no cell of the first rows is cut off: each column has the room that its cells want by now', async () => {
    const cells = page.locator('.grid-cell:is([data-row="0"], [data-row="1"])');
    await cells.filter({ hasText: '[10000..50000]' }).first().waitFor();
    // More than that a column gets by hand alone.
    const widest = 270;
    const isCut = (cell: Locator): Promise<boolean> =>
      cell.evaluate(
        ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }, most) =>
          scrollWidth > clientWidth && clientWidth < most,
        widest,
      );
    await soon(async () => {
      const cut = await Promise.all((await cells.all()).map(async (cell) => (await isCut(cell)) && cell.innerText()));
      expect(cut.filter((text) => text !== false)).to.deep.equal([]);
    });
  });

  it('and it comes back for nobody who did not ask for it, once all was put right', async () => {
    const writeRange = async (row: number): Promise<void> => {
      await cell(row, 1).click();
      await page.keyboard.type('"308"');
      await page.keyboard.press('Enter');
      await faults().getByRole('button', { name: 'Repair 1 cell …' }).waitFor();
    };
    await writeRange(0);
    await faults().getByRole('button', { name: 'Repair 1 cell …' }).click();
    await dialog().getByRole('button', { name: 'Repair 1 cell' }).click();
    await dialog().getByText('Nothing is left to repair.').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await faults().getByText('No faults.').waitFor();
    // The button that opened it is gone: who goes on by keys is at the cell.
    await page.locator('.grid-cell:focus').waitFor();
    await writeRange(1);
    await soon(async () => expect(await dialog().count()).to.equal(0));
    await desk.button('Undo').click();
    await faults().getByText('No faults.').waitFor();
  });

  it('and a check that was stopped leaves what is asked, and says that more may be left', async () => {
    const write = async (column: number, text: string): Promise<void> => {
      await cell(1, column).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await write(1, '"308"');
    await write(3, '10,000-50,000');
    await faults().getByRole('button', { name: 'Repair 2 cells …' }).click();
    const sections = dialog().locator('section');
    await soon(async () => expect(await sections.count()).to.equal(2));
    const stopped = {
      ...{ severity: 'unknown', key: 'trial.json', nodeId: null, node: null, field: null, pointer: null },
      ...{ message: 'Stopped by a limit.', hint: null, line: null, column: null, excerpt: null },
    };
    await page.route('**/logic/validations', (route) => route.fulfill({ json: { faults: [stopped] } }));
    await sections.first().getByRole('button', { name: 'Repair 1 cell' }).click();
    await dialog().getByText('Whether more is left to repair is not known').waitFor();
    await soon(async () => expect(await dialog().getByText('Nothing is left to repair.').count()).to.equal(0));
    await sections.getByRole('radio').first().check();
    // A check follows by itself, soon after: it is to be stopped as well.
    const followed = page.waitForResponse('**/logic/validations');
    await sections.getByRole('button', { name: 'Repair 1 cell' }).click();
    await dialog().getByText('What is left to repair is not known').waitFor();
    await followed;
    await page.unroute('**/logic/validations');
    await dialog().getByRole('button', { name: 'Check again' }).click();
    await dialog().getByText('Nothing is left to repair.').waitFor();
    await dialog().getByRole('button', { name: 'Done' }).click();
  });

  /** Checks of the draft get no answer until what is returned is called. */
  const holdChecks = async (): Promise<() => Promise<void>> => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    await page.route('**/logic/validations', async (route) => {
      await ended;
      await route.continue();
    });
    return () => {
      end();
      return page.unroute('**/logic/validations');
    };
  };

  it('a mark goes with its row, and away with its text, before the next check has answered', async () => {
    const marked = (row: number): Locator => page.locator(`.grid-cell.warning[data-row="${row}"][data-column="1"]`);
    await cell(1, 1).click();
    await page.keyboard.type('"308"');
    await page.keyboard.press('Enter');
    await marked(1).waitFor();
    const release = await holdChecks();
    await cell(0, 0).click();
    await desk.button('Insert row above').click();
    await marked(2).waitFor();
    await soon(async () => expect(await marked(1).count()).to.equal(0));
    await desk.button('Undo').click();
    await marked(1).waitFor();
    await desk.button('Undo').click();
    await marked(1).waitFor({ state: 'detached' });
    await faults().getByText('The draft is being checked').waitFor();
    await release();
    await faults().getByText('No faults.').waitFor();
  });

  it('what had no fault is not said to have none once it is changed and its check takes long', async () => {
    const release = await holdChecks();
    await cell(1, 1).click();
    await page.keyboard.type('"308"');
    await page.keyboard.press('Enter');
    await faults().getByText('The draft is being checked').waitFor();
    await faults().getByText('No faults.').waitFor({ state: 'detached' });
    await release();
    await faults().getByText('1 warning').waitFor();
    await faults().getByRole('listitem').getByRole('button').first().press('Enter');
    await faults().getByText('No faults.').waitFor();
    // The next key goes on from the list, whose button is gone.
    await page.locator('ul[aria-label="Faults, one by one"]:focus').waitFor();
    await desk.button('Undo').click();
    await desk.button('Undo').click();
    await faults().getByText('No faults.').waitFor();
  });

  it('and the kind of a column is a mark in its head, by which it is changed', async () => {
    const head = page.getByRole('columnheader', { name: /Credit score/ });
    await head.getByText('123', { exact: true }).click();
    const column = page.getByRole('dialog', { name: 'Change input' });
    await column.getByRole('combobox', { name: 'Cells' }).selectOption('texts');
    await expectAccessible(page, 'the kind of a column');
    await column.getByRole('button', { name: 'Change' }).click();
    await head.getByText('abc', { exact: true }).waitFor();
    await faults().getByText('59 warnings').waitFor();
    await cell(0, 1).click();
    await page.getByText('This column has texts, and this is something else.').first().waitFor();
    await desk.button('Undo').click();
    await faults().getByText('59 warnings').waitFor({ state: 'detached' });
  });
});
