import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { problems } from '../../src/errors.js';
import { useApp } from '../support/app.js';
import { openView, shoot, useBrowser } from '../support/browser.js';
import { soon } from '../support/eventually.js';

describe('/problems in a browser', () => {
  const app = useApp();
  useBrowser();
  let page: Page;
  before(async () => {
    ({ page } = await openView({ width: 900, height: 1100 }));
  });

  it('leads from the list to a code, on to a related one, and back', async () => {
    await page.goto(`${app.baseUrl}/problems`);
    await soon(async () => expect(await page.locator('tr').count()).to.equal(Object.keys(problems).length));
    await shoot(page, 'problems.png', true);
    await page.getByText('overloaded', { exact: true }).click();
    await page.getByRole('heading', { name: problems.overloaded.title }).waitFor();
    await shoot(page, 'problems-overloaded.png', true);
    await page.getByText('dependency_unavailable', { exact: true }).click();
    await page.getByRole('heading', { name: problems.dependency_unavailable.title }).waitFor();
    await page.getByText('All codes').click();
    await page.getByRole('heading', { name: 'Error codes' }).waitFor();
  });

  it('is readable on a telephone, in the dark', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${app.baseUrl}/problems/validation_failed`);
    const widths = await page.evaluate('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');
    const [content, window] = widths as [number, number];
    expect(content, 'nothing to scroll sideways').to.be.at.most(window);
    await shoot(page, 'problems-telephone.png', true);
  });

  it('keeps its style under its own policy: the browser has no complaint', async () => {
    await soon(async () =>
      expect(await page.evaluate('getComputedStyle(document.querySelector("pre")).borderRadius')).to.equal('6px'),
    );
  });
});
