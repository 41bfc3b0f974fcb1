import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';

describe('widths of columns', () => {
  let desk: Desk;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(3) });
    await desk.edit('fees.json', 'fees');
  });

  const head = (page: Page) => page.locator('.grid-column-head[data-column="0"]');
  const widthIn = async (page: Page): Promise<number> => Math.round((await head(page).boundingBox())?.width ?? 0);

  it('are as they were set, in another tab and on another day', async () => {
    const { page } = desk;
    const box = await head(page).boundingBox();
    if (box === null) throw new Error('no head');
    const [x, y] = [box.x + box.width - 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 90, y, { steps: 4 });
    await page.mouse.up();
    const wanted = Math.round(box.width + 90);
    await soon(async () => expect(await widthIn(page)).to.be.within(wanted - 2, wanted + 2));
    const other = await page.context().newPage();
    await other.goto(page.url());
    await soon(async () => expect(await widthIn(other)).to.be.within(wanted - 2, wanted + 2));
    await other.close();
  });
});
