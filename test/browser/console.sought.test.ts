import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { soon } from '../support/eventually.js';
import { expressing } from '../support/models.js';
import type { Scene } from '../support/scene.js';

/** More than are looked at at once. */
const executions = 760;

describe('a search in facts and results', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  const { button } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    const { path } = await scene.deployed('shop/fee.json', expressing({ fee: 'order * 2' }));
    // One of those that are looked at first has what is sought, and the oldest one.
    const items = Array.from({ length: executions }, (_, order) => ({
      fact: { order, kind: order % 500 === 0 ? 'gift' : 'parcel' },
    }));
    const { status, text } = await scene.caller.post(path.replace(/executions$/, 'batches'), { items });
    expect(status, text).to.equal(200);
    await view.open('/executions');
    await page.getByText('Search in facts and results').click();
  });

  const older = () => button('Look at older ones');
  const found = async (): Promise<number> =>
    page.getByRole('table', { name: 'Found', exact: true }).locator('tbody tr').count();

  it('goes on with older ones from where it ended, and adds what it finds there', async () => {
    const form = page.getByRole('search', { name: 'Facts and results' });
    await form.getByRole('textbox', { name: 'Field' }).fill('kind');
    await form.getByRole('textbox', { name: 'Is' }).fill('gift');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 found in 500 executions. Older ones were not looked at.').waitFor();
    await older().click();
    await page.getByText(`2 found in ${executions} executions.`).waitFor();
    await soon(async () => expect([await found(), await older().count()]).to.deep.equal([2, 0]));
  });

  it('goes on from where somebody stopped it, too', async () => {
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await page.getByText(/^\d found in (?:[5-9]0|[1-4]\d0) executions\./).waitFor();
    await button('Stop').click();
    await soon(async () => expect(await older().isEnabled()).to.equal(true));
    const looked = async (): Promise<number> =>
      Number(/in (\d+) executions/.exec(await page.getByText(/ found in \d+ executions\./).innerText())?.[1]);
    const before = await looked();
    expect(before).to.be.below(500);
    await older().click();
    await soon(async () => expect(await looked()).to.equal(Math.min(before + 500, executions)));
  });
});
