import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectNoSideways } from './consolePage.js';
import { isLong } from './environment.js';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Nothing is told but what is wrong, and no sheets are asked for again. */
const all = 'resultTypes: ["violations"], preload: false';
/** What differs between light and dark. */
const colours = `${all}, runOnly: ["color-contrast"]`;

/**
 * Whoever is before a dialog can reach nothing behind it, which in the short form is looked at without one. Of a table's rows the
 * short form looks at ten: those below are drawn by the same code.
 */
const shown = isLong
  ? 'document'
  : "{ include: [document.querySelector('dialog:modal') ?? document], exclude: ['tr:nth-child(n + 11)'] }";

const maxTries = 5;
const pauseMs = 200;

const widths = [1280, 320, 1920] as const;
const heightOf = (width: number): number => (width === 320 ? 640 : 900);

/** What is looked at: in the short form a usual screen in light colours, and whether anything lies beside a narrow one. */
const looks = isLong
  ? ([
      ['dark', colours, widths],
      ['light', all, [...widths].reverse()],
    ] as const)
  : ([['light', all, [1280]]] as const);

/** Contrast is half of a look. The short form leaves it out in a third of the places, always the same: all have one sheet. */
const plain = `${all}, rules: { "color-contrast": { enabled: false } }`;
const isPlain = (what: string): boolean => !isLong && Buffer.from(what).reduce((sum, byte) => sum + byte, 0) % 2 === 0;

/**
 * axe-core finds nothing, in light and in dark, on screens of 320, 1280 and 1920 px, and nothing lies beside any of them.
 * The page is loaded once: it is shown in another size and in other colours.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  // Half a second of the processor each time: once for each document.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source);
  for (const [colorScheme, options, inTurn] of looks) {
    await page.emulateMedia({ colorScheme });
    for (const width of inTurn) {
      await page.setViewportSize({ width, height: heightOf(width) });
      const looked = isPlain(what) ? plain : options;
      let found = await violationsOf(page, looked);
      // What turns dark or light takes some frames to do so.
      for (let tries = 1; tries < maxTries && found.length > 0; tries++) {
        await page.waitForTimeout(pauseMs);
        found = await violationsOf(page, looked);
      }
      expect(found, `${what}, ${colorScheme}, ${width} px`).to.deep.equal([]);
      if (colorScheme === 'light') await expectNoSideways(page, `${what}, ${width} px`);
    }
  }
  if (!isLong) {
    await page.setViewportSize({ width: 320, height: heightOf(320) });
    await expectNoSideways(page, `${what}, 320 px`);
  }
  if (before !== null) await page.setViewportSize(before);
}

async function violationsOf(page: Page, options: string): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${shown}, { ${options} })`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
