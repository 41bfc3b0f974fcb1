import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { useApp, type TestApp } from './app.js';
import { openView, useBrowser, type View } from './browser.js';
import { buildScene, type Scene } from './scene.js';
import { tokenOf } from './tokens.js';

/** A browser on the console, which keeps what it complains of and whom it asks. */
export interface ConsolePage extends View {
  /** Opens a page of the console by its address, signed in. */
  open(path: string, client?: Scene['client']): Promise<void>;
  /** Goes to a page within the console, as a link does. */
  show(path: string): Promise<void>;
  /** The same, until all of it is there. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Contexts whose pages say what their policy kept from them. */
const watched = new WeakSet<BrowserContext>();

/** @param viewport of the page; wide enough for everything by default */
export async function openConsole(
  baseUrl: string,
  { client }: Pick<Scene, 'client'>,
  viewport = { width: 1280, height: 900 },
): Promise<ConsolePage> {
  const view = await openView(viewport);
  const { page, context } = view;
  if (!watched.has(context)) {
    watched.add(context);
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))",
    );
  }
  const show = async (path: string): Promise<void> => {
    await page.evaluate(`history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
  };
  return {
    ...view,
    async open(path, who = client) {
      // Another session would go on.
      await context.clearCookies();
      const value = await tokenOf(baseUrl, who);
      // Where the browser keeps it for a reload: the form is drawn and filled in where it is what is looked at.
      const cookie = { name: 'verdict-console', value, httpOnly: true, sameSite: 'Strict' } as const;
      await context.addCookies([{ ...cookie, url: `${baseUrl}/console/session` }]);
      await page.goto(`${baseUrl}/console${path}`);
      await page.getByRole('link', { name: 'Decisions', exact: true }).waitFor();
    },
    show,
    async go(path) {
      await show(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    },
    close: () => context.close(),
  };
}

/**
 * What tests at the console begin with: the server that files share, and what `prepare` makes there. Where this machine has
 * no browser they are skipped.
 */
export function atConsole(prepare: (app: TestApp) => Promise<void>): void {
  useBrowser();
  const app = useApp();
  before(() => prepare(app));
}

/** What `useConsole` has prepared. */
interface At {
  readonly app: TestApp;
  readonly scene: Scene;
  readonly view: ConsolePage;
  readonly page: Page;
}

type Named = (name: string) => Locator;

/** The same with a workspace and a page of their own; gives what people find on that page by its name. */
export function useConsole(
  prepare: (at: At) => Promise<void> | void,
): Record<'button' | 'link' | 'region' | 'textbox', Named> {
  let page: Page | undefined;
  atConsole(async (app) => {
    const scene = await buildScene(app);
    const view = await openConsole(app.baseUrl, scene);
    ({ page } = view);
    await prepare({ app, scene, view, page });
  });
  const named =
    (role: 'button' | 'link' | 'region' | 'textbox'): Named =>
    (name) => {
      if (page === undefined) throw new Error('there is no page before the first test');
      return page.getByRole(role, { name, exact: true });
    };
  return { button: named('button'), link: named('link'), region: named('region'), textbox: named('textbox') };
}

/** The same with a server that is started for these tests alone. */
export function atOwnConsole<Server extends { stop(): Promise<unknown> }>(
  boot: () => Promise<Server>,
  prepare: (server: Server) => Promise<void>,
): void {
  let server: Server | undefined;
  useBrowser();
  before(async () => {
    server = await boot();
    await prepare(server);
  });
  after(() => server?.stop());
}

/** What the scripts that a page loads from now on have by gzip, in bytes. */
export function sizeOfScripts(page: Page): () => Promise<number> {
  const scripts = new Set<string>();
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.add(response.url());
  });
  return async () => {
    const sizes = [...scripts].map(async (script) => {
      const { headers } = await fetch(script, { headers: { 'Accept-Encoding': 'gzip' } });
      expect(headers.get('Content-Encoding')).to.equal('gzip');
      return Number(headers.get('Content-Length'));
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
}

/** Writes a fact as JSON, which is behind a switch where there is a form. */
export async function writeFact(page: Page, text: string): Promise<void> {
  const json = page.getByRole('switch', { name: 'JSON', exact: true });
  const box = page.getByRole('textbox', { name: 'Fact', exact: true });
  await box.or(json).first().waitFor();
  const isForm = (await json.count()) > 0;
  if (isForm) await json.check();
  await box.fill(text);
  // Other facts are forms again.
  if (isForm) await json.uncheck();
}

/** What lies beside the screen, and in no box that scrolls or cuts. */
const besideScreen = `(() => {
  const width = document.documentElement.clientWidth;
  const isKept = (one) => {
    for (let box = one.parentElement; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible') return true;
    return false;
  };
  return [...document.querySelectorAll('body *')]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > width + 1 && !isKept(one))
    .map((one) => one.tagName + ' ' + one.getAttribute('class') + ' ' + one.textContent.slice(0, 30))
    .slice(0, 8);
})()`;

/** Nothing lies beside the screen, but in boxes that scroll. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const [content = 0, window = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  const beside = content <= window ? [] : await page.evaluate<string[]>(besideScreen);
  expect(content, `${what}: width of the content, beside it: ${beside.join('; ')}`).to.be.at.most(window);
}
