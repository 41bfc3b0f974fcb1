import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { bootApp, type TestApp } from '../support/app.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { loanFact, tableOf } from '../support/consoleScene.js';
import { eventually } from '../support/eventually.js';
import { loan } from '../support/loan.js';
import type { Model } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';

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
  return { ...model, nodes: model.nodes.map((node) => (node.id === 'fees' ? { ...node, content } : node)) } as Model;
}

describe('the author’s desk', function () {
  this.timeout(120_000);
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  const ids = new Map<string, string>();

  atConsole(bootApp, async (booted) => {
    app = booted;
    scene = await buildScene(app);
    for (const [key, model] of [
      ['loan.json', loan(5.4)],
      ['fees.json', wideTable(3, 8)],
      ['wide.json', wideTable(600, 40)],
    ] as const) {
      ids.set(key, await scene.decision(key, model));
    }
    view = await openConsole(app.baseUrl, scene);
    page = view.page;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await view.open('/decisions');
  });

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const grid = (name: string): Locator => page.getByRole('grid', { name, exact: true });
  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const unsaved = (): Locator => page.getByText('Changed, not saved.');

  const edit = async (key: string, node?: string): Promise<void> => {
    await view.go(`/decisions/${ids.get(key) ?? ''}/edit${node === undefined ? '' : `?node=${node}`}`);
    await (node === undefined ? page.locator('[data-node]').first() : page.getByRole('grid')).waitFor();
  };
  const keep = async (): Promise<void> => {
    await button('Keep as working copy').click();
    await unsaved().waitFor({ state: 'detached' });
  };
  const stored = async (key: string): Promise<Model> => {
    const { body } = await scene.caller.get(`/logic/decisions/${ids.get(key) ?? ''}/versions/0`);
    return (body as { content: Model }).content;
  };
  const rulesOf = (model: Model, id: string): readonly Rule[] => {
    const node = (model.nodes as readonly { id: string; content: { rules: Rule[] } }[]).find((each) => each.id === id);
    return node?.content.rules ?? [];
  };
  /** As a spreadsheet puts cells on the clipboard. */
  const paste = (data: Readonly<Record<string, string>>): Promise<void> =>
    page.evaluate(
      `(() => {
        const clipboardData = new DataTransfer();
        for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      })()`,
    );

  it('changes one cell, and nothing else of the model', async () => {
    const before = await stored('loan.json');
    await edit('loan.json', 'granted');
    await cell(1, 2).click();
    await page.keyboard.type('4.4');
    await page.keyboard.press('Enter');
    await keep();
    const text = JSON.stringify(before);
    expect(text.split('"5.4"')).to.have.length(2);
    expect(JSON.stringify(await stored('loan.json'))).to.equal(text.replace('"5.4"', '"4.4"'));
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
    await expectFocus(2, 9);
    await page.keyboard.press('Control+Home');
    await expectFocus(0, 0);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Change input' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('pastes 500 × 8 cells of a spreadsheet where the focus is, as one step, and copies them out again', async () => {
    await edit('fees.json', 'fees');
    const cells = Array.from({ length: 500 }, (_, row) => Array.from({ length: 8 }, (_, at) => `> ${row}.${at}`));
    const plain = `${cells.map((row) => row.join('\t')).join('\r\n')}\r\n`;
    const html = `<html><body><table>${cells.map((row) => `<tr>${row.map((text) => `<td>&gt; ${text.slice(2)}</td>`).join('')}</tr>`).join('\n')}</table></body></html>`;
    for (const data of [{ 'text/plain': plain, 'text/html': html }, { 'text/html': html }]) {
      await cell(0, 0).click();
      await paste(data);
      await expectText(cell(0, 3), '> 0.3');
      await page.keyboard.press('Control+c');
      await page.locator('.grid-cell.selected').first().waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied.replaceAll('\r\n', '\n')).to.equal(plain.replaceAll('\r\n', '\n').trimEnd());
      expect(await page.locator('.grid-cell').count()).to.be.below(800);
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
      expect(await page.locator('.grid-cell').count()).to.be.below(1000);
      await expectFocus(0, 0);
    }
    await page.keyboard.press('Control+ArrowDown');
    await expectFocus(600, 0);
    await page.getByRole('searchbox', { name: 'Find in cells' }).fill('20319');
    await page.keyboard.press('Enter');
    await page.locator('.grid-cell.active', { hasText: '20319' }).waitFor();
  });

  it('shows 18 rows and more at 1280 × 900, and fills the screen with them by F', async () => {
    const rowsInSight = (): Promise<number> =>
      grid('Fees').evaluate((element) =>
        Math.floor(((element as unknown as { clientHeight: number }).clientHeight - 44) / 28),
      );
    expect(await rowsInSight()).to.be.at.least(18);
    await button('Fill the screen').click();
    expect(await rowsInSight()).to.be.at.least(25);
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'hidden' });
    await button('Fill the screen').focus();
    await page.keyboard.press('f');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('runs the draft while it is edited, and says how the result came about', async () => {
    await edit('loan.json');
    await page.getByRole('switch', { name: 'JSON' }).check();
    await page.getByRole('textbox', { name: 'Fact' }).fill(JSON.stringify(loanFact));
    await button('Run').click();
    const result = region('Result');
    await result.getByText('"rate": 4.4').waitFor();
    const how = result.getByRole('list', { name: 'How it came about' });
    expect(
      (await how.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    ).to.deep.equal(['Which way chose otherwise', 'row 2 of Rate matched: [620..750)']);
    await how.getByRole('button', { name: 'Rate' }).click();
    await page.locator('.grid-row[aria-current="true"]', { hasText: '4.4' }).waitFor();
    await cell(1, 2).click();
    await page.keyboard.type('4.9');
    await result.getByText('"rate": 4.9').waitFor();
    await page.keyboard.press('Escape');
    await result.getByText('"rate": 4.4').waitFor();
    // A row that earlier ones leave nothing is told at the row.
    await cell(0, 0).click();
    await page.keyboard.press('Delete');
    await page.locator('.grid-row-head.warning[data-row="1"]').waitFor();
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await page.getByRole('region', { name: 'Findings in Rate' }).getByText('shadowed').first().waitFor();
    await button('Undo').click();
    await unsaved().waitFor({ state: 'detached' });
  });

  it('tests are part of the draft: added from a result, run, undone', async () => {
    await page.getByRole('tab', { name: 'Tests' }).click();
    const tests = region('Tests');
    await tests.getByRole('button', { name: 'Add test' }).click();
    await unsaved().waitFor();
    await tests.getByRole('button', { name: 'Run all' }).click();
    await tests.getByText('2 passed').waitFor();
    await button('Undo').click();
    await unsaved().waitFor({ state: 'detached' });
  });

  it('drags a node, connects two from the dot of one, selects several, deletes them, tidies up', async () => {
    await edit('loan.json');
    const center = async (target: Locator): Promise<{ x: number; y: number }> => {
      const box = await target.boundingBox();
      if (box === null) throw new Error('It is not drawn.');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
    };
    const before = await stored('loan.json');
    const start = await center(button('Ratios'));
    await drag(start, { x: start.x + 20, y: start.y + 90 });
    await unsaved().waitFor();
    // It was no click: the graph is still there.
    expect(await region('Node').count()).to.equal(0);
    const port = page.locator('.node', { has: button('Refused') }).locator('.port');
    await drag(await center(port), await center(button('Rate')));
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await keep();
    const after = await stored('loan.json');
    expect((after.edges as readonly unknown[]).slice(0, -1)).to.deep.equal(before.edges);
    const moved = (model: Model) =>
      (model.nodes as readonly { name: string }[]).filter(({ name }) => name !== 'Ratios');
    expect(moved(after)).to.deep.equal(moved(before));

    await button('Refused').click({ modifiers: ['Control'] });
    await button('To a person').click({ modifiers: ['Control'] });
    await button('Delete selected').click();
    await button('Refused').waitFor({ state: 'detached' });
    expect(await button('To a person').count()).to.equal(0);
    expect(await page.getByRole('img', { name: 'Refused → Rate' }).count()).to.equal(0);
    await button('Undo').click();
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await button('Tidy up').click();
    await unsaved().waitFor();
    await button('Undo').click();
    await unsaved().waitFor({ state: 'detached' });
  });

  it('adds a node beside the one that is selected, connected with it', async () => {
    await button('Ratios').click({ modifiers: ['Control'] });
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Table' });
    await button('Add node').click();
    await page.getByRole('img', { name: 'Ratios → table1' }).waitFor();
    await button('Undo').click();
    await unsaved().waitFor({ state: 'detached' });
  });

  it('is at most 350 KiB of script, compressed', async () => {
    const fresh = await openConsole(app.baseUrl, scene);
    const sizes = new Map<string, number>();
    fresh.page.on('response', (response) => {
      if (response.url().endsWith('.js')) sizes.set(response.url(), Number(response.headers()['content-length']));
    });
    await fresh.open(`/decisions/${ids.get('loan.json') ?? ''}/edit?node=granted`);
    await fresh.page.getByRole('grid').waitFor();
    await fresh.page.waitForLoadState('networkidle');
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).to.be.within(50 * 1024, 350 * 1024);
    await fresh.close();
  });

  it('the browser had no complaint, and the policy none', () => {
    expect(view.complaints).to.deep.equal([]);
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
