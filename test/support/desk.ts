import type { Locator, Page } from 'playwright-core';
import type { TestApp } from './app.js';
import { openConsole, type ConsolePage } from './consolePage.js';
import type { Model } from './models.js';
import { buildScene, type Scene } from './scene.js';

/** The author's desk in a browser, over models of its own. */
export interface Desk {
  readonly scene: Scene;
  readonly view: ConsolePage;
  readonly page: Page;
  /** Of its models, by key. */
  readonly ids: ReadonlyMap<string, string>;
  readonly button: (name: string) => Locator;
  readonly region: (name: string) => Locator;
  readonly unsaved: () => Locator;
  /** Opens a model, or a table of it. */
  readonly edit: (key: string, node?: string) => Promise<void>;
  readonly keep: () => Promise<void>;
  readonly stored: (key: string) => Promise<Model>;
}

export async function openDesk(app: TestApp, models: Readonly<Record<string, Model>>): Promise<Desk> {
  const scene = await buildScene(app);
  const ids = new Map<string, string>();
  for (const [key, model] of Object.entries(models)) ids.set(key, await scene.decision(key, model));
  const view = await openConsole(app.baseUrl, scene);
  const { page } = view;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await view.open('/decisions');
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const unsaved = (): Locator => page.getByText('Changed, not saved.');
  return {
    scene,
    view,
    page,
    ids,
    button,
    unsaved,
    region: (name) => page.getByRole('region', { name, exact: true }),
    async edit(key, node) {
      await view.go(`/decisions/${ids.get(key) ?? ''}/edit${node === undefined ? '' : `?node=${node}`}`);
      await (node === undefined ? page.locator('[data-node]').first() : page.getByRole('grid')).waitFor();
    },
    async keep() {
      await button('Keep as working copy').click();
      await unsaved().waitFor({ state: 'detached' });
    },
    async stored(key) {
      const { body } = await scene.caller.get(`/logic/decisions/${ids.get(key) ?? ''}/versions/0`);
      return (body as { content: Model }).content;
    },
  };
}

/** As a spreadsheet puts cells on the clipboard, by their types. */
export const paste = (page: Page, data: Readonly<Record<string, string>>): Promise<void> =>
  page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer();
      for (const [type, text] of Object.entries(${JSON.stringify(data)})) clipboardData.setData(type, text);
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`,
  );
