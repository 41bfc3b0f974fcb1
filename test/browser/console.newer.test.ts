import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectRefusals } from '../support/browser.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { deciding, type Model } from '../support/models.js';

/** Two rows with these fees. */
const fees = (first: string, second: string): Model =>
  deciding([
    { _id: 'a', age: '< 30', size: '', fee: first },
    { _id: 'b', age: '', size: '', fee: second },
  ]);

describe('a draft that the browser had kept, of a decision that another has changed since it was begun', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': fees('10', '20') });
    page = desk.page;
    await desk.edit('fees.json', 'table');
  });

  const change = async (model: Model): Promise<void> => {
    const path = `/logic/decisions/${desk.ids.get('fees.json') ?? ''}`;
    const { status, text } = await desk.scene.caller.patch(path, { content: model });
    expect(status, text).to.equal(200);
  };
  const write = async (row: number, fee: string): Promise<void> => {
    await page.locator(`.grid-cell[data-row="${row}"][data-column="2"]`).click();
    await paste(page, { 'text/plain': fee });
    await desk.unsaved().waitFor();
  };
  const kept = async (): Promise<void> =>
    soon(async () => expect(await page.evaluate('Object.values(localStorage).join()')).to.include('decisionTableNode'));
  const moved = (of: Page): Locator => of.getByText('The decision has been changed elsewhere since they were begun');
  const isOn = () => page.getByText('This decision has been changed elsewhere since you opened it.').waitFor();
  const rows = async (): Promise<readonly string[]> =>
    (await page.getByRole('table', { name: 'Differences' }).locator('tbody tr').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/g, ' '),
    );
  const reload = async (): Promise<void> => {
    await kept();
    await page.reload();
    await page.getByText(/^Your changes of .*\d are here\.$/).waitFor();
  };

  it('is told so when it is there again, and overwrites nothing: both can be taken, cell by cell', async () => {
    await write(0, '77');
    await reload();
    await soon(async () => expect(await moved(page).count()).to.equal(0));
    await change(fees('10', '222'));
    await page.reload();
    await moved(page).waitFor();
    await page.keyboard.press('Control+s');
    await isOn();
    await soon(async () => expect((await rows()).join()).to.match(/20 222/));
    await desk.button('Take both').click();
    await desk.keep();
    expect(await desk.stored('fees.json')).to.deep.equal(fees('77', '222'));
    expectRefusals(desk.view, 412);
  });

  it('and what both changed to the same end is no difference', async () => {
    await write(0, '5');
    await kept();
    await change(fees('5', '6'));
    await reload();
    await page.keyboard.press('Control+s');
    await isOn();
    await soon(async () => expect((await rows()).join()).to.match(/222 6/));
    expect(await rows()).to.have.length(1);
    await desk.button('Take both').click();
    await desk.keep();
    expect(await desk.stored('fees.json')).to.deep.equal(fees('5', '6'));
    expectRefusals(desk.view, 412);
  });

  it('can be left for what another has stored', async () => {
    await write(0, '1');
    await kept();
    await change(fees('2', '3'));
    await reload();
    await page.keyboard.press('Control+s');
    await isOn();
    // Both changed the same cell: it is said which, with what I have beside what the other has, and mine stays if both are taken.
    const both = page.getByRole('table', { name: 'Changed by both' }).locator('tbody tr');
    await soon(async () => expect((await both.allInnerTexts()).join()).to.match(/5\s+2\s+1/));
    await desk.button('Take both, mine where we differ').waitFor();
    expect(await desk.stored('fees.json')).to.deep.equal(fees('2', '3'));
    await desk.button('Load it anew, without my changes').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await soon(async () =>
      expect(
        await page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('verdict draft'))"),
      ).to.deep.equal([]),
    );
    expectRefusals(desk.view, 412);
  });

  it('is kept where another tab ends the session, and the sign-in says so', async () => {
    const other = await desk.view.context.newPage();
    await other.goto(new URL('/console/decisions', page.url()).href);
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
    await write(0, '4');
    await kept();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Unsaved changes are here again once you sign in').waitFor();
    await soon(async () => expect(await other.getByText('You signed out in another tab').count()).to.equal(0));
  });
});
