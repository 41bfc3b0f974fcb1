import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole, expectNoSideways } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { loan } from '../support/loan.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';

interface Element {
  readonly className: string;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

describe('the console on a small screen', () => {
  let desk: Desk;
  let page: Page;
  let loanId: string;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(40) });
    page = desk.page;
    ({ decisionId: loanId } = await desk.scene.deployed('credit/loan.json', loan(5.4)));
    await page.setViewportSize({ width: 390, height: 844 });
  });

  it('has a head that takes at most 12 % of a telephone’s page, on each page', async () => {
    for (const path of ['/decisions', `/decisions/${loanId}`, '/deployments', '/audit', '/access', '/pool']) {
      await desk.view.go(path);
      const box = await page.getByRole('banner').boundingBox();
      expect(box?.height, path).to.be.at.most(0.12 * 844);
    }
  });

  it('keeps the page that is open in sight among the pages', async () => {
    for (const name of ['Access', 'Decisions']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const box = await page.locator('nav [aria-current]').boundingBox();
      expect(box?.x, name).to.be.within(0, 390 - (box?.width ?? 0));
    }
  });

  it('gives an id to who selects it, without the button that copies it', async () => {
    await desk.view.go(`/decisions/${loanId}`);
    const copied = page.locator('.copied').first();
    await copied.waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.copied'))");
    const selected = await page.evaluate<string>('String(getSelection())');
    expect(selected.trim()).to.equal(loanId);
  });

  it('has the entries of the audit trail below one another, where their columns have no room', async () => {
    await desk.view.go('/audit');
    const entries = page.locator(".scroll[aria-label='Audit entries']");
    await entries.getByRole('row').nth(1).waitFor();
    const beside = await page.evaluate<number>(
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(\'[aria-label="Audit entries"]\'))',
    );
    expect(beside).to.equal(0);
    await page.setViewportSize({ width: 1280, height: 844 });
    await entries.getByRole('columnheader', { name: 'What happened' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
  });

  it('writes a time in one line', async () => {
    await desk.view.go('/deployments');
    await page.locator('time').first().waitFor();
    const heights = await page
      .locator('time')
      .evaluateAll((times) =>
        (times as unknown as { getClientRects(): { length: number } }[]).map((each) => each.getClientRects().length),
      );
    expect(heights.length).to.be.above(0);
    expect(new Set(heights)).to.deep.equal(new Set([1]));
  });

  it('has the whole graph of a model in sight, and sentences of tables are read in lines', async () => {
    await desk.view.go(`/decisions/${loanId}`);
    await page.locator('[data-node]').nth(4).waitFor();
    const right = `Math.max(...[...document.querySelectorAll('[data-node]')].map((node) => node.getBoundingClientRect().right))`;
    await soon(async () => expect(await page.evaluate<number>(right)).to.be.at.most(390));
    await desk.view.go('/access');
    const words = page.locator('td.wrapped').first();
    await soon(async () => expect((await words.boundingBox())?.width).to.be.at.least(180));
  });

  it('has the desk’s parts one below the other: the decisions, the table, its faults, the panel', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const node of ['fees', undefined]) {
      await desk.edit('fees.json', node);
      const boxes = await page
        .locator('.desk-decisions, .node-pane, .graph-pane, .grid, .graph-box, .faults, .desk-panel')
        .evaluateAll((elements) =>
          (elements as unknown as Element[]).map((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return [element.className.split(' ')[0] ?? '', top, bottom] as const;
          }),
        );
      const of = (name: string) => boxes.find(([each]) => each === name) ?? [name, NaN, NaN];
      const pane = boxes.some(([name]) => name === 'grid') ? 'node-pane' : 'graph-pane';
      const inner = pane === 'node-pane' ? 'grid' : 'graph-box';
      expect(of(inner)[2], `${inner} within ${pane}`).to.be.at.most(of(pane)[2] + 1);
      for (const [above, below] of [
        ['desk-decisions', pane],
        [pane, 'faults'],
        ['faults', 'desk-panel'],
      ] as const)
        expect(of(above)[2], `${above} above ${below}`).to.be.at.most(of(below)[1] + 1);
    }
  });

  it('has a table’s first cell in the upper half, and all that can be done with it behind three buttons', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await desk.edit('fees.json', 'fees');
    const cell = page.locator('.grid-cell[data-row="0"][data-column="0"]');
    const top = await page.evaluate<number>(
      `document.querySelector('.grid-cell[data-row="0"]').getBoundingClientRect().top + scrollY`,
    );
    expect(top).to.be.below(400);
    for (const line of ['.desk-line', '.node-line', '.tools'])
      await soon(async () =>
        expect((await page.locator(line).boundingBox())?.height, line).to.be.below(line === '.desk-line' ? 110 : 40),
      );
    await cell.click();
    await page.locator('.tools summary', { hasText: 'Edit' }).click();
    await page.getByRole('button', { name: 'Insert row below' }).click();
    await page.locator('.grid-cell[data-row="1"][data-column="0"]:focus').waitFor();
    await page.locator('.node-line summary', { hasText: 'More' }).click();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog', { name: 'Export the table' }).getByRole('button', { name: 'Cancel' }).click();
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await expectNoSideways(page, 'the desk on 390 px');
  });

  it('shows at the edge of a wide table that there is more', async () => {
    const mask = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.querySelector('.grid')).getPropertyValue('--more')");
    await page.setViewportSize({ width: 320, height: 844 });
    await page.evaluate("document.querySelector('.grid').scrollLeft = 0");
    await soon(async () => expect(await mask()).to.equal('24px'));
    await page.evaluate("document.querySelector('.grid').scrollLeft = 10_000");
    // Half a pixel may be left.
    await eventually(async () => parseFloat(await mask()) < 6);
  });
});
