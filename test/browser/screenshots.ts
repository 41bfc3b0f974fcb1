import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../db/root.js';
import type { TestApp } from '../support/app.js';
import { shotPath } from '../support/browser.js';
import { atConsole, openConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { loanFact } from '../support/consoleScene.js';
import { dmn } from '../support/dmn.js';
import { lending } from '../support/dmnDocument.js';
import { buildWideScene, pricedFact, type WideScene } from '../support/wideScene.js';

// `make screenshots`: pictures of every page of the console, for people to look at. It is no test, and `make test` leaves it out.

const widths = [320, 1280, 1920] as const;

describe('screenshots of the console', () => {
  let app: TestApp;
  let made: WideScene;
  let view: ConsolePage;
  let page: Page;

  atConsole(async (booted) => {
    app = booted;
    made = await buildWideScene(app);
    view = await openConsole(app.baseUrl, made.scene);
    page = view.page;
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await shoot('sign-in');
    await view.open('/decisions');
  });

  /** The two of the README: small, and kept with the sources. */
  const forReadme = (name: string): string => join(projectRoot, 'src/console/screenshots', `${name}.png`);

  async function shoot(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of widths) {
        await page.setViewportSize({ width, height: width === 320 ? 640 : Math.round((width * 10) / 16) });
        await page.waitForTimeout(80);
        await page.screenshot({ path: shotPath(`console-${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  for (const [name, path] of [
    ['decisions', () => '/decisions'],
    ['compare', () => `/decisions/${made.decisionId}/compare?from=1&to=2&node=granted`],
    ['deployments', () => '/deployments'],
    ['environment', () => `/environments/${made.environmentId}`],
    ['requests', () => '/requests'],
    ['request', () => `/requests/${made.requestId}`],
    ['tests', () => `/decisions/${made.pricingId}?tab=tests`],
    ['outcomes', () => `/decisions/${made.pricingId}/outcomes`],
    ['changes', () => `/decisions/${made.pricingId}?tab=changes`],
    ['audit', () => '/audit'],
    ['executions', () => '/executions'],
    ['replays', () => '/replays'],
    ['access', () => '/access'],
    ['nothing', () => '/executions?reference=nothing'],
  ] as const) {
    it(name, async () => {
      await view.go(path());
      await shoot(name);
      if (name === 'compare') await page.screenshot({ path: forReadme(name) });
    });
  }

  it('model', async () => {
    await view.go(`/decisions/${made.decisionId}?version=2`);
    await writeFact(page, JSON.stringify(loanFact, null, 2));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('COMPLETED').waitFor();
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    await shoot('model');
    await page.screenshot({ path: forReadme('model') });
  });

  it('document of DMN', async () => {
    const id = await made.scene.decision('credit/lending.dmn', dmn(lending));
    await view.go(`/decisions/${id}?version=1`);
    await page.getByRole('combobox', { name: 'Risk Class' }).selectOption('medium');
    await page.getByRole('textbox', { name: 'Yearly Income' }).fill('24000');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('COMPLETED').waitFor();
    await shoot('document');
    await page.getByRole('button', { name: 'Offer', exact: true }).click();
    await shoot('document-table');
    await view.go(`/decisions/${id}/edit`);
    await page.getByRole('button', { name: 'Offer', exact: true }).click();
    await page.getByRole('gridcell').first().waitFor();
    await shoot('document-edit');
  });

  it('analysis', async () => {
    await view.go(`/decisions/${made.mistakenId}?tab=analysis`);
    await page.getByRole('region', { name: 'Findings in Rates' }).waitFor();
    await shoot('analysis');
  });

  it('execution', async () => {
    await view.go(`/executions/${made.executionId}?node=granted`);
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('region', { name: 'Node' }).waitFor();
    await shoot('execution');
  });

  it('replay', async () => {
    await view.go(`/replays/${made.replayId}`);
    await page.getByRole('button', { name: 'Compare' }).first().click();
    await page.getByRole('region', { name: 'After' }).getByRole('button', { name: 'Rate', exact: true }).waitFor();
    await shoot('replay');
  });

  it('dialogs', async () => {
    for (const [path, opener, name] of [
      ['/deployments', 'Deploy', 'deploy'],
      ['/replays', 'Start a replay', 'start-replay'],
      ['/access', 'New client', 'new-client'],
    ] as const) {
      await view.go(path);
      await page.getByRole('button', { name: opener, exact: true }).first().click();
      await page.getByRole('dialog').waitFor();
      await shoot(name);
      await page.keyboard.press('Escape');
    }
  });

  it('edit', async () => {
    await view.go(`/decisions/${made.decisionId}/edit`);
    await page.locator('[data-node]').first().waitFor();
    await shoot('edit');
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    await page.getByRole('gridcell').first().waitFor();
    await shoot('edit-table');
    await view.go(`/decisions/${made.pricingId}/edit`);
    await page.getByRole('switch', { name: 'JSON' }).check();
    await writeFact(page, JSON.stringify(pricedFact));
    await page.getByRole('switch', { name: 'JSON' }).uncheck();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('list', { name: 'How it came about' }).waitFor();
    await shoot('edit-run');
    await page.getByRole('list', { name: 'How it came about' }).getByRole('link', { name: 'Rates' }).click();
    await page.getByRole('gridcell').first().waitFor();
    await shoot('edit-rates');
    await view.go(`/decisions/${made.mistakenId}/edit?node=rates`);
    await page.locator('.grid-cell.warning').first().click();
    await shoot('edit-mistakes');
    await view.go(`/decisions/${made.pricingId}/edit?node=in`);
    await page.getByRole('textbox', { name: 'Name' }).nth(1).waitFor();
    await shoot('edit-fields');
  });

  it('pool', async () => {
    await view.go('/pool');
    await page.locator('canvas').first().waitFor();
    await page.waitForTimeout(2500);
    await shoot('pool');
  });
});
