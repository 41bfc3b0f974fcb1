import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { chainOf } from '../support/consoleScene.js';
import { loan } from '../support/loan.js';
import { buildScene, type Scene } from '../support/scene.js';

// How soon the console's pages are drawn, beside a page with an empty body, on a machine that does nothing else. It is no
// test: `node dist/test/support/run.js -- test/browser/paint.ts`.

const rounds = 7;

describe('first paint', () => {
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  atConsole(async (booted) => {
    app = booted;
    scene = await buildScene(app);
    view = await openConsole(app.baseUrl, scene);
    page = view.page;
    await page.route('**/console/empty', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><body>.' }),
    );
  });

  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
  const say = (what: string, values: readonly number[]): void =>
    void process.stdout.write(
      `${what}: ${median(values).toFixed(0)} ms (${values.map((v) => v.toFixed(0)).join(' ')})\n`,
    );

  const firstPaint = (): Promise<number> =>
    page.evaluate(`new Promise((resolve) => new PerformanceObserver((list, observer) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime);
    }).observe({ type: 'paint', buffered: true }))`);

  /** From the click on the link until the frame after what is waited for is there. */
  const drawn = async (link: string, selector: string): Promise<number> => {
    await view.go('/decisions');
    await page.getByRole('link', { name: link }).waitFor();
    return page.evaluate<number>(`new Promise((resolve) => {
      const begun = performance.now();
      const look = () => document.querySelector(${JSON.stringify(selector)}) === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => resolve(performance.now() - begun));
      [...document.querySelectorAll('a')].find((each) => each.textContent === ${JSON.stringify(link)}).click();
      look();
    })`);
  };

  it('is measured', async () => {
    const decisionId = await scene.decision('loan.json', loan(5.4));
    await scene.decision('chain.json', chainOf(150));
    const times = new Map<string, number[]>();
    const add = (what: string, value: number): void => void times.set(what, [...(times.get(what) ?? []), value]);
    for (let round = 0; round < rounds; round++) {
      await page.context().clearCookies();
      for (const path of ['empty', '', `decisions/${decisionId}`]) {
        await page.goto(`${app.baseUrl}/console/${path}`.replace(/\/$/, ''));
        add(
          path === 'empty' ? 'a page with an empty body' : path === '' ? '/console' : 'a decision',
          await firstPaint(),
        );
      }
      await view.open(`/decisions/${decisionId}`);
      await page.locator('[data-node]').first().waitFor();
      add('a decision of 7 nodes, from the click', await drawn('loan', '[data-node]'));
      add('a decision of 150 nodes, from the click', await drawn('chain', '[data-node="n147"]'));
    }
    for (const [what, values] of times) say(what, values);
  });
});
