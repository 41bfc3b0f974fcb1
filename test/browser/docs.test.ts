import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { guides } from '../../src/api/docs/guides.js';
import { useApp } from '../support/app.js';
import { openView, shoot, useBrowser } from '../support/browser.js';
import { isLong } from '../support/environment.js';
import { doubling } from '../support/models.js';
import { useScene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

describe('GET /docs in a browser', () => {
  const app = useApp();
  const scene = useScene(app);
  useBrowser();
  let page: Page;
  before(async () => {
    ({ page } = await openView({ width: 1280, height: 1000 }));
  });

  const operation = (id: string): Locator => page.locator(`#operations-Runs-${id}`);
  /** The viewer draws what comes into sight, and stands below a long list of guides. */
  const drawn = async (): Promise<void> => {
    while (!(await operation('execute').isVisible())) {
      await page.evaluate('scrollBy(0, 300)');
      await page.waitForTimeout(50);
    }
  };

  it('shows every operation', async () => {
    await page.goto(`${app.baseUrl}/docs/reference`);
    await drawn();
    await soon(async () => expect(await page.locator('.opblock').count()).to.be.at.least(18));
    await shoot(page, 'docs-reference.png');
  });

  // The page that is drawn by now, since Swagger UI takes seconds for all operations, and before an answer stands in it.
  it('is readable on a screen 320 px wide, light and dark: the reference', () =>
    // Light are the guides, too.
    requireReadable('docs/reference', isLong ? undefined : ['dark']));

  it('gets a token by the client’s id and secret', async () => {
    await page.locator('.btn.authorize').first().click();
    await page.locator('.auth-container').first().waitFor();
    const form = page.locator('.auth-container', { hasText: 'clientCredentials' }).first();
    await form.locator('[data-name="clientId"]').fill(scene.client.id);
    await form.locator('[data-name="clientSecret"]').fill(scene.client.secret);
    await form.getByText('select all', { exact: true }).click();
    await form.locator('button.authorize').click();
    await form.getByText('Logout', { exact: true }).waitFor();
    await shoot(page, 'docs-authorized.png');
    await page.locator('.btn-done').first().click();
  });

  it('executes a decision and shows the result, the workspace being that of the token', async () => {
    const { decisionId, environmentId } = await scene.deployed('double.json', doubling(2));

    const execute = operation('execute');
    await execute.locator('.opblock-summary').click();
    const fill = (name: string, value: string): Promise<void> =>
      execute.locator(`tr[data-param-name="${name}"] input`).fill(value);
    await fill('environmentId', environmentId);
    await fill('decisionId', decisionId);
    await soon(async () =>
      expect(await execute.locator('tr[data-param-name="X-Workspace-Id"] input').inputValue()).to.equal(
        scene.workspaceId,
      ),
    );
    await execute.locator('textarea.body-param__text').fill('{"fact": {"x": 21}}');
    // By the keyboard: the viewer still draws what is near, and a click waits until the button stands still.
    await execute.locator('button.execute').press('Enter');
    const answer = execute.locator('.live-responses-table');
    await answer.getByText('201', { exact: true }).first().waitFor();
    await soon(async () =>
      expect(await answer.innerText())
        .to.match(/"y": 42/)
        .and.to.contain('COMPLETED'),
    );
    await answer.scrollIntoViewIfNeeded();
    await shoot(page, 'docs-executed.png');
  });

  /** Of the page that is shown. @param path of it, without the first slash @param schemes of colours */
  async function requireReadable(
    path: string,
    schemes: readonly ('light' | 'dark')[] = ['light', 'dark'],
  ): Promise<void> {
    const before = page.viewportSize()!;
    await page.setViewportSize({ width: 320, height: 640 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `${path.replace('/', '-')}-320-${colorScheme}.png`, path !== 'docs/reference');
      const [content, window] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect(content, `${path}: nothing to scroll sideways`).to.be.at.most(window);
      expect(await contrast(page, 'main p'), `${path}, ${colorScheme}: contrast of text`).to.be.at.least(7);
    }
    await page.setViewportSize(before);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('leads from the index to every guide', async () => {
    await page.goto(`${app.baseUrl}/docs`);
    await requireReadable('docs');
    const links = page.locator('.guides a[href^="docs/"]');
    const targets = await links.evaluateAll((all) =>
      all.map((link) => [(link as { textContent: string }).textContent, String(link)]),
    );
    expect(targets).to.have.deep.members(guides.map(({ name, title }) => [title, `${app.baseUrl}/docs/${name}`]));
    await shoot(page, 'docs.png', true);
    await page.getByRole('link', { name: 'Start', exact: true }).first().click();
    await page.waitForURL(`${app.baseUrl}/docs/start`);
  });

  it('shows a sample in the language that was chosen last, on each page, and copies it', async () => {
    const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
    await page.goto(`${app.baseUrl}/docs/start`);
    await soon(async () =>
      expect(await page.locator('pre.sample').first().innerText()).to.include(`export VERDICT_URL=${app.baseUrl}\n`),
    );
    await soon(async () => expect(await tab('curl').first().getAttribute('aria-selected')).to.equal('true'));
    await tab('curl').first().press('ArrowRight');
    await soon(async () => expect(await tab('TypeScript').first().getAttribute('aria-selected')).to.equal('true'));
    await tab('Python').nth(1).click();
    await soon(async () =>
      expect(await page.getByRole('tabpanel').filter({ visible: true }).allInnerTexts()).to.satisfy((texts: string[]) =>
        texts.every((text) => !text.includes('curl ')),
      ),
    );
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy' }).filter({ visible: true }).nth(1).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await soon(async () => expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/^import base64/));
    await page.goto(`${app.baseUrl}/docs/callers`);
    await soon(async () => expect(await tab('Python').first().getAttribute('aria-selected')).to.equal('true'));
  });

  it('finds a heading, a word of a text and an operation, by the keyboard alone', async () => {
    await page.goto(`${app.baseUrl}/docs/start`);
    await page.keyboard.press('/');
    for (const [query, title] of [
      ['rules for repeating', 'Errors: Rules for repeating'],
      ['createDeployment', 'API: '],
    ] as const) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(query);
      await page.locator('.found a', { hasText: title }).first().waitFor();
    }
    await page.keyboard.press('Control+a');
    await page.keyboard.type('rules for repeating');
    await page.locator('.found a', { hasText: 'Rules for repeating' }).first().waitFor();
    await shoot(page, 'docs-search.png');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.baseUrl}/docs/errors#rules-for-repeating`);
  });

  it('leads from every guide, each readable on a screen 320 px wide, light and dark, to others and to error codes', async () => {
    /** By address; all guides lead to each other. */
    const texts = new Map<string, string>();
    const textOf = async (address: string, from: string): Promise<string> => {
      const known = texts.get(address);
      if (known !== undefined) return known;
      const answer = await page.request.get(address);
      expect(answer.status(), `${from}: ${address}`).to.equal(200);
      const text = await answer.text();
      texts.set(address, text);
      return text;
    };
    for (const [at, { name }] of guides.entries()) {
      const address = `${app.baseUrl}/docs/${name}`;
      const html = await textOf(address, name);
      const targets = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) =>
        String(new URL(href, address)),
      );
      const own = targets.filter((target) => target.startsWith(app.baseUrl));
      expect(own.length, name).to.be.greaterThan(guides.length);
      for (const target of new Set(own)) {
        const [page = '', anchor] = target.split('#');
        const text = await textOf(page, name);
        if (anchor !== undefined) expect(text, `${name}: ${target}`).to.include(`id="${anchor}"`);
      }
      // The short form draws every fifth one. All have the same sheets, so that the first says for the others what is dark.
      if (!isLong && at % 5 !== 0) continue;
      await page.goto(address);
      await page.locator('h1').waitFor();
      // Samples, of each language, name the service that shows them, to be pasted as they stand.
      await soon(async () => expect(await page.locator('main').textContent(), name).to.not.include('verdict.example'));
      await requireReadable(`docs/${name}`, isLong || at === 0 ? undefined : ['light']);
    }
    await page.goto(`${app.baseUrl}/docs/callers`);
    await page.locator('main article').getByRole('link', { name: 'errors' }).click();
    await page.getByRole('heading', { name: 'Every code' }).waitFor();
    await page.getByRole('link', { name: 'overloaded' }).click();
    await page.waitForURL(`${app.baseUrl}/problems/overloaded`);
  });
});

/** The contrast (WCAG 2) of the text of the first such element with the page. */
async function contrast(page: Page, selector: string): Promise<number> {
  const colours = await page.evaluate<string[]>(
    `[getComputedStyle(document.querySelector('${selector}')).color, getComputedStyle(document.body).backgroundColor]`,
  );
  const [low = 0, high = 0] = colours.map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/g)].map(([text]) => {
    const part = Number(text) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
