import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { loan } from '../support/loan.js';
import type { Model } from '../support/models.js';

describe('the graph of a model on the desk', function () {
  this.timeout(120_000);
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'loan.json': loan(5.4) });
    ({ page } = desk);
  });

  const button = (name: string): Locator => desk.button(name);

  it('drags a node, connects two from the dot of one, selects several, deletes them, tidies up', async () => {
    await desk.edit('loan.json');
    const center = async (target: Locator): Promise<{ x: number; y: number }> => {
      const box = await target.boundingBox();
      if (box === null) throw new Error('It is not drawn.');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
    };
    const before = await desk.stored('loan.json');
    const start = await center(button('Ratios'));
    await drag(start, { x: start.x + 20, y: start.y + 90 });
    await desk.unsaved().waitFor();
    // It was no click: the graph is still there.
    expect(await desk.region('Node').count()).to.equal(0);
    const port = page.locator('.node', { has: button('Refused') }).locator('.port');
    await drag(await center(port), await center(button('Rate')));
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await desk.keep();
    const after = await desk.stored('loan.json');
    expect((after.edges as readonly unknown[]).slice(0, -1)).to.deep.equal(before.edges);
    const moved = (model: Model) =>
      (model.nodes as readonly { name: string }[]).filter(({ name }) => name !== 'Ratios');
    expect(moved(after)).to.deep.equal(moved(before));

    // What was dragged is selected.
    await button('Ratios').click({ modifiers: ['Control'] });
    await button('Refused').click({ modifiers: ['Control'] });
    await button('To a person').click({ modifiers: ['Control'] });
    await button('Delete selected').click();
    await button('Refused').waitFor({ state: 'detached' });
    expect(await button('To a person').count()).to.equal(0);
    expect(await page.getByRole('img', { name: 'Refused → Rate' }).count()).to.equal(0);
    await button('Undo').click();
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await button('Tidy up').click();
    await desk.unsaved().waitFor();
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('adds a node beside the one that is selected, connected with it', async () => {
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
    await button('Ratios').click({ modifiers: ['Control'] });
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Table' });
    await button('Add node').click();
    await page.getByRole('img', { name: /^Ratios → table\d$/ }).waitFor({ state: 'attached' });
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('the browser had no complaint, and the policy none', () => {
    expect(desk.view.complaints).to.deep.equal([]);
  });
});
