import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';

describe('the line between two columns', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'table.json': tableOf(3) });
    page = desk.page;
    await desk.edit('table.json', 'fees');
  });

  const head = (at: number): Locator => page.locator(`.grid-column-head[data-column="${at}"]`);
  const boxOf = async (at: number) => (await head(at).boundingBox())!;

  for (const beside of [-2, 0, 2])
    it(`is dragged, and fits by two clicks, ${beside} pixels from it`, async () => {
      const { x, y, width, height } = await boxOf(0);
      const [line, middle] = [x + width + beside, y + height / 2];
      await page.mouse.move(line, middle);
      await page.mouse.down();
      await page.mouse.move(line + 60, middle, { steps: 4 });
      await page.mouse.up();
      await soon(async () => expect((await boxOf(0)).width).to.be.closeTo(width + 60, 1));
      await page.mouse.dblclick(line + 60, middle);
      await soon(async () => expect((await boxOf(0)).width).to.be.below(width + 60));
      await soon(async () => expect(await page.getByRole('dialog').count()).to.equal(0));
    });
});
