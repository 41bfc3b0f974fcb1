import { expect } from 'chai';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { browserPath } from './browser.js';
import type { Scene } from './scene.js';
import { needs } from './environment.js';

/** A browser on the console, which keeps what it complains of and whom it asks. */
export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings of the browser, violations of the policy among them. */
  readonly complaints: string[];
  /** Hosts that were asked for anything. */
  readonly hosts: ReadonlySet<string>;
  /** Opens a page of the console by its address and signs in there. */
  open(path: string, client?: Scene['client']): Promise<void>;
  /** Goes to a page within the console; loading one anew forgets who is signed in. */
  go(path: string): Promise<void>;
  close(): Promise<void>;
}

let browser: Browser | undefined;

/** @param viewport of the page; wide enough for everything by default */
export async function openConsole(
  baseUrl: string,
  { client }: Pick<Scene, 'client'>,
  viewport = { width: 1280, height: 900 },
): Promise<ConsolePage> {
  if (browserPath === undefined) throw new Error('There is no browser on this machine.');
  browser ??= await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC' });
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`))",
  );
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:') hosts.add(host);
  });
  return {
    page,
    context,
    complaints,
    hosts,
    async open(path, who = client) {
      await page.goto(`${baseUrl}/console${path}`);
      await signIn(page, who);
    },
    async go(path) {
      await page.evaluate(
        `history.pushState(null, '', '/console${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    },
    close: () => context.close(),
  };
}

/** To be called when a file has no more pages to look at. */
export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

/**
 * What tests at the console begin and end with: a server, and what `prepare` makes there; in the end neither it nor the
 * browser. Where this machine has no browser they are skipped.
 */
export function atConsole<Server extends { stop(): Promise<unknown> }>(
  boot: () => Promise<Server>,
  prepare: (server: Server) => Promise<void>,
): void {
  let server: Server | undefined;
  before(async function () {
    needs(this, 'Chromium', browserPath !== undefined);
    server = await boot();
    await prepare(server);
  });
  after(async () => {
    await closeBrowser();
    await server?.stop();
  });
}

export async function signIn(page: Page, { id, secret }: Scene['client']): Promise<void> {
  await page.getByRole('textbox', { name: 'Client id' }).fill(id);
  await page.getByRole('textbox', { name: 'Client secret' }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Decisions', exact: true }).waitFor();
}

/** Nothing lies beside the screen, but in boxes that scroll. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const [content = 0, window = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(content, `${what}: width of the content`).to.be.at.most(window);
}
