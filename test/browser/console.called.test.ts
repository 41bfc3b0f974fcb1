import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { calling, doubling } from '../support/models.js';

describe('a decision that runs another one', () => {
  let desk: Desk;
  let page: Page;
  let environmentId: string;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'shop/double.json': doubling(2), 'shop/order.json': calling('./double.json') });
    page = desk.page;
    environmentId = await desk.scene.environment();
  });

  const runsSaved = (version: string): string =>
    `${version} runs shop/double as it was when ${version} was saved: what was changed there since comes with the next version of this one.`;
  const dialog = (name: string | RegExp): Locator => page.getByRole('dialog', { name });

  it('says before a version is saved that it goes on to run the other as it is now, which is so', async () => {
    await desk.edit('shop/order.json');
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await desk.button('Save version').click();
    const asked = dialog('Save a version');
    await asked
      .getByText(
        'This version runs shop/double as its working copy is now: what is changed there later comes with the next version of this one.',
      )
      .waitFor();
    await asked.getByRole('textbox', { name: 'Message' }).fill('Runs another');
    await asked.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('link', { name: 'v2', exact: true }).waitFor();
    const orderId = desk.ids.get('shop/order.json') ?? '';
    await desk.scene.deploy(orderId, environmentId, 2);
    await desk.scene.write('shop/double.json', doubling(3));
    await desk.scene.settled();
    const { body } = await desk.scene.caller.post(`/logic/${environmentId}/decisions/${orderId}/executions`, {
      fact: { x: 5 },
    });
    expect((body as { result: unknown }).result).to.deep.equal({ y: 10 });
  });

  it('says of its tests that they reach nothing of the other, wherever all of its own is reached', async () => {
    const own = 'Those of the decision that it runs (./double) are not counted: it needs tests of its own.';
    await desk.view.go('/decisions');
    await desk.edit('shop/order.json');
    await page.getByRole('tab', { name: 'Tests' }).click();
    await desk.button('Add test').click();
    const asked = dialog('New test');
    await asked.getByRole('button', { name: 'Save test' }).click();
    await desk.button('Run all').click();
    await page.getByText(own).waitFor();
    await desk.button('Undo').click();
  });

  it('says it after a version is saved, where nobody was asked before that', async () => {
    await desk.view.go('/decisions');
    await desk.edit('shop/order.json');
    await page.getByRole('textbox', { name: 'Message' }).fill('The same again');
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await desk.button('Undo').click();
    await desk.button('Save version').click();
    await page.getByText(runsSaved('v3')).waitFor();
    await desk.button('Hide').click();
    await soon(async () => expect(await page.getByText(runsSaved('v3')).count()).to.equal(0));
  });

  it('says before a version is deployed that it runs the other as of when it was saved, and a working copy as it is', async () => {
    await desk.view.go(`/deployments?decision=${desk.ids.get('shop/order.json') ?? ''}`);
    await desk.button('Deploy').click();
    const asked = dialog(/^Deploy shop\/order/);
    await asked.getByText(runsSaved('v3')).waitFor();
    await asked.getByRole('combobox', { name: 'Version' }).selectOption('0');
    await asked.getByText('It runs shop/double as its working copy is at the time.').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await soon(async () => expect(await asked.count()).to.equal(0));
  });
});
