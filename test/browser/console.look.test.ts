import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildConsoleScene, type ConsoleScene } from '../support/consoleScene.js';

describe('the console’s look', () => {
  let made: ConsoleScene;
  let view: ConsolePage;
  let page: Page;

  atConsole(async (app) => {
    made = await buildConsoleScene(app);
    view = await openConsole(app.baseUrl, made.scene, { width: 390, height: 844 });
    page = view.page;
    await view.open('/decisions');
  });

  it('has a head that takes at most 12 % of a telephone’s page, on each page', async () => {
    for (const path of ['/decisions', `/decisions/${made.decisionId}`, '/deployments', '/audit', '/access', '/pool']) {
      await view.go(path);
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
    await view.go(`/decisions/${made.decisionId}`);
    const copied = page.locator('.copied').first();
    await copied.waitFor();
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('.copied'))");
    const selected = await page.evaluate<string>('String(getSelection())');
    expect(selected.trim()).to.equal(made.decisionId);
  });

  it('has the entries of the audit trail below one another, where their columns have no room', async () => {
    await view.go('/audit');
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
    await view.go('/deployments');
    await page.locator('time').first().waitFor();
    const heights = await page
      .locator('time')
      .evaluateAll((times) =>
        (times as unknown as { getClientRects(): { length: number } }[]).map((each) => each.getClientRects().length),
      );
    expect(heights.length).to.be.above(0);
    expect(new Set(heights)).to.deep.equal(new Set([1]));
  });
});
