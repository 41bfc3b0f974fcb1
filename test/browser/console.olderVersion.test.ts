import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { loan } from '../support/loan.js';

describe('an older version', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'loan.json': loan(5.4) });
    page = desk.page;
    await desk.edit('loan.json');
  });

  it('is gone on with from its page: its content is in the draft, unsaved, and told', async () => {
    const id = desk.ids.get('loan.json') ?? '';
    await desk.button('Add Expressions').click();
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(JSON.stringify(await desk.stored('loan.json'))).to.contain('Expressions'));
    const before = await desk.stored('loan.json');
    await desk.view.go(`/decisions/${id}?version=1`);
    // The newest version is what the working copy was begun from, and its Edit says nothing more.
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Edit from v1', exact: true }).click();
    await page.getByText('This is the content of v1, in place of the working copy’s.').waitFor();
    await desk.unsaved().waitFor();
    expect(new URL(page.url()).search).to.equal('');
    expect(await desk.stored('loan.json')).to.deep.equal(before);
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await page.getByText('This is the content of v1').waitFor({ state: 'detached' });
    await desk.button('Redo').click();
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    expect(await desk.stored('loan.json')).to.deep.equal(loan(5.4));
  });

  it('has a link to the working copy that says that it is another one, and opens that', async () => {
    const id = desk.ids.get('loan.json') ?? '';
    const { caller } = desk.scene;
    expect((await caller.patch(`/logic/decisions/${id}`, { content: loan(4.4) })).status).to.equal(200);
    expect((await caller.post(`/logic/decisions/${id}/versions`, {})).body).to.include({ version: 2 });
    for (const [shown, name, other] of [
      ['1', 'Edit the working copy', 'Edit'],
      ['2', 'Edit', 'Edit the working copy'],
    ] as const) {
      await desk.view.go(`/decisions/${id}?version=${shown}`);
      await page.getByRole('link', { name, exact: true }).waitFor();
      await soon(async () =>
        expect(await page.getByRole('link', { name: other, exact: true }).count(), other).to.equal(0),
      );
    }
    await desk.view.go(`/decisions/${id}?version=1`);
    await page.getByRole('link', { name: 'Edit the working copy', exact: true }).click();
    await desk.button('Add Expressions').waitFor();
    await soon(async () => expect(await page.getByText('This is the content of').count()).to.equal(0));
    expect(new URL(page.url()).search).to.equal('');
  });
});
