import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { ask, protect } from '../support/changes.js';
import { atConsole, writeFact } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { calling, deciding, doubling } from '../support/models.js';

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

  it('says before a version is saved that it fixes changes of the other that no version has, and shows them', async () => {
    await desk.view.go('/decisions');
    await desk.edit('shop/order.json');
    await page.getByRole('textbox', { name: 'Message' }).fill('With the new factor');
    await desk.button('Save version').click();
    const asked = dialog('Save a version');
    await asked
      .getByText('shop/double has changes that no version of it has: this version fixes it as it is now.')
      .waitFor();
    const changed = asked.getByRole('region', { name: 'shop/double', exact: true });
    await changed.getByRole('row', { name: 'Calculation expression “y”: value changed x * 2 x * 3' }).waitFor();
    await expectAccessible(page, 'a version that is to be saved, with changes of what it runs');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await soon(async () => expect(await asked.count()).to.equal(0));
    await desk.scene.decision('shop/double.json', doubling(3));
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

  it('says before a version is deployed what its author was warned of', async () => {
    const id = await desk.scene.decision('shop/bands.json', deciding([{ _id: 'a', age: '18-24', size: '', fee: '1' }]));
    await desk.view.go('/decisions');
    await desk.view.go(`/deployments?decision=${id}`);
    await desk.button('Deploy').click();
    const asked = dialog(/^Deploy shop\/bands/);
    await asked.getByText(/^It has 1 warning, such as “.*A range is written otherwise here/).waitFor();
    await expectAccessible(page, 'a version with a warning that is to be deployed');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await soon(async () => expect(await asked.count()).to.equal(0));
  });

  it('shows what a version runs of the other as it runs it, whatever became of that since, and the way to what it is now', async () => {
    const orderId = desk.ids.get('shop/order.json') ?? '';
    await desk.scene.write('shop/double.json', doubling(4));
    for (const [version, factor] of [
      [2, 2],
      [3, 3],
    ]) {
      await desk.view.go(`/decisions/${orderId}?version=${version}&node=call`);
      const inner = page.getByRole('region', { name: `shop/double as v${version} runs it`, exact: true });
      await inner.getByText(`x * ${factor}`).waitFor();
      await expectAccessible(page, 'what a version runs of another decision');
    }
    await page.getByRole('link', { name: 'its working copy, as it is now' }).click();
    await page.getByRole('heading', { level: 1, name: 'shop/double' }).waitFor();
    await desk.region('Node').getByText('x * 4').waitFor();
  });

  it('says among its changes that what it runs has a newer version, and nothing where it runs the newest', async () => {
    const orderId = desk.ids.get('shop/order.json') ?? '';
    const newer = page.getByText(/^v\d runs shop\/double v\d, of which/);
    await desk.view.go(`/decisions/${orderId}?version=2&tab=changes`);
    await soon(async () =>
      expect(await newer.innerText()).to.equal(
        'v2 runs shop/double v1, of which v2 is the newest: that comes with the next version of this one.',
      ),
    );
    await desk.view.go(`/decisions/${orderId}/edit?tab=changes`);
    await page.getByRole('table', { name: 'Audit entries' }).waitFor();
    await soon(async () => expect(await newer.count()).to.equal(0));
    await desk.scene.decision('shop/double.json', doubling(4));
    await desk.view.go(`/decisions/${orderId}?version=3`);
    await desk.view.go(`/decisions/${orderId}/edit?tab=changes`);
    await newer.getByRole('link', { name: 'v3', exact: true }).waitFor();
    await soon(async () => expect(await newer.innerText()).to.contain('v3 runs shop/double v2, of which v3'));
  });

  it('shows within it what a run did there', async () => {
    const orderId = desk.ids.get('shop/order.json') ?? '';
    await desk.view.go(`/decisions/${orderId}?version=3&node=call`);
    await writeFact(page, '{"x": 5}');
    await desk.button('Run').click();
    const node = desk.region('Node of shop/double as v3 runs it');
    await node.getByText('15').first().waitFor();
  });

  it('is compared with what both versions run of the other', async () => {
    const orderId = desk.ids.get('shop/order.json') ?? '';
    await desk.view.go(`/decisions/${orderId}/compare?from=2&to=3`);
    const changed = desk.region('shop/double');
    await changed.getByRole('row', { name: 'Calculation expression “y”: value changed x * 2 x * 3' }).waitFor();
    await expectAccessible(page, 'versions that run another decision');
    await changed.getByRole('button', { name: 'What changed' }).click();
    await soon(async () => expect(await changed.getByRole('row').count()).to.equal(0));
  });

  it('is asked for with what changed in the other', async () => {
    const orderId = desk.ids.get('shop/order.json') ?? '';
    await protect(desk.scene.caller, environmentId);
    const request = await ask(desk.scene.caller, environmentId, [{ type: 'deploy', decisionId: orderId, version: 3 }]);
    await desk.view.go(`/requests/${request.id}`);
    const changed = desk.region('Changes').getByRole('region', { name: 'shop/double', exact: true });
    await changed.getByRole('row', { name: 'Calculation expression “y”: value changed x * 2 x * 3' }).waitFor();
  });
});
