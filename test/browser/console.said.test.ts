import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { protect } from '../support/changes.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { soon } from '../support/eventually.js';
import { between, calling, deciding, type Model } from '../support/models.js';
import type { Scene } from '../support/scene.js';

/** A table that compares texts, of whose rows its tests reach the last alone. */
const tickets: Model = {
  ...deciding([
    { _id: '1', age: '[18..65]', size: '"tourist"', fee: '18' },
    { _id: '2', age: '', size: '"member", "resident"', fee: '0' },
    { _id: '3', age: '', size: '', fee: '20' },
  ]),
  tests: [{ name: 'anybody', input: { age: 5 }, output: { fee: 20 } }],
};

const ways = ['zone == "A"', 'zone == "B" and weight > 10', 'zone == "C"', ''].map((condition, at) => ({
  id: `way${at}`,
  condition,
}));
const switching = between({
  id: 'ways',
  type: 'switchNode',
  name: 'Ways',
  content: { hitPolicy: 'first', statements: ways },
});

describe('what pages of the console say of their own accord', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let ticketsId: string;
  let callerId: string;
  let waysId: string;
  let environmentId: string;

  const { button, link, region } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    // One that comes before in every list, and where nothing is deployed.
    await scene.caller.post('/logic/environments', { name: 'Aside' });
    ({ decisionId: ticketsId, environmentId } = await scene.deployed('shop/tickets.json', tickets));
    callerId = await scene.decision('shop/caller.json', calling('./tickets.json'), { 'shop/tickets.json': tickets });
    waysId = await scene.write('ways.json', switching);
    await protect(scene.caller, environmentId, { requires: { coverage: 0.9 } });
    await view.open('/decisions');
  });

  const field = (name: string): Locator => page.getByLabel(name, { exact: true });

  it('a decision of one table shows its table below the graph, until another node is chosen', async () => {
    await view.go(`/decisions/${ticketsId}?version=1`);
    await region('Node').getByRole('gridcell', { name: '"tourist"' }).waitFor();
    await page.getByRole('button', { name: 'Response' }).click();
    await region('Node').getByRole('heading', { name: 'Response' }).waitFor();
    expect(new URL(page.url()).searchParams.get('node')).to.equal('out');
  });

  it('the fields of a fact name the texts that tables compare them with, and say where no row has another', async () => {
    await field('size').focus();
    await soon(async () =>
      expect(await field('size').getAttribute('placeholder')).to.equal('such as tourist, member, resident'),
    );
    await field('size').fill('Tourist');
    await page.getByText('No row of a table names this text. Rows name tourist, member, resident.').waitFor();
    await expectAccessible(page, 'a field with a text that no row names');
    await button('Run').click();
    await region('Result').getByText('COMPLETED').waitFor();
    await field('size').fill('tourist');
    const told = page.getByText('No row of a table names this text.').filter({ visible: true });
    await soon(async () => expect(await told.count()).to.equal(0));
    await view.go(`/decisions/${ticketsId}/edit?node=table&tab=tests`);
    await page.getByRole('button', { name: /^(Add|Write a) test$/ }).click();
    const given = page.getByRole('dialog').getByRole('group', { name: 'Given' });
    await given.getByLabel('size', { exact: true }).focus();
    await soon(async () =>
      expect(await given.getByLabel('size', { exact: true }).getAttribute('placeholder')).to.match(/tourist/),
    );
    await page.keyboard.press('Escape');
  });

  it('the node that is open on the desk is so after a reload', async () => {
    await page.reload();
    await page.getByRole('grid', { name: 'Table' }).waitFor();
  });

  it('a request names the rows that no test reaches, before it is made and after, and leads to them', async () => {
    await view.go(`/requests?new=yes&environment=${environmentId}`);
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'shop/tickets' });
    const missed = 'Table: no test reaches rows 1, 2';
    await dialog.getByRole('listitem').filter({ hasText: missed }).getByRole('link', { name: 'Table' }).waitFor();
    await dialog.getByRole('button', { name: 'Request', exact: true }).click();
    const checks = region('Checks');
    await checks.getByRole('listitem').filter({ hasText: missed }).getByRole('link', { name: 'Table' }).click();
    await region('Node').getByRole('gridcell', { name: '"tourist"' }).waitFor();
  });

  it('an environment says what is deployed there, and since when, and leads back', async () => {
    await view.go(`/environments/${environmentId}`);
    const row = region('Deployed here').getByRole('row').filter({ hasText: 'shop/tickets' });
    await row.locator('time').waitFor();
    await row.getByRole('link', { name: 'v1' }).waitFor();
    await expectAccessible(page, 'an environment with what is deployed there');
    await page.locator('main').getByRole('link', { name: 'Deployments', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Deployments' }).waitFor();
  });

  it('a new replay begins with an environment where the decision is deployed', async () => {
    await view.go(`/replays?decision=${ticketsId}&version=1`);
    const dialog = page.getByRole('dialog', { name: 'Start a replay' });
    const chosen = dialog.getByRole('combobox', { name: 'Environment' });
    await soon(async () => expect(await chosen.inputValue()).to.equal(environmentId));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('whoever deletes a decision is told where it is deployed', async () => {
    for (const [id, told] of [
      [ticketsId, /^It is deployed in .* \(v1\), so it stays\.$/],
      [callerId, 'It is deployed nowhere.'],
    ] as const) {
      await view.go(`/decisions/${id}`);
      await page.getByText('More', { exact: true }).click();
      await button('Delete').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(told).waitFor();
      await expectAccessible(page, 'a decision that is to be deleted');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('a node that runs another decision names it, what that takes and gives, and which content of it runs', async () => {
    await view.go(`/decisions/${callerId}?version=0`);
    const node = region('Node');
    await node.getByText('age, size').first().waitFor();
    await node.getByText('It runs shop/tickets as its working copy is at the time.').waitFor();
    await view.go(`/decisions/${callerId}/edit?node=call`);
    const called = page.getByRole('combobox', { name: 'Decision', exact: true });
    await soon(async () => expect(await called.inputValue()).to.equal('shop/tickets.json'));
    await node.getByText('This version runs shop/tickets as its working copy is now').waitFor();
    await soon(async () => expect(await page.getByLabel('Key of the decision').count()).to.equal(0));
    await called.selectOption({ label: 'one by its key …' });
    await page.getByLabel('Key of the decision').waitFor();
    await expectAccessible(page, 'a node that runs another decision');
    await node.getByRole('link', { name: 'shop/tickets' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit shop/tickets' }).waitFor();
  });

  it('what the ways of a switch are called lies on no other and on no node, as drawn and tidied up', async () => {
    await view.go(`/decisions/${waysId}/edit`);
    const boxes = async (which: string): Promise<readonly { x: number; y: number; width: number; height: number }[]> =>
      (await Promise.all((await page.locator(which).all()).map((each) => each.boundingBox()))).flatMap(
        (box) => box ?? [],
      );
    const expectFree = async (): Promise<void> => {
      const labels = await boxes('.way rect');
      expect(labels).to.have.length(4);
      for (const [at, label] of labels.entries())
        for (const other of [...labels.slice(at + 1), ...(await boxes('.node .box'))])
          expect(
            label.x + label.width <= other.x ||
              other.x + other.width <= label.x ||
              label.y + label.height <= other.y ||
              other.y + other.height <= label.y,
            JSON.stringify([label, other]),
          ).to.equal(true);
    };
    await soon(expectFree);
    await button('Tidy up').click();
    await page.getByText('Changed, not saved.').waitFor();
    await soon(expectFree);
  });

  it('a node that is added is in sight, wherever the others are', async () => {
    for (const name of ['Add Table', 'Add Expressions', 'Add Function', 'Add Decision']) {
      await button(name).click();
      await soon(async () => {
        const [node, box] = await Promise.all(
          ['.graph .node:last-of-type .box', '.graph-box'].map((each) => page.locator(each).last().boundingBox()),
        );
        if (!node || !box) throw new Error('nothing is drawn');
        // A scale leaves parts of pixels.
        expect(node.x).to.be.at.least(box.x - 1);
        expect(node.y).to.be.at.least(box.y - 1);
        expect(node.x + node.width).to.be.at.most(box.x + box.width + 1);
        expect(node.y + node.height).to.be.at.most(box.y + box.height + 1);
      });
    }
    await button('Keep as working copy').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  });

  it('the bar leads to the documentation', async () => {
    await soon(async () => expect(await link('Docs').getAttribute('href')).to.match(/\/docs\/console$/));
  });
});
