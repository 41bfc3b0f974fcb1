import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.js';
import { type Hand, handOf } from './hands.js';
import type { Scene } from './scene.js';

/** JSON, as nobody but a programmer reads it. */
const json = /\{\s*"|"\s*:\s*["{[\d]/;

/** The texts of the page; what stands behind a switch that nobody turned is not seen. */
const shownText = `(() => {
  const main = document.querySelector('main').cloneNode(true);
  for (const one of main.querySelectorAll('details:not([open]) > :not(summary)')) one.remove();
  return main.textContent;
})()`;

/** What a walk through the console does again and again. */
export class Walker {
  protected readonly scene: Scene;
  protected readonly page: Page;
  protected readonly hand: Hand;

  constructor(scene: Scene, page: Page) {
    this.scene = scene;
    this.page = page;
    this.hand = handOf(page);
  }

  protected readonly button = (name: string | RegExp, within: Page | Locator = this.page): Locator =>
    within.getByRole('button', { name, exact: true });
  protected readonly link = (name: string): Locator => this.page.getByRole('link', { name, exact: true });
  protected readonly region = (name: string): Locator => this.page.getByRole('region', { name, exact: true });
  protected readonly dialog = (name: string | RegExp): Locator => this.page.getByRole('dialog', { name });
  protected readonly cell = (row: number, column: number): Locator =>
    this.page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  protected readonly section = (name: string): Locator =>
    this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });

  protected async seen(): Promise<void> {
    const text = await this.page.evaluate<string>(shownText);
    expect(text, 'JSON is nothing for an analyst').not.to.match(json);
  }

  /** Waits until nothing is wrong. A check that a busy machine cut off is asked for again. */
  protected async noFaults(): Promise<void> {
    const faults = this.region('Faults');
    await eventually(async () => {
      const again = faults.getByRole('button', { name: 'Check again' });
      if ((await again.count()) > 0) await this.hand.press(again);
      return (await faults.getByText('No faults.').count()) > 0;
    });
  }

  protected async write(cells: readonly (readonly [string, number, number])[]): Promise<void> {
    for (const [text, row, column] of cells) {
      await this.hand.cell(row, column);
      await this.page.keyboard.type(text);
      await this.page.keyboard.press('Enter');
    }
  }

  protected async openTable(): Promise<void> {
    await this.hand.press(this.page.locator('.node', { hasText: 'Table' }).locator('[data-node]'));
    await this.page.getByRole('grid').waitFor();
  }

  protected readonly reads = (row: number, column: number, text: string): Promise<unknown> =>
    eventually(async () => (await this.cell(row, column).innerText()).trim() === text);
}
