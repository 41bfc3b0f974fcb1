import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { bootApp, type TestApp } from '../support/app.js';
import { browserPath } from '../support/browser.js';
import { closeBrowser, expectNoSideways, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildConsoleScene, loanFact, type ConsoleScene } from '../support/consoleScene.js';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

describe('the console for everybody', function () {
  this.timeout(90_000);
  let app: TestApp;
  let made: ConsoleScene;
  let view: ConsolePage;
  let page: Page;

  before(async function () {
    if (browserPath === undefined) this.skip();
    app = await bootApp();
    made = await buildConsoleScene(app);
    view = await openConsole(app.baseUrl, made.scene);
    page = view.page;
  });
  after(async () => {
    if (browserPath === undefined) return;
    await closeBrowser();
    await app.stop();
  });

  const go = async (path: string): Promise<void> => {
    await page.evaluate(`history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await page.waitForLoadState('networkidle');
  };

  /** axe-core finds nothing, and nothing lies beside a screen of 320 px. */
  async function expectReadable(what: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(axeSource);
      const { violations } = await page.evaluate<AxeResult>('axe.run()');
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
      );
      expect(found, `${what}, ${colorScheme}`).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSideways(page, what);
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  it('the sign-in is for everybody', async () => {
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectReadable('sign-in');
    await view.open('/decisions');
  });

  for (const [name, path] of [
    ['Decisions', () => '/decisions'],
    ['Model', () => `/decisions/${made.decisionId}?version=2&node=granted`],
    ['Compare', () => `/decisions/${made.decisionId}/compare?from=1&to=2&node=granted`],
    ['Deployments', () => '/deployments'],
    ['Executions', () => '/executions'],
    ['Execution', () => `/executions/${made.executionId}`],
    ['Pool', () => '/pool'],
  ] as const) {
    it(`${name} is for everybody`, async () => {
      await go(path());
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expectReadable(name);
    });
  }

  it('can be used by keyboard alone: sign in, open a decision, run it, look at a node', async () => {
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key);
    };
    /** Tab, until what has the focus is named so. */
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses++) {
        await press('Tab');
        const focused = await page.evaluate<string>(
          '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.closest("label")?.textContent ?? document.activeElement?.textContent ?? "").trim()',
        );
        if (focused.startsWith(name)) return;
      }
      throw new Error(`Tab does not lead to ${name}.`);
    };
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.keyboard.type(made.scene.client.id);
    await press('Tab');
    await page.keyboard.type(made.scene.client.secret);
    await press('Enter');
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    await page.getByRole('link', { name: 'loan.json' }).waitFor();
    await tabTo('loan.json');
    await press('Enter');
    await page.getByRole('button', { name: 'Application', exact: true }).waitFor();
    await tabTo('Fact');
    await press('Control+a');
    await page.keyboard.insertText(JSON.stringify(loanFact));
    await press('Control+Enter');
    await page.getByRole('region', { name: 'Result' }).getByText('"rate": 4.4').waitFor();
    await page.getByRole('button', { name: 'Application', exact: true }).focus();
    await press('ArrowRight', 'ArrowRight', 'Enter');
    await page.getByRole('region', { name: 'Node' }).getByRole('heading', { name: 'Which way' }).waitFor();
  });

  it('asked no other host, and the browser had no complaint', () => {
    expect([...view.hosts]).to.deep.equal([new URL(app.baseUrl).host]);
    expect(view.complaints).to.deep.equal([]);
  });
});
