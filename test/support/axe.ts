import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectNoSideways } from './consolePage.js';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What differs between light and dark. */
const colours = '{ runOnly: ["color-contrast"] }';

const maxTries = 5;
const pauseMs = 200;

/** axe-core finds nothing, in light and in dark, and nothing lies beside a screen of 320 px. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  for (const [colorScheme, options] of [
    ['dark', colours],
    ['light', '{}'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(source);
    let found = await violationsOf(page, options);
    // What turns dark or light takes some frames to do so.
    for (let tries = 1; tries < maxTries && found.length > 0; tries++) {
      await page.waitForTimeout(pauseMs);
      found = await violationsOf(page, options);
    }
    expect(found, `${what}, ${colorScheme}`).to.deep.equal([]);
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSideways(page, what);
  if (before !== null) await page.setViewportSize(before);
}

async function violationsOf(page: Page, options: string): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
