import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ask, checked, protect } from '../support/changes.js';
import { atConsole } from '../support/consolePage.js';
import { chainOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { baseRates, freight, freightPrice } from '../support/freight.js';

describe('a decision that is made of others', () => {
  let desk: Desk;
  let page: Page;
  const id = (): string => desk.ids.get('freight/price.json') ?? '';

  atConsole(async (app) => {
    desk = await openDesk(app, freight());
    page = desk.page;
  });

  it('has one form, on its page and at the desk: what the others need, and nothing that they give', async () => {
    const fields = (): Promise<string[]> => page.locator('.fact-field label').allInnerTexts();
    const asked = ['Zone', 'Weight', 'Customer', 'Pieces'];
    await desk.view.go(`/decisions/${id()}`);
    await soon(async () => expect(await fields()).to.have.members(asked));
    await desk.edit('freight/price.json');
    await soon(async () => expect(await fields()).to.have.members(asked));
    // Known from the draft alone, too.
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await soon(async () => expect(await fields()).to.have.members(asked));
    await desk.button('Undo').click();
  });

  const left = 'freight/base-rates, freight/surcharges, which it runs, were not looked at.';

  it('claims nothing of tables that are the others’, in its analysis, before a request and in one, and links to theirs', async () => {
    const { caller } = desk.scene;
    const environmentId = await desk.scene.environment();
    await protect(caller, environmentId, { requires: { analysis: true, coverage: 0.9 } });
    for (const place of [`/decisions/${id()}?tab=analysis`, `/decisions/${id()}/edit?tab=analysis`]) {
      await desk.view.go(place);
      await page.getByText(`It has no tables of its own. ${left}`).waitFor();
    }
    await desk.view.go('/requests');
    await desk.button('New request').click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption(id());
    await dialog.getByText(`No fault of its own tables is proved. ${left}`).waitFor();
    await dialog.getByText(`It has no rows of its own that tests could reach; 90 % are wanted. ${left}`).waitFor();
    const change = { type: 'deploy', decisionId: id(), version: 1 };
    const request = await checked(caller, await ask(caller, environmentId, [change]));
    await desk.view.go(`/requests/${request.id}`);
    await page.getByText(`nothing of the kind is proved; ${left}`).waitFor();
    await desk.button('Reports').click();
    const report = desk.region('Report of analysis');
    await report.getByText(`No fault of its own tables is proved. ${left}`).waitFor();
    // The analysis of the version that is run.
    await desk.scene.write('freight/base-rates.json', baseRates('8'));
    await report.getByRole('link', { name: 'freight/base-rates' }).click();
    await page
      .getByText(/Row 3 is never reached/)
      .first()
      .waitFor();
    expect(page.url()).to.contain('version=1');
  });

  it('says of a run in which table of another no row matched, and shows at its node what went in and came out', async () => {
    await desk.edit('freight/price.json');
    await page.getByLabel('Zone', { exact: true }).fill('nowhere');
    await page.getByLabel('Pieces', { exact: true }).fill('3');
    await desk.button('Run').click();
    const how = page.getByRole('list', { name: 'How it came about' });
    await how.getByText('no row of Base rates in Base price matched').waitFor();
    await how.getByRole('link', { name: 'Base price' }).click();
    const node = desk.region('Node');
    await node.getByRole('heading', { name: 'In', exact: true }).waitFor();
    await node.getByText('nowhere').first().waitFor();
    await node.getByRole('heading', { name: 'Out', exact: true }).waitFor();
  });

  it('compared, says which of the others is another version and what changed in it, and calls its own nodes the same', async () => {
    const { scene, view } = desk;
    await scene.decision('freight/base-rates.json', baseRates('12'));
    await scene.decision('freight/price.json', freightPrice());
    await view.go(`/decisions/${id()}/compare?from=1&to=2`);
    await page.getByText('Their own nodes are the same.').waitFor();
    const called = desk.region('Decisions that it runs').getByRole('region', { name: 'freight/base-rates' });
    await called.getByText('v1 → v2').waitFor();
    await called.getByText('row 1, Base price (EUR)').waitFor();
  });

  it('is drawn wholly on its page, however many nodes stand in a row', async () => {
    const long = await desk.scene.decision('freight/long.json', chainOf(9));
    await desk.view.go(`/decisions/${long}`);
    const frame = page.locator('.graph');
    await soon(async () => {
      const box = await frame.first().boundingBox();
      const end = await page.locator('[data-node="out"]').first().boundingBox();
      expect((end?.x ?? Infinity) + (end?.width ?? 0)).to.be.at.most((box?.x ?? 0) + (box?.width ?? 0) + 1);
    });
  });

  it('has its page of executions say what comes next: a deployment, and once there is one a file, or a system that asks', async () => {
    await desk.view.go('/executions');
    await page.getByText('No execution yet. Deploy a decision; each time that a system asks it,').waitFor();
    await desk.scene.deploy(id(), await desk.scene.environment(), 1);
    await desk.view.go('/decisions');
    await desk.view.go('/executions');
    await page.getByText('No execution yet. Run a file, or have a system ask what is deployed: each time').waitFor();
  });
});
