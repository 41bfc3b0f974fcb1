import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { expectRefusals } from '../support/browser.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { between, type Model } from '../support/models.js';

/** A table with long names, rows and values, whose texts are these. */
const letters = (text: string): Model =>
  between({
    id: 'table',
    type: 'decisionTableNode',
    name: 'Letters_to_customers_who_have_ordered_something',
    content: {
      hitPolicy: 'first',
      inputs: ['Country of the customer', 'What was ordered last'].map((name, at) => ({
        id: `i${at}`,
        name,
        field: `f${at}`,
      })),
      outputs: [{ id: 'o', name: 'Text of the letter', field: 'text' }],
      rules: Array.from({ length: 14 }, (_, at) => ({
        _id: `r${at}`,
        i0: '"Denmark", "Norway", "Sweden", "Finland", "Iceland"',
        i1: `"A washing machine of model ${at}", "A dishwasher of model ${at}"`,
        o: `"${`${text} ${at}: thank you for your order. `.repeat(5)}https://example.org/${'letters'.repeat(6)}"`,
      })),
    },
  });

describe('what is shown where another has saved the same decision', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'letters.json': letters('First') });
    page = desk.page;
    await desk.edit('letters.json', 'table');
  });

  const box = async (what: Locator) => {
    const { x = NaN, y = NaN, width = NaN, height = NaN } = (await what.boundingBox()) ?? {};
    return { left: x, top: y, right: x + width, bottom: y + height };
  };

  /** What of a box has to be scrolled to, sideways and downwards. */
  const beyond = (element: unknown): readonly [number, number] => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element as Readonly<Record<string, number>>;
    return [(scrollWidth ?? NaN) - (clientWidth ?? NaN), (scrollHeight ?? NaN) - (clientHeight ?? NaN)];
  };

  for (const [width, height] of [
    [1280, 800],
    [1440, 900],
  ] as const)
    it(`is within a window of ${width} by ${height}: all columns, and the buttons whatever is scrolled`, async () => {
      await page.setViewportSize({ width, height });
      await page.locator('.grid-cell[data-row="0"][data-column="2"]').click();
      await paste(page, { 'text/plain': `Mine ${width}: ${'we are very grateful '.repeat(20)}` });
      await desk.unsaved().waitFor();
      const path = `/logic/decisions/${desk.ids.get('letters.json') ?? ''}`;
      await desk.scene.caller.patch(path, { content: letters(`Another ${width}`) });
      await page.keyboard.press('Control+s');
      const tables = ['Differences', 'Changed by both'].map((name) => page.getByRole('table', { name }));
      await tables[1]?.waitFor();
      const isWithin = async (what: Locator): Promise<boolean> => {
        const { left, top, right, bottom } = await box(what);
        return left >= 0 && top >= 0 && right <= width && bottom <= height;
      };
      const names = [/^Take both/, 'Load it anew, without my changes', 'Keep mine, to save it over the other', 'Hide'];
      const buttons = names.map((name) => page.getByRole('button', { name }));
      const allWithin = () =>
        soon(async () => expect(await Promise.all(buttons.map(isWithin))).to.deep.equal(names.map(() => true)));
      await allWithin();
      for (const table of tables) {
        await table.scrollIntoViewIfNeeded();
        await soon(async () => expect(await table.locator('xpath=..').evaluate(beyond)).to.deep.equal([0, 0]));
        for (const head of await table.getByRole('columnheader').all())
          await soon(async () => {
            const { left, right } = await box(head);
            expect([left >= 0, right <= width], await head.innerText()).to.deep.equal([true, true]);
          });
      }
      await allWithin();
      await soon(async () =>
        expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).to.equal(0),
      );
      await expectAccessible(page, 'what another has saved');
      await desk.button('Load it anew, without my changes').click();
      await desk.unsaved().waitFor({ state: 'detached' });
      expectRefusals(desk.view, 412);
    });
});
