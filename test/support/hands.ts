import type { Locator, Page } from 'playwright-core';
import { keyboardOf } from './keyboard.js';

/** A file of a person's own. */
export interface BroughtFile {
  readonly name: string;
  readonly text: string;
}

/** Drops the file on the page. */
export async function drop(page: Page, { name, text }: BroughtFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/csv' })); return data; })()`,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}

export type Hand = ReturnType<typeof handOf>;

/** How a person acts without a mouse. */
export function handOf(page: Page) {
  const keyboard = keyboardOf(page);
  /** Forwards or backwards, whichever leads there: a list of tests has many stops. */
  const reach = async (target: Locator): Promise<void> => {
    await target.first().waitFor();
    const element = await target.first().elementHandle();
    const list = await element.evaluate(listOf);
    if (list !== null) return along(page.getByRole('group', { name: list, exact: true }), target.first());
    const isBehind = await element.evaluate(isBeforeFocus);
    await keyboard.tabTo(target, isBehind ? 'Shift+Tab' : 'Tab');
  };
  /** A list is one stop; arrow keys lead to its rows, and along them. */
  const along = async (box: Locator, target: Locator): Promise<void> => {
    if (!(await keyboard.isOn(box))) await reach(box);
    const row = target.locator('xpath=ancestor::tr');
    if (!(await keyboard.isOn(row))) await keyboard.press('ArrowDown');
    while (!(await keyboard.isOn(row)))
      await keyboard.press((await row.evaluate(isBeforeFocus)) ? 'ArrowUp' : 'ArrowDown');
    while (!(await keyboard.isOn(target)))
      await keyboard.press((await target.evaluate(isBeforeFocus)) ? 'ArrowLeft' : 'ArrowRight');
  };
  return {
    async press(target: Locator): Promise<void> {
      await reach(target);
      await keyboard.press('Enter');
    },
    async fill(target: Locator, text: string): Promise<void> {
      await reach(target);
      await keyboard.replace(text);
    },
    async check(target: Locator): Promise<void> {
      await reach(target);
      await keyboard.press('Space');
    },
    async choose(target: Locator, option: string): Promise<void> {
      await reach(target);
      // A list that is still being read has no options yet.
      await target.locator('option', { hasText: option }).first().waitFor({ state: 'attached' });
      await keyboard.type(option);
    },
    /** Shows a tab of the panel. */
    async tab(name: string): Promise<void> {
      const panel = page.getByRole('complementary', { name: 'Run' });
      await reach(panel.getByRole('tab', { selected: true }));
      const wanted = panel.getByRole('tab', { name, exact: true });
      while (!(await keyboard.isOn(wanted))) await keyboard.press('ArrowRight');
    },
    /** Gives the page the file, by choosing it. */
    async bring(file: BroughtFile): Promise<void> {
      await reach(page.getByRole('button', { name: 'New decision' }));
      await keyboard.press('Enter');
      const chooser = page.waitForEvent('filechooser');
      await reach(page.locator('dialog input[type=file]'));
      await keyboard.press('Enter');
      await (await chooser).setFiles({ name: file.name, mimeType: 'text/csv', buffer: Buffer.from(file.text) });
    },
    /** Goes to a cell of the table. */
    async cell(row: number, column: number): Promise<void> {
      const grid = page.getByRole('grid');
      const isIn = await keyboard.isOn(grid);
      if (!isIn) await reach(grid);
      await keyboard.press(
        'Control+Home',
        ...Array<string>(row).fill('ArrowDown'),
        ...Array<string>(column).fill('ArrowRight'),
      );
    },
    /** Puts a new node behind the one that was open. */
    async addNode(kind: string): Promise<void> {
      await reach(page.getByRole('button', { name: `Add ${kind}` }));
      await keyboard.press('Enter');
    },
  };
}

/** In the browser: the list that an element is in, where Tab leads to the list alone. */
const listOf = (element: unknown): string | null => {
  const node = element as {
    tabIndex: number;
    closest(selector: string): { getAttribute(name: string): string | null } | null;
  };
  return node.tabIndex < 0 ? (node.closest('[role=group][tabindex="0"]')?.getAttribute('aria-label') ?? null) : null;
};

/** In the browser: whether the focus is behind the element. */
const isBeforeFocus = (element: unknown): boolean => {
  const node = element as {
    compareDocumentPosition(other: unknown): number;
    ownerDocument: { activeElement: unknown };
  };
  const following = 4;
  return (node.compareDocumentPosition(node.ownerDocument.activeElement) & following) !== 0;
};
