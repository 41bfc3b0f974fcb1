import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';

describe('the cells of a table on the desk', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(60) });
    page = desk.page;
    await desk.edit('fees.json', 'fees');
  });

  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const entry = (name: string): Locator => page.getByRole('menuitem', { name, exact: true });
  const entries = async (target: Locator): Promise<string[]> => {
    await target.click({ button: 'right' });
    const names = await page.getByRole('menuitem').allInnerTexts();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return names;
  };
  const focused = (): Promise<string> =>
    page.evaluate('`${document.activeElement.dataset.row} ${document.activeElement.dataset.column}`');
  const expectText = (target: Locator, text: string): Promise<unknown> =>
    soon(async () => expect((await target.innerText()).trim()).to.equal(text));

  const undone = async (): Promise<unknown> => {
    await desk.button('Undo').click();
    return expectText(cell(0, 0), '0');
  };

  it('take an offered word where an arrow has chosen one: Enter and Tab end them with what was typed', async () => {
    for (const [keys, text, next] of [
      ['Enter', 'ab', '1 0'],
      ['Tab', 'ab', '0 1'],
      ['Enter Enter', 'abs', '1 0'],
    ] as const) {
      await cell(0, 0).click();
      const offered = page.locator('.cm-tooltip-autocomplete');
      await page.keyboard.type('ab');
      await offered.getByText('abs').waitFor();
      // Words that have just come take no key yet: an arrow is the text's then, and may end them.
      if (text === 'abs')
        await soon(async () => {
          if ((await offered.count()) === 0) {
            await page.keyboard.press('Backspace');
            await page.keyboard.type('b');
            await offered.getByText('abs').waitFor();
          }
          await page.keyboard.press('ArrowDown');
          expect(await offered.locator('[aria-selected]').count()).to.equal(1);
        });
      for (const key of keys.split(' ')) await page.keyboard.press(key);
      await soon(async () => expect(await focused()).to.equal(next));
      await expectText(cell(0, 0), text);
      await undone();
    }
  });

  it('are done when another one is clicked, and what is typed then is in that one', async () => {
    for (const [row, text] of ['70', '71', '72'].entries()) {
      await cell(row, 0).click();
      await page.keyboard.type(text);
    }
    await cell(3, 1).dblclick();
    for (const row of [0, 1, 2]) await expectText(cell(row, 0), `7${row}`);
    await page.keyboard.press('Escape');
    for (const row of [2, 1]) {
      await desk.button('Undo').click();
      await expectText(cell(row, 0), String(row));
    }
    await undone();
  });

  it('begin with all that a keyboard or an input method writes', async () => {
    const devtools = await page.context().newCDPSession(page);
    const withAlt = async (key: string): Promise<void> => {
      for (const type of ['keyDown', 'keyUp'] as const)
        await devtools.send('Input.dispatchKeyEvent', {
          type,
          key,
          modifiers: 1,
          ...(type === 'keyDown' && { text: key }),
        });
    };
    const composed = async (...steps: string[]): Promise<void> => {
      for (const text of steps) {
        await devtools.send('Input.imeSetComposition', {
          text,
          selectionStart: text.length,
          selectionEnd: text.length,
        });
      }
      await devtools.send('Input.insertText', { text: steps.at(-1) ?? '' });
    };
    for (const [write, rest, whole] of [
      [() => withAlt('['), '1..5]', '[1..5]'],
      [() => composed('´', 'é'), 'tat', 'état'],
      [() => composed('n', 'に', 'にほ', '日本'), '1', '日本1'],
      [() => page.keyboard.insertText('ñ'), '1', 'ñ1'],
    ] as const) {
      await cell(0, 0).click();
      await write();
      await page.locator('.grid-cell .code-host').waitFor();
      await page.keyboard.type(rest);
      await page.keyboard.press('Enter');
      await expectText(cell(0, 0), whole);
      await undone();
    }
    // What nobody can write begins nothing.
    await cell(0, 0).click();
    await page.keyboard.press('Alt+j');
    await page.keyboard.press('Control+b');
    await expectText(cell(0, 0), '0');
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('that are typed over are done by an arrow; one that was opened has it for its text', async () => {
    await cell(0, 0).click();
    for (const [text, key] of [
      ['35', 'ArrowDown'],
      ['45', 'ArrowRight'],
      ['55', 'ArrowUp'],
      ['65', 'ArrowLeft'],
    ] as const) {
      await page.keyboard.type(text);
      await page.keyboard.press(key);
    }
    for (const [row, column, text] of [
      [0, 0, '35'],
      [1, 0, '45'],
      [1, 1, '55'],
      [0, 1, '65'],
    ] as const)
      await expectText(cell(row, column), text);
    await soon(async () => expect(await focused()).to.equal('0 0'));
    await page.keyboard.press('F2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await expectText(cell(0, 0), '305');
    // By the same key one that is typed over is opened.
    await page.keyboard.type('46');
    await page.keyboard.press('F2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await expectText(cell(1, 0), '406');
    for (let step = 0; step < 6; step++) await page.keyboard.press('Control+z');
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('of which several are selected: the first of them is the one that is written, by keys and by mouse', async () => {
    const select = {
      keys: async () => {
        await cell(2, 1).click();
        for (const key of ['Down', 'Down', 'Left']) await page.keyboard.press(`Shift+Arrow${key}`);
      },
      'a click': async () => {
        await cell(2, 1).click();
        await cell(4, 0).click({ modifiers: ['Shift'] });
      },
      'a drag': async () => {
        await cell(2, 1).hover();
        await page.mouse.down();
        await cell(4, 0).hover();
        await page.mouse.up();
      },
    };
    for (const [how, work] of Object.entries(select)) {
      await work();
      await soon(async () => expect(await page.locator('.grid-cell.selected').count(), how).to.equal(6));
      expect(await focused(), how).to.equal('2 1');
      await soon(async () => expect(await page.evaluate('String(getSelection())'), how).to.equal(''));
      await cell(3, 1).click({ button: 'right' });
      await page.keyboard.press('Escape');
      await soon(async () => expect(await page.locator('.grid-cell.selected').count(), how).to.equal(6));
      await page.keyboard.type('99');
      await page.keyboard.press('Enter');
      await expectText(cell(2, 1), '99');
      await page.keyboard.press('Control+z');
      await desk.unsaved().waitFor({ state: 'detached' });
    }
    await cell(2, 1).click();
    for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+PageDown');
    await page.locator('.grid-cell.selected[data-row="58"]').waitFor();
  });

  it('have a menu with what fits a cell, a row and a column', async () => {
    const ofCell = await entries(cell(2, 0));
    const ofRow = await entries(page.locator('.grid-row-head[data-row="2"]'));
    const ofColumn = await entries(page.locator('.grid-column-head[data-column="0"]'));
    for (const names of [ofCell, ofRow, ofColumn]) expect(names.slice(0, 3)).to.deep.equal(['Cut', 'Copy', 'Paste']);
    expect(ofCell).to.include('Filter by this value').and.not.include('Edit column');
    expect(ofRow).to.include('Delete rows').and.include('Move rows up').and.not.include('Add input');
    expect(ofColumn).to.include('Edit column').and.include('Fit the width').and.not.include('Delete rows');
  });

  it('are cut, copied and pasted by it', async () => {
    await cell(3, 1).click({ button: 'right' });
    await entry('Copy').click();
    await cell(5, 1).click({ button: 'right' });
    await entry('Paste').click();
    await expectText(cell(5, 1), '6');
    await cell(7, 1).click({ button: 'right' });
    await entry('Cut').click();
    await expectText(cell(7, 1), '');
    await cell(8, 1).click({ button: 'right' });
    await entry('Paste').click();
    await expectText(cell(8, 1), '14');
    for (const _step of [1, 2, 3]) await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('say which keys to press where the browser lets no page paste, or copy, and cut nothing then', async () => {
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })");
    await cell(3, 1).click({ button: 'right' });
    await entry('Paste').click();
    await page.getByText('press Ctrl+V').waitFor();
    await cell(3, 1).click({ button: 'right' });
    await entry('Cut').click();
    await page.getByText('press Ctrl+X').waitFor();
    await expectText(cell(3, 1), '6');
    await page.evaluate('delete navigator.clipboard');
  });

  it('are replaced in the selection alone, unless all are wanted', async () => {
    await cell(1, 0).click();
    await cell(12, 0).click({ modifiers: ['Shift'] });
    await page.keyboard.press('Control+h');
    const asked = page.getByRole('dialog', { name: 'Find and replace' });
    await asked.getByRole('textbox', { name: 'Find' }).fill('1');
    // 1, 10, 11, 12 among the codes 1 to 12.
    await asked.getByRole('button', { name: 'Replace in 4 cells' }).waitFor();
    await asked.getByRole('checkbox', { name: 'Only in the selection' }).uncheck();
    await asked.getByRole('button', { name: /^Replace in \d\d cells$/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('all get the text of the one that is written by Ctrl+Enter, where several are selected: one step of undo', async () => {
    const fee = (row: number): Locator => cell(row, 1);
    const before = await Promise.all([0, 1, 2, 3].map((row) => fee(row).innerText()));
    await fee(0).click();
    for (const _each of [1, 2]) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.type('0.4');
    await page.keyboard.press('Control+Enter');
    for (const row of [0, 1, 2]) await expectText(fee(row), '0.4');
    await expectText(fee(3), before[3]?.trim() ?? '');
    await soon(async () => expect(await page.locator('.grid-cell.selected').count()).to.equal(3));
    await desk.button('Undo').click();
    for (const row of [0, 1, 2]) await expectText(fee(row), before[row]?.trim() ?? '');
  });

  it('fill the screen with Undo, Save, the faults and what repairs them; the active one stays in sight, in and out', async () => {
    await cell(0, 0).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Home');
    const last = page.locator('.grid-cell.active');
    const isInSight = async (): Promise<boolean> => {
      const [box, own] = [await page.getByRole('grid').boundingBox(), await last.boundingBox()];
      return own !== null && box !== null && own.y >= box.y && own.y + own.height <= box.y + box.height + 1;
    };
    await soon(async () => expect(await isInSight()).to.equal(true));
    await desk.button('Fill the screen').click();
    const tools = page.getByRole('group', { name: 'Full screen' });
    const faults = page.getByRole('region', { name: 'Faults' });
    await faults.getByText('No faults').waitFor();
    await soon(async () => expect(await isInSight()).to.equal(true));
    // The keys go on in the cell.
    await page.keyboard.type('> 5 and');
    await page.keyboard.press('Enter');
    await faults.getByText(/1 (error|warning)/).waitFor();
    await tools.getByRole('button', { name: 'Undo' }).click();
    await faults.getByText('No faults').waitFor();
    await soon(async () =>
      expect(await tools.getByRole('button', { name: 'Keep as working copy' }).isDisabled()).to.equal(true),
    );
    await soon(async () => expect(await desk.button('Fill the screen').count()).to.equal(0));
    await desk.button('Leave full screen').click();
    await desk.button('Fill the screen').waitFor();
    await soon(async () => expect(await isInSight()).to.equal(true));
  });
});
