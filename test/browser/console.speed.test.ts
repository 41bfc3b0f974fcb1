import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { useConsole, openConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { ask, protect } from '../support/changes.js';
import { buildConsoleScene, chainOf, tableOf } from '../support/consoleScene.js';
import { isLong } from '../support/environment.js';
import type { Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

/** How often the browser laid the page out. */
const layouts = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? NaN;
};

describe('the console’s size and speed', () => {
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  useConsole((at) => {
    ({ app, scene, view, page } = at);
  });

  it('draws its first page from the document, one sheet and at most six scripts, in 25 KiB', async () => {
    const fresh = await openConsole(app.baseUrl, scene);
    await fresh.page.goto(`${app.baseUrl}/console`);
    await fresh.page.getByRole('button', { name: 'Sign in' }).waitFor();
    const loaded = await fresh.page.evaluate<{ name: string; transferSize: number }[]>(
      'JSON.parse(JSON.stringify(performance.getEntries().filter(({ entryType }) => ["navigation", "resource"].includes(entryType))))',
    );
    await fresh.close();
    const kinds = loaded.map(({ name }) => /\.(css|js)$|(session)$/.exec(name)?.slice(1).join('') ?? 'document');
    expect(kinds.filter((kind) => kind !== 'js')).to.have.members(['document', 'css', 'session']);
    expect(kinds.filter((kind) => kind === 'js').length).to.be.within(1, 6);
    expect(loaded.reduce((sum, { transferSize }) => sum + transferSize, 0)).to.be.at.most(25 * 1024);
  });

  it('has at most 60 KiB of script on any everyday page, compressed, graphs that are laid out and plots among them', async () => {
    const sizes = new Map<string, number>();
    const encodings = new Set<string | undefined>();
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return;
      encodings.add(response.headers()['content-encoding']);
      sizes.set(response.url(), Number(response.headers()['content-length']));
    });
    const made = await buildConsoleScene(app);
    const { caller } = made.scene;
    const guarded = await made.scene.environment();
    await made.scene.deploy(made.decisionId, guarded, 1);
    await protect(caller, guarded);
    const request = await ask(caller, guarded, [{ type: 'deploy', decisionId: made.decisionId, version: 2 }]);
    const { decisionId } = made;
    const node = page.getByRole('button', { name: 'Ratios' }).first();
    const heading = page.getByRole('heading', { level: 1 });
    // Who is signed in has loaded the form before.
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    const form = [...sizes];
    await view.open('/decisions', made.scene.client);
    const pages: readonly (readonly [path: string, isDrawn: Locator])[] = [
      ['/decisions', heading],
      [`/decisions/${decisionId}`, node],
      [`/decisions/${decisionId}/compare?from=1&to=2`, node],
      [`/decisions/${decisionId}?tab=tests`, heading],
      [`/decisions/${decisionId}?tab=analysis`, heading],
      [`/decisions/${decisionId}/outcomes`, heading],
      [`/decisions/${decisionId}?tab=changes`, heading],
      ['/audit', heading],
      ['/deployments', heading],
      ['/requests', heading],
      ['/requests?new=yes', page.getByRole('dialog')],
      ['/access', heading],
      [`/requests/${request.id}`, node],
      [`/environments/${guarded}`, heading],
      [`/executions/${made.executionId}`, page.getByRole('button', { name: 'Explain' })],
      [`/replays/${made.replayId}`, heading],
      ['/executions', heading],
      ['/replays', heading],
      ['/pool', page.getByRole('figure').first()],
    ];
    // In the short form the pages of one thing, which have what lists have and more.
    for (const [path, isDrawn] of pages.filter(([path]) => isLong || /\/[0-9a-f]{8}-/.test(path) || path === '/pool')) {
      sizes.clear();
      await page.goto(`${app.baseUrl}/console${path}`);
      await isDrawn.waitFor();
      if (path.startsWith('/executions/')) {
        await isDrawn.click();
        await node.waitFor();
      }
      await page.waitForLoadState('networkidle');
      expect(sizes.size, path).to.be.at.least(1);
      expect(
        [...new Map([...form, ...sizes]).values()].reduce((sum, size) => sum + size, 0),
        path,
      ).to.be.at.most(60 * 1024);
    }
    expect([...encodings]).to.deep.equal(['br']);
  });

  it('draws a model of 150 nodes, laid out by itself, with eight elements a node, few requests and few layouts', async () => {
    const decisionId = await scene.decision('large.json', chainOf(150));
    await view.open('/decisions');
    await page.getByRole('link', { name: 'large' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    const before = await layouts(page);
    await page.getByRole('link', { name: 'large' }).click();
    await page.getByRole('button', { name: 'Step 147' }).waitFor();
    expect((await layouts(page)) - before).to.be.below(30);
    // The decision, its versions, the working copy, its schema, what it ran on before, its faults.
    await page.waitForLoadState('networkidle');
    const isScript = (line: string): boolean => line.endsWith('.js');
    expect(asked.filter((line) => !isScript(line)).length, asked.join('\n')).to.be.at.most(6);
    // Those of the page, and what lays out.
    expect(asked.filter(isScript).length, asked.join('\n')).to.be.at.most(12);
    expect(new URL(page.url()).pathname).to.equal(`/console/decisions/${decisionId}`);
    await soon(async () => expect(await page.locator('[data-node]').count()).to.equal(150));
    const drawn = await page.locator('.graph svg *').count();
    expect(drawn).to.be.at.most(150 * 8 + 149 + 1);
  });

  it('scrolls a table of 3,000 rows, of which only those in sight are in the page, and shows the matched one', async () => {
    const decisionId = await scene.decision('fees.json', tableOf(3000));
    await view.open(`/decisions/${decisionId}?node=fees`);
    const rows = page.getByRole('region', { name: 'Node' }).getByRole('row');
    await rows.first().waitFor();
    const drawn = await rows.count();
    expect(drawn).to.be.below(120);
    await writeFact(page, '{"code": 2500}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const matched = page.getByRole('region', { name: 'Node' }).locator('[aria-current="true"]');
    await matched.waitFor();
    await soon(async () =>
      expect((await matched.innerText()).split(/\s+/)).to.include.members(['2501', '2500', '5000']),
    );
    await soon(async () => expect(await matched.isVisible()).to.equal(true));
  });

  it('is there from the cache when it is opened again: only the document is asked for anew', async () => {
    await view.context.clearCookies();
    await page.goto(`${app.baseUrl}/console`);
    await page.goto(`${app.baseUrl}/console/pool`);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const sizes = await page.evaluate<number[]>(
      'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/files/")).map((entry) => entry.transferSize)',
    );
    expect(sizes.length).to.be.at.least(2);
    expect(sizes.filter((size) => size > 0)).to.deep.equal([]);
  });
});
