import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { projectRoot } from '../../db/root.js';
import { isLong, needs } from './environment.js';
import { isSharing, share } from './shared.js';

/** Where Debian, Ubuntu and others put a browser; undefined where there is none. */
const browserPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(isExecutable);

/** A page, what its browser complained of, and whom it asked. */
export interface View {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors and warnings. */
  readonly complaints: string[];
  /** Hosts that were asked for anything. */
  readonly hosts: ReadonlySet<string>;
}

/** A hang, however busy the machine is. */
const withinMs = 120_000;

/** One for all files of a process; each view has a context of its own. */
const launch = (): Promise<Browser> => chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
const shared = share(launch, (browser) => browser.close());
/** What the tests of a file have opened. */
const views = new Set<BrowserContext>();
/** Of a process whose files share nothing. */
let own: Promise<Browser> | undefined;

/** Has the tests of a `describe` skipped where there is no browser, and ends what `openView` started for them. */
export function useBrowser(): void {
  if (isSharing && browserPath !== undefined) shared.want();
  before(function () {
    needs(this, 'Chromium', browserPath !== undefined);
  });
  after(async () => {
    await Promise.all([...views].map((context) => context.close()));
    views.clear();
    const begun = await own;
    own = undefined;
    await begun?.close();
  });
}

/** Opens a page of its own, in a browser that all share. */
export async function openView(viewport: { width: number; height: number }): Promise<View> {
  if (browserPath === undefined) throw new Error('There is no browser on this machine.');
  const browser = await (isSharing ? shared.get() : (own ??= launch()));
  const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId: 'UTC' });
  context.setDefaultTimeout(withinMs);
  views.add(context);
  const page = await context.newPage();
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
  return { page, context, complaints, hosts };
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
