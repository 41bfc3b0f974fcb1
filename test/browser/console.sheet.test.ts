import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk, paste } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';

describe('a table on the desk is a spreadsheet', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(12), 'empty.json': tableOf(0) });
    page = desk.page;
    await desk.edit('fees.json', 'fees');
  });

  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const column = async (index: number): Promise<string[]> =>
    (await page.locator(`.grid-cell[data-column="${index}"]`).allInnerTexts()).map((text) => text.trim()).slice(0, -1);
  const expectColumn = (index: number, wanted: readonly string[]): Promise<unknown> =>
    eventually(async () => JSON.stringify(await column(index)) === JSON.stringify(wanted));
  const entry = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });
  const dialog = (name: string): Locator => page.getByRole('dialog', { name });
  const codes = Array.from({ length: 12 }, (_, at) => String(at));
  const undo = async (): Promise<void> => {
    await desk.button('Undo').click();
    await expectColumn(0, codes);
  };
  const offered = (): Locator => page.locator('.cm-tooltip-autocomplete');
  const focused = (): Promise<string> =>
    page.evaluate('`${document.activeElement.dataset.row} ${document.activeElement.dataset.column}`');

  it('with a menu of each cell, by the right button and by its key, that sorts', async () => {
    await cell(2, 0).click({ button: 'right' });
    await expectAccessible(page, 'the menu of a cell');
    await entry('Sort by Code, descending').click();
    await expectColumn(0, [...codes].reverse());
    await page.getByText('Rows are asked from above').waitFor();
    await soon(async () => expect(await focused()).to.equal('2 0'));
    await undo();
    await page.getByText('Rows are asked from above').waitFor({ state: 'detached' });
    await cell(1, 1).click();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await soon(async () => expect(await focused()).to.equal('1 1'));
  });

  it('that filters by values, changes what is shown alone, and shows all again', async () => {
    await cell(3, 0).click({ button: 'right' });
    await entry('Filter by Code …').click();
    const asked = dialog('Filter by Code');
    await expectAccessible(page, 'filter');
    await asked.getByRole('button', { name: 'None' }).click();
    for (const value of ['3', '7', '11']) await asked.getByRole('checkbox', { name: new RegExp(`^${value} `) }).check();
    await asked.getByRole('button', { name: 'Show 3 rows' }).click();
    await expectColumn(0, ['3', '7', '11']);
    const filtered = page.getByRole('columnheader').filter({ has: page.getByTitle('Filtered') });
    await soon(async () => expect((await filtered.allInnerTexts()).join()).to.match(/^▾ Code/));
    await soon(async () =>
      expect((await page.locator('.grid-row-head[data-row="1"]').innerText()).trim()).to.match(/8$/),
    );
    await cell(0, 1).click();
    await page.keyboard.type('99');
    await page.keyboard.press('Enter');
    await cell(0, 1).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await expectColumn(1, ['99', '99', '99']);
    await desk.button('3 of 12 rows: show all').click();
    await expectColumn(0, codes);
    await soon(async () => expect(await filtered.count()).to.equal(0));
    await expectColumn(
      1,
      codes.map((_code, at) => ([3, 7, 11].includes(at) ? '99' : String(2 * at))),
    );
    await desk.button('Undo').click();
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('that finds with a count, and replaces', async () => {
    await cell(0, 0).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('1');
    const search = page.getByRole('search');
    await search.getByText('8 cells').waitFor();
    await soon(async () => expect(await page.locator('.grid-cell.found').count()).to.equal(8));
    await page.keyboard.press('Enter');
    await search.getByText('1 of 8 cells').waitFor();
    await page.keyboard.press('Control+h');
    const asked = dialog('Find and replace');
    await asked.getByRole('textbox', { name: 'Replace with' }).fill('> 5');
    await asked.getByRole('checkbox').check();
    const find = asked.getByRole('textbox', { name: 'Find' });
    const wanted = await find.inputValue();
    // What was looked for is selected: what is typed takes its place.
    await find.focus();
    await page.keyboard.type('nowhere');
    await soon(async () => expect(await find.inputValue()).to.equal('nowhere'));
    await soon(async () =>
      expect(await asked.getByRole('button', { name: 'Replace in 0 cells' }).isDisabled()).to.equal(true),
    );
    await find.fill(wanted);
    await asked.getByRole('button', { name: 'Replace in 1 cell' }).click();
    await expectColumn(0, ['0', '> 5', ...codes.slice(2)]);
    await undo();
    await page.getByRole('searchbox', { name: 'Find in cells' }).fill('');
  });

  it('whose columns are as wide as their cells by a double click, and as somebody drags them', async () => {
    const head = page.locator('.grid-column-head[data-column="1"]');
    await cell(0, 1).click();
    await page.keyboard.type('"a text that is much longer than the head of its column"');
    await page.keyboard.press('Enter');
    const edge = head.locator('.grid-edge');
    const width = async (): Promise<number> => (await head.boundingBox())?.width ?? 0;
    // The first drag of an edge changes its column alone, whatever was pasted before.
    const others = async (): Promise<unknown> =>
      page.evaluate(
        "[...document.querySelectorAll('.grid-column-head')].map((head) => head.style.width).toSpliced(1, 1)",
      );
    await page.evaluate('navigator.clipboard.writeText(\'"a text that is longer than others"\')');
    await cell(2, 0).click();
    await page.keyboard.press('Control+v');
    const drawn = await others();
    await edge.dblclick();
    await soon(async () => expect(await others()).to.deep.equal(drawn));
    await eventually(async () => (await width()) > 380);
    await edge.scrollIntoViewIfNeeded();
    const box = await edge.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) - 198, (box?.y ?? 0) + 5, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => (await width()) < 300);
    // Undo takes the cursor to what it takes back.
    await cell(7, 1).click();
    await desk.button('Undo').click();
    await page.locator('.grid-cell[data-row="2"][data-column="0"]:focus').waitFor();
    await desk.button('Undo').click();
    await page.locator('.grid-cell[data-row="0"][data-column="1"]:focus').waitFor();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('whose line between two columns is dragged, and fits by two clicks, also from five pixels beside it', async () => {
    const head = page.locator('.grid-column-head[data-column="0"]');
    await head.scrollIntoViewIfNeeded();
    const boxOf = async () => (await head.boundingBox())!;
    for (const beside of [-6, -1, 0, 5]) {
      const { x, y, width, height } = await boxOf();
      const [line, middle] = [x + width + beside, y + height / 2];
      await page.mouse.move(line, middle);
      await page.mouse.down();
      await page.mouse.move(line + 60, middle, { steps: 4 });
      await page.mouse.up();
      await soon(async () => expect((await boxOf()).width).to.be.closeTo(width + 60, 1));
      await page.mouse.dblclick(line + 60, middle);
      await soon(async () => expect((await boxOf()).width).to.be.below(width + 60));
      await soon(async () => expect(await page.getByRole('dialog').count()).to.equal(0));
    }
  });

  it('whose rows are dragged, and whose selection is filled by its handle', async () => {
    const head = (row: number): Locator => page.locator(`.grid-row-head[data-row="${row}"]`);
    const drag = async (from: Locator, to: Locator): Promise<void> => {
      const [start, end] = [await from.boundingBox(), await to.boundingBox()];
      await page.mouse.move((start?.x ?? 0) + 4, (start?.y ?? 0) + 4);
      await page.mouse.down();
      await page.mouse.move((end?.x ?? 0) + 4, (end?.y ?? 0) + 8, { steps: 6 });
      await page.mouse.up();
    };
    await head(1).click();
    await head(2).click({ modifiers: ['Shift'] });
    await drag(head(1), head(5));
    await expectColumn(0, ['0', '3', '4', '5', '1', '2', ...codes.slice(6)]);
    await undo();
    await cell(1, 0).click();
    await page.keyboard.press('Shift+ArrowDown');
    await drag(page.locator('.fill-handle'), cell(6, 0));
    await expectColumn(0, [...codes.slice(0, 7), ...codes.slice(7)]);
    await cell(2, 1).click();
    await drag(page.locator('.fill-handle'), cell(4, 1));
    await expectColumn(1, ['0', '2', '4', '4', '4', ...codes.slice(5).map((code) => String(2 * Number(code)))]);
    await undo();
  });

  it('in which Enter goes on below the cell where a line was begun, and a click begins another', async () => {
    await cell(0, 0).click();
    for (const text of ['1', '2']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused()).to.equal('1 0'));
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused()).to.equal('2 0'));
    await cell(3, 1).click();
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused()).to.equal('4 1'));
    for (let step = 0; step < 5; step++) await page.keyboard.press('Control+z');
    await expectColumn(0, codes);
  });

  it('in which Tab goes from cell to cell, whether they are written or not, and out of it after Esc', async () => {
    await cell(1, 0).click();
    for (const place of ['1 1', '1 2', '2 0']) {
      await page.keyboard.press('Tab');
      await soon(async () => expect(await focused()).to.equal(place));
    }
    await page.keyboard.press('Shift+Tab');
    await soon(async () => expect(await focused()).to.equal('1 2'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    const isOut = (): Promise<unknown> => page.evaluate("document.activeElement.closest('.grid') === null");
    await soon(async () => expect(await isOut()).to.equal(true));
  });

  it('whose words, where they come late, are offered for the word that is typed, and for none that is closed', async () => {
    await page.reload();
    let come = (): void => undefined;
    const released = new Promise<void>((resolve) => (come = resolve));
    const part = '**/completion-*.js';
    await page.route(part, (route) => released.then(() => route.continue()));
    await cell(0, 0).click();
    await page.keyboard.type('"ab');
    come();
    await offered().getByText('abs').waitFor();
    await page.keyboard.type('"');
    await offered().waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await expectColumn(0, ['"ab"', ...codes.slice(1)]);
    await page.unroute(part);
    await undo();
  });

  it('of which all columns that are selected are deleted together', async () => {
    await cell(2, 0).click();
    await cell(2, 1).click({ modifiers: ['Shift'] });
    await desk.button('Delete columns').click();
    await soon(async () => expect(await page.getByRole('columnheader').allInnerTexts()).to.deep.equal(['Row', 'Note']));
    await undo();
  });

  it('which makes columns of what is pasted, and asks whether the first row is the header', async () => {
    await desk.edit('empty.json', 'fees');
    await cell(0, 0).click();
    const plain = 'Loan type\tCredit score\tAmount\tRate\r\n"Car"\t> 700\t< 5000\t0.02\r\n"Home"\t> 750\t\t0.01\r\n';
    await paste(page, { 'text/plain': plain });
    const asked = dialog('Paste 3 rows of 4 columns');
    await expectAccessible(page, 'paste');
    await soon(async () =>
      expect(await asked.getByRole('checkbox', { name: 'The first row has the names' }).isChecked()).to.equal(true),
    );
    await asked.getByRole('button', { name: 'Make 4 columns and paste' }).click();
    await page.getByRole('columnheader', { name: /Credit score/ }).waitFor();
    await desk.keep();
    const { nodes } = (await desk.stored('empty.json')) as unknown as {
      nodes: { id: string; content: { inputs: { field: string }[]; outputs: { field: string }[]; rules: object[] } }[];
    };
    const content = nodes.find(({ id }) => id === 'fees')?.content;
    expect(content?.inputs.map(({ field }) => field)).to.deep.equal([
      '$root["Loan type"]',
      '$root["Credit score"]',
      'Amount',
    ]);
    expect(content?.outputs.map(({ field }) => field)).to.deep.equal(['Rate']);
    expect(content?.rules.length).to.equal(2);
    expect(await column(1)).to.deep.equal(['> 700', '> 750']);
  });

  it('and derives the field of a column from its name, written as those of the pasted headings are', async () => {
    await desk.button('Add input').click();
    const asked = dialog('New input');
    await asked.getByRole('textbox', { name: 'Name' }).fill('Months to pay');
    await soon(async () =>
      expect(await asked.getByRole('textbox', { name: 'Field' }).inputValue()).to.equal('$root["Months to pay"]'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('columnheader', { name: /Months to pay/ }).waitFor();
    await desk.button('Undo').click();
    // A column that is moved stays selected.
    await cell(0, 0).click();
    for (const first of ['> 700', '< 5000']) {
      await desk.button('Move column right').click();
      await soon(async () => expect((await column(0))[0]).to.equal('> 700'));
      await soon(async () => expect((await column(1))[0]).to.equal(first === '> 700' ? '"Car"' : first));
    }
    for (let undone = 0; undone < 2; undone++) await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });
});
