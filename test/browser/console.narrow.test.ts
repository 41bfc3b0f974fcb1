import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole, expectNoSideways } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';

interface Element {
  readonly className: string;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

describe('the author’s desk on 320 px', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(40) });
    page = desk.page;
    await page.setViewportSize({ width: 320, height: 640 });
  });

  it('lies one below the other: the decisions, the table, its faults, the panel', async () => {
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
    await page.getByRole('button', { name: 'Export .csv' }).click();
    await page.getByRole('dialog', { name: 'Export the table' }).getByRole('button', { name: 'Cancel' }).click();
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await expectNoSideways(page, 'the desk on 390 px');
  });

  it('has one line of head and the table in sight where the browser is zoomed, also while the desk is open', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await desk.edit('fees.json', 'fees');
    await page.getByRole('searchbox', { name: 'Find a decision' }).waitFor();
    await page.setViewportSize({ width: 1000, height: 700 });
    await soon(async () => expect((await page.getByRole('banner').boundingBox())?.height).to.be.below(56));
    const topOf = (selector: string): Promise<number> =>
      page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().top + scrollY`);
    for (const width of [853, 640]) {
      await page.setViewportSize({ width, height: 600 });
      await page.getByRole('searchbox', { name: 'Find a decision' }).waitFor({ state: 'detached' });
      expect((await page.getByRole('banner').boundingBox())?.height, `${width} px`).to.be.below(56);
      await page.getByRole('button', { name: 'Sign out' }).click({ trial: true });
      expect(await topOf('.grid-cell[data-row="0"]'), `${width} px`).to.be.below(400);
      await expectNoSideways(page, `the desk on ${width} px`);
    }
    await page.getByRole('button', { name: 'List of decisions' }).click();
    await page.getByRole('searchbox', { name: 'Find a decision' }).waitFor();
    // The last of the pages is reached by what scrolls.
    await page.getByRole('link', { name: 'Access' }).click({ trial: true });
  });

  it('shows at the edge of a wide table, and of the menu, that there is more', async () => {
    await page.setViewportSize({ width: 320, height: 844 });
    for (const wide of ['.grid', '.bar nav']) {
      const mask = (): Promise<string> =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${wide}')).getPropertyValue('--more')`);
      await page.evaluate(`document.querySelector('${wide}').scrollLeft = 0`);
      await soon(async () => expect(await mask(), wide).to.equal('24px'));
      await page.evaluate(`document.querySelector('${wide}').scrollLeft = 10_000`);
      // Half a pixel may be left.
      await eventually(async () => parseFloat(await mask()) < 6);
    }
  });
});
