import { expect } from 'chai';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { bootApp, type TestApp } from '../support/app.js';
import { browserPath, shotPath } from '../support/browser.js';
import { doubling } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';

describe('GET /docs in a browser', function () {
  this.timeout(60_000);
  let app: TestApp;
  let scene: Scene;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const hosts = new Set<string>();

  before(async function () {
    if (browserPath === undefined) this.skip();
    app = await bootApp();
    scene = await buildScene(app);
    browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
    page.setDefaultTimeout(10_000);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
  });
  after(async () => {
    // Nothing was started where there is no browser.
    if (browserPath === undefined) return;
    await browser.close();
    await app.stop();
  });

  const operation = (id: string): Locator => page.locator(`#operations-Runs-${id}`);

  it('shows every operation', async () => {
    await page.goto(`${app.baseUrl}/docs`);
    await operation('execute').waitFor();
    expect(await page.locator('.opblock').count()).to.be.at.least(18);
    await page.screenshot({ path: shotPath('docs.png') });
  });

  it('gets a token by the client’s id and secret', async () => {
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container').first().waitFor();
    const form = page.locator('.auth-container', { hasText: 'clientCredentials' }).first();
    await form.locator('[data-name="clientId"]').fill(scene.client.id);
    await form.locator('[data-name="clientSecret"]').fill(scene.client.secret);
    await form.getByText('select all', { exact: true }).click();
    await form.locator('button.authorize').click();
    await form.getByText('Logout', { exact: true }).waitFor();
    await page.screenshot({ path: shotPath('docs-authorized.png') });
    await page.locator('.btn-done').first().click();
  });

  it('executes a decision and shows the result', async () => {
    const environmentId = await scene.environment();
    const decisionId = await scene.decision('double.json', doubling(2));
    await scene.deploy(decisionId, environmentId, 1);

    const execute = operation('execute');
    await execute.locator('.opblock-summary').click();
    const fill = (name: string, value: string): Promise<void> =>
      execute.locator(`tr[data-param-name="${name}"] input`).fill(value);
    await fill('environmentId', environmentId);
    await fill('decisionId', decisionId);
    await fill('X-Workspace-Id', scene.workspaceId);
    await execute.locator('textarea.body-param__text').fill('{"fact": {"x": 21}}');
    await execute.locator('button.execute').click();
    const answer = execute.locator('.live-responses-table');
    await answer.getByText('201', { exact: true }).first().waitFor();
    expect(await answer.innerText())
      .to.match(/"y": 42/)
      .and.to.contain('COMPLETED');
    await answer.scrollIntoViewIfNeeded();
    await page.screenshot({ path: shotPath('docs-executed.png') });
  });

  it('asked no other host for anything, and nothing failed', () => {
    expect([...hosts]).to.deep.equal([new URL(app.baseUrl).host]);
    expect(complaints).to.deep.equal([]);
  });
});
