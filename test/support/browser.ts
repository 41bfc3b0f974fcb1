import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { projectRoot } from '../../db/root.js';
import { isLong, needs } from './environment.js';
import { isSharing, share } from './shared.js';

/**
 * Where Debian, Ubuntu and others put a browser; undefined where there is none. The one without windows is asked for first: a
 * context of its own takes it a third of the processor time, and a page that is loaded two thirds.
 */
const browserPath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find(isExecutable);

/** A page, and what its browser complained of. */
export interface View {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings: the file fails of those that a test did not take out. */
  readonly complaints: string[];
}

/** A hang, however busy the machine is. */
const withinMs = 120_000;

/** One for all files of a process; each view has a context of its own. */
const launch = (): Promise<Browser> => chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
const shared = share(launch, async (browser) => {
  kept = undefined;
  await browser.close();
});
/** What the tests of a file have opened. */
const views = new Set<View>();
/** Hosts beside this machine that their pages asked for anything. */
const strangers = new Set<string>();
/** Of a process whose files share nothing. */
let own: Promise<Browser> | undefined;

/**
 * Has the tests of a `describe` skipped where there is no browser, and ends what `openView` started for them. No page may have
 * complained or asked another host.
 */
export function useBrowser(): void {
  if (isSharing && browserPath !== undefined) shared.want();
  before(function () {
    needs(this, 'Chromium', browserPath !== undefined);
  });
  after(async () => {
    const said = [...views].flatMap(({ complaints }) => complaints);
    const asked = [...strangers];
    await Promise.all([...views].map(leave));
    views.clear();
    strangers.clear();
    const begun = await own;
    own = undefined;
    await begun?.close();
    expect(said, 'what the browser complained of').to.deep.equal([]);
    expect(asked, 'other hosts that were asked').to.deep.equal([]);
  });
}

/** Of a file before: what its pages have loaded is not loaded and compiled again. */
let kept: BrowserContext | undefined;

/** Ends it, or leaves its context to the next file, where nothing of this one is in it. */
async function leave({ page, context }: View): Promise<void> {
  if (!isSharing || kept !== undefined || page.isClosed() || !page.url().startsWith('http')) return context.close();
  kept = context;
  context.once('close', () => {
    if (kept === context) kept = undefined;
  });
  const { origin } = new URL(page.url());
  await Promise.all(context.pages().map((each) => (each === page ? page.goto('about:blank') : each.close())));
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
  await page.close();
}

/** Opens a page of its own, in a browser that all share. */
export async function openView(viewport: { width: number; height: number }): Promise<View> {
  if (browserPath === undefined) throw new Error('There is no browser on this machine.');
  const browser = await (isSharing ? shared.get() : (own ??= launch()));
  const context = kept ?? (await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC' }));
  kept = undefined;
  context.setDefaultTimeout(withinMs);
  const page = await context.newPage();
  await page.setViewportSize(viewport);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && !['127.0.0.1', 'localhost'].includes(hostname))
      strangers.add(hostname);
  });
  const view = { page, context, complaints };
  views.add(view);
  return view;
}

/** Takes out what the browser itself says of answers of that status, which were to come; it said nothing else. */
export function expectRefusals({ complaints }: Pick<View, 'complaints'>, status: number): void {
  expect(complaints.splice(0).filter((text) => !text.includes(`status of ${status}`))).to.deep.equal([]);
}

/** A file for a picture of a page, for people to look at. */
export function shotPath(name: string): string {
  const folder = join(projectRoot, '.test', 'shots');
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}

/** A picture for people to look at, which only the long form takes. */
export async function shoot(page: Page, name: string, fullPage = false): Promise<void> {
  if (isLong) await page.screenshot({ path: shotPath(name), fullPage });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
