import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { openDesk, type Desk, paste } from '../support/desk.js';
import { atConsole, openConsole, sizeOfScripts, writeFact } from '../support/consolePage.js';
import { loanFact, tableOf } from '../support/consoleScene.js';
import { eventually, soon } from '../support/eventually.js';
import { loan } from '../support/loan.js';
import type { Model } from '../support/models.js';
import type { Scene } from '../support/scene.js';

interface Rule {
  readonly [column: string]: string;
}

/** A table of so many rows and columns. */
function wideTable(rows: number, columns: number): Model {
  const model = tableOf(0) as { nodes: { id: string; content: Record<string, unknown> }[] } & Model;
  const inputs = Array.from({ length: columns }, (_, at) => ({ id: `c${at}`, name: `Column ${at}`, field: `f${at}` }));
  const content = {
    hitPolicy: 'first',
    inputs,
    outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
    rules: Array.from({ length: rows }, (_, row) => ({
      _id: `r${row}`,
      ...Object.fromEntries(inputs.map(({ id }, at) => [id, `${row * at}`])),
      fee: `${row}`,
    })),
  };
  return { ...model, nodes: model.nodes.map((node) => (node.id === 'fees' ? { ...node, content } : node)) };
}

describe('the author’s desk', () => {
  let app: TestApp;
  let desk: Desk;
  let scene: Scene;
  let page: Page;
  let ids: Desk['ids'];

  atConsole(async (booted) => {
    app = booted;
    desk = await openDesk(app, {
      'loan.json': loan(5.4),
      'fees.json': wideTable(3, 8),
      'wide.json': wideTable(600, 40),
    });
    ({ scene, page, ids } = desk);
  });

  const button = (name: string): Locator => desk.button(name);
  const region = (name: string): Locator => desk.region(name);
  const unsaved = (): Locator => desk.unsaved();
  const edit = (key: string, node?: string): Promise<void> => desk.edit(key, node);
  const keep = (): Promise<void> => desk.keep();
  const stored = (key: string): Promise<Model> => desk.stored(key);
  const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true });
  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const rulesOf = (model: Model, id: string): readonly Rule[] => {
    const node = (model.nodes as readonly { id: string; content: { rules: Rule[] } }[]).find((each) => each.id === id);
    return node?.content.rules ?? [];
  };

  it('changes one cell, and nothing else of the model', async () => {
    const before = await stored('loan.json');
    await edit('loan.json', 'granted');
    await cell(1, 2).click();
    await page.keyboard.type('4.4');
    await page.keyboard.press('Enter');
    await keep();
    const text = JSON.stringify(before);
    expect(text.split('"5.4"')).to.have.length(2);
    await soon(async () => expect(JSON.stringify(await stored('loan.json'))).to.equal(text.replace('"5.4"', '"4.4"')));
  });

  it('has the keys of a spreadsheet, and takes back step by step', async () => {
    await edit('fees.json', 'fees');
    const texts = (): Promise<string[]> => page.locator('.grid-cell.in[data-column="0"]').allInnerTexts();
    await cell(0, 0).click();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await page.keyboard.type('8');
    await page.keyboard.press('Tab');
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await expectText(cell(1, 1), '9');
    await cell(0, 0).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+d');
    await expectTexts(texts, ['7', '7', '7', '']);
    await page.keyboard.press('Control+z');
    await expectTexts(texts, ['7', '8', '0', '']);
    await page.keyboard.press('Control+y');
    await expectTexts(texts, ['7', '7', '7', '']);
    await page.keyboard.press('Delete');
    await expectTexts(texts, ['any', 'any', 'any', '']);
    await page.keyboard.press('F2');
    await page.keyboard.type('> 5');
    await page.keyboard.press('Escape');
    await expectTexts(texts, ['any', 'any', 'any', '']);
    for (let step = 0; step < 5; step++) await page.keyboard.press('Control+z');
    await expectTexts(texts, ['0', '0', '0', '']);
    await unsaved().waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await expectFocus(0, 9);
    await page.keyboard.press('Control+Home');
    await expectFocus(0, 0);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Change input' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('pastes merged cells into each row that they cover', async () => {
    await edit('fees.json', 'fees');
    const html = '<table><tr><td rowspan="2">&gt; 1</td><td>&gt; 2</td></tr><tr><td>&gt; 3</td></tr></table>';
    await cell(0, 0).click();
    await paste(page, { 'text/html': html, 'text/plain': '> 1\t> 2\r\n\t> 3\r\n' });
    await expectText(cell(1, 1), '> 3');
    await expectText(cell(1, 0), '> 1');
    await page.keyboard.press('Control+z');
    await unsaved().waitFor({ state: 'detached' });
  });

  it('pastes 500 × 8 cells of a spreadsheet where the focus is, as one step, and copies them out again', async () => {
    await edit('fees.json', 'fees');
    const cells = Array.from({ length: 500 }, (_, row) => Array.from({ length: 8 }, (_, at) => `> ${row}.${at}`));
    const plain = `${cells.map((row) => row.join('\t')).join('\r\n')}\r\n`;
    const html = `<html><body><table>${cells.map((row) => `<tr>${row.map((text) => `<td>&gt; ${text.slice(2)}</td>`).join('')}</tr>`).join('\n')}</table></body></html>`;
    for (const data of [{ 'text/plain': plain, 'text/html': html }, { 'text/html': html }]) {
      await cell(0, 0).click();
      await paste(page, data);
      await expectText(cell(0, 3), '> 0.3');
      await page.keyboard.press('Control+c');
      await page.locator('.grid-cell.selected').first().waitFor();
      const lines = plain.replaceAll('\r\n', '\n').trimEnd();
      await eventually(
        async () => (await page.evaluate<string>('navigator.clipboard.readText()')).replaceAll('\r\n', '\n') === lines,
      );
      await soon(async () => expect(await page.locator('.grid-cell').count()).to.be.below(800));
      await page.keyboard.press('Control+z');
      await unsaved().waitFor({ state: 'detached' });
      await expectText(cell(0, 3), '0');
    }
    await page.keyboard.press('Control+y');
    await keep();
    const rules = rulesOf(await stored('fees.json'), 'fees');
    expect(rules.map((rule) => cells[0]?.map((_text, at) => rule[`c${at}`]))).to.deep.equal(cells);
    // Rows that were there stay themselves.
    expect(rules.slice(0, 3).map(({ _id, fee }) => [_id, fee])).to.deep.equal([
      ['r0', '0'],
      ['r1', '1'],
      ['r2', '2'],
    ]);
    expect(new Set(rules.map(({ _id }) => _id)).size).to.equal(500);
  });

  it('scrolls a table of 600 × 40 of which only what is in sight is in the page, and keeps the focus', async () => {
    await edit('wide.json', 'fees');
    const table = grid('Fees');
    await cell(0, 0).click();
    for (const place of [0.3, 0.9, 0.1]) {
      await table.evaluate((element, at) => {
        const { scrollHeight, scrollWidth } = element as unknown as { scrollHeight: number; scrollWidth: number };
        Object.assign(element, { scrollTop: scrollHeight * at, scrollLeft: scrollWidth * at });
      }, place);
      const row = Math.round(602 * place) + 5;
      await page.locator(`.grid-row-head[data-row="${row}"]`).waitFor();
      const drawn = await page.locator('.grid-cell').count();
      expect(drawn).to.be.below(1000);
      await expectFocus(0, 0);
    }
    await page.keyboard.press('Control+ArrowDown');
    await expectFocus(599, 0);
    await page.getByRole('searchbox', { name: 'Find in cells' }).fill('20319');
    await page.keyboard.press('Enter');
    await page.locator('.grid-cell.active', { hasText: '20319' }).waitFor();
    // In the last column, too, the handle is dragged, and not the panel beside it.
    await page.locator('.grid-cell.active').click();
    await page.keyboard.press('End');
    const isOver = `(() => {
      const { left, right, top } = document.querySelector('.fill-handle').getBoundingClientRect();
      return [left + 1, right - 4].map((x) => document.elementFromPoint(x, top + 4).className);
    })()`;
    await soon(async () => expect(await page.evaluate(isOver)).to.deep.equal(['fill-handle', 'fill-handle']));
  });

  it('shows 18 rows and more at 1280 × 900, and fills the screen with them by F', async () => {
    const rowsInSight = (): Promise<number> =>
      grid('Fees').evaluate((element) =>
        Math.floor(((element as unknown as { clientHeight: number }).clientHeight - 44) / 28),
      );
    await soon(async () => expect(await rowsInSight()).to.be.at.least(18));
    await button('Fill the screen').click();
    await soon(async () => expect(await rowsInSight()).to.be.at.least(23));
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'hidden' });
    await button('Leave full screen').focus();
    await page.keyboard.press('f');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('runs the draft while it is edited, and says how the result came about', async () => {
    await edit('loan.json');
    await page.getByRole('switch', { name: 'JSON' }).check();
    await writeFact(page, JSON.stringify(loanFact));
    await button('Run').click();
    const result = region('Result');
    await result.getByText('rate 4.4').waitFor();
    const how = result.getByRole('list', { name: 'How it came about' });
    await soon(async () =>
      expect(
        (await how.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
      ).to.deep.equal(['Which way chose otherwise', 'row 2 of Rate matched: [620..750)']),
    );
    await how.getByRole('link', { name: 'Rate' }).click();
    await page.locator('.grid-row[aria-current="true"]', { hasText: '4.4' }).waitFor();
    await cell(1, 2).click();
    await page.keyboard.type('4.9');
    await result.getByText('rate 4.9').waitFor();
    await page.keyboard.press('Escape');
    await result.getByText('rate 4.4').waitFor();
    // A row that earlier ones leave nothing is told at the row.
    await cell(0, 0).click();
    await page.keyboard.press('Delete');
    await page.locator('.grid-row-head.warning[data-row="1"]').waitFor();
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await page.getByRole('region', { name: 'Findings in Rate' }).waitFor();
    await button('Undo').click();
    await unsaved().waitFor({ state: 'detached' });
  });

  it('takes a table to a spreadsheet and back, and shows what would change before it does', async () => {
    await edit('loan.json', 'granted');
    const downloaded = page.waitForEvent('download');
    await button('Export .xlsx').click();
    const file = await downloaded;
    expect(file.suggestedFilename()).to.match(/\.xlsx$/);
    const field = page.locator('input[type="file"]');
    await field.setInputFiles(await file.path());
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByText('Nothing would change.').waitFor();
    await soon(async () => expect(await dialog.getByRole('button', { name: 'Take it over' }).count()).to.equal(0));
    await dialog.getByRole('button', { name: 'Close' }).click();
    const { text } = await scene.caller.get(
      `/logic/decisions/${ids.get('loan.json') ?? ''}/versions/0/tables/granted.csv`,
    );
    expect(text).to.contain('4.4');
    const buffer = Buffer.from(text.replace('4.4', '3.3'));
    await field.setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer });
    await dialog.getByText('0 rows added, 1 changed, 0 removed.').waitFor();
    await dialog.getByText('1 cell of rows that are there would change.').waitFor();
    await dialog.getByRole('row', { name: /^row 2, .* changed 4\.4 3\.3$/ }).waitFor();
    await dialog.getByRole('button', { name: 'Take it over' }).click();
    await expectText(cell(1, 2), '3.3');
    // A draft, as every edit makes one: it is undone, and kept by who wants it.
    await unsaved().waitFor();
    await soon(async () => expect(rulesOf(await stored('loan.json'), 'granted')[1]).to.include({ rate: '4.4' }));
    await desk.keep();
    await soon(async () => expect(rulesOf(await stored('loan.json'), 'granted')[1]).to.include({ rate: '3.3' }));
    await edit('loan.json');
  });

  it('is at most 220 KiB of script by gzip, before somebody types', async () => {
    const fresh = await openConsole(app.baseUrl, scene);
    const size = sizeOfScripts(fresh.page);
    await fresh.open(`/decisions/${ids.get('loan.json') ?? ''}/edit?node=granted`);
    await fresh.page.getByRole('grid').waitFor();
    await fresh.page.waitForLoadState('networkidle');
    expect(await size()).to.be.within(50 * 1024, 220 * 1024);
    await fresh.close();
  });

  const expectText = (target: Locator, text: string): Promise<unknown> =>
    eventually(async () => (await target.innerText()).trim() === text);
  const expectTexts = (texts: () => Promise<string[]>, wanted: readonly string[]): Promise<unknown> =>
    eventually(async () => JSON.stringify((await texts()).map((text) => text.trim())) === JSON.stringify(wanted));
  const expectFocus = (row: number, column: number): Promise<unknown> =>
    eventually(async () => {
      const place = await page.evaluate<string>(
        '`${document.activeElement.dataset.row} ${document.activeElement.dataset.column}`',
      );
      return place === `${row} ${column}`;
    });
});
