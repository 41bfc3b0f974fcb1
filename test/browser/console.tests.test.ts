import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { loanFact, tableOf } from '../support/consoleScene.js';
import { handOf } from '../support/hands.js';
import { keyboardOf, type Keyboard } from '../support/keyboard.js';
import { loan } from '../support/loan.js';
import { deciding, type Model } from '../support/models.js';
import type { Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

interface Content {
  readonly tests?: readonly { readonly name: string; readonly input: object; readonly output: object }[];
}

/** Its second row is never reached, and nobody over 60 with a size has a row. */
const gapped = () =>
  deciding([
    { _id: 'a', age: '< 30', size: '', fee: '10' },
    { _id: 'b', age: '< 20', size: '> 5', fee: '20' },
    { _id: 'c', age: '[30..60]', size: '', fee: '30' },
  ]);

/** Passes its fact on, a date in it. */
function passing(): Model {
  const model = tableOf(0) as { nodes: { id: string; content: object }[] } & Model;
  const content = {
    hitPolicy: 'first',
    passThrough: true,
    inputs: [{ id: 'i', name: 'Since', field: 'since', _kind: 'date' }],
    outputs: [{ id: 'o', name: 'Fee', field: 'fee' }],
    rules: [{ _id: 'r', i: '>= d("2026-01-01")', o: '10' }],
  };
  const nodes = model.nodes.map((node) => (node.id === 'fees' ? { ...node, content } : node));
  const since = '2026-01-31';
  return { ...model, nodes, tests: [{ name: 'first', input: { since }, output: { since, fee: 10 } }] };
}

describe('tests, analysis and audit trail in the console', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let keyboard: Keyboard;
  let loanId: string;
  let feesId: string;
  let passingId: string;
  let executionId: string;

  const { button, region } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    const deployed = await scene.deployed('credit/loan.json', loan(5.4));
    loanId = deployed.decisionId;
    feesId = await scene.decision('shop/fees.json', gapped());
    passingId = await scene.decision('shop/passing.json', passing());
    const recorded = await scene.caller.post(deployed.path, { fact: { ...loanFact, score: 800 } });
    executionId = (recorded.body as { id: string }).id;
    keyboard = keyboardOf(page);
    await view.open(`/decisions/${loanId}/edit`);
  });

  const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
  const row = (name: string): Locator => page.getByRole('table', { name: 'Tests' }).getByRole('row', { name });

  const expectKept = async (text: string): Promise<void> => {
    for (const name of ['Fact', 'Result', 'Analysis', 'Changes', 'Tests']) await tab(name).click();
    await row('test 2').waitFor();
    await soon(async () => expect(await page.getByText(text).count()).to.equal(1));
  };

  const keep = async (): Promise<void> => {
    await button('Keep as working copy').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  };
  const testsOf = async (decisionId: string): Promise<Content['tests']> => {
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`);
    return (body as { content: Content }).content.tests;
  };

  it('a test is made of the fact and the result on screen', async () => {
    await writeFact(page, JSON.stringify(loanFact));
    await button('Run').click();
    await region('Result').getByText('rate 5.4').waitFor();
    await tab('Tests').click();
    await button('Add test').click();
    await row('test 2').waitFor();
    await keep();
    await soon(async () =>
      expect((await testsOf(loanId))?.at(-1)).to.deep.equal({
        name: 'test 2',
        input: loanFact,
        output: { decision: 'granted', rate: 5.4 },
      }),
    );
  });

  it('all are run, and what no test reaches stands on graph and table', async () => {
    await view.go(`/decisions/${loanId}?tab=tests`);
    await button('Run all').click();
    await page.getByText('2 passed').waitFor();
    await region('Coverage').getByText('no test reaches rows 1, 3').waitFor();
    await region('Coverage').getByText('no test reaches statement 2').waitFor();
    await region('Coverage').getByText('no test comes here').waitFor();
    const described = await page.getByRole('group', { name: 'Graph', exact: true }).getByRole('button').all();
    const untested = [];
    for (const node of described) {
      const description = await node.getAttribute('aria-description');
      if (description?.includes('not tested') === true) untested.push(await node.getAttribute('aria-label'));
    }
    expect(untested).to.have.members(['Which way', 'To a person', 'Rate']);
    await region('Coverage').getByRole('button', { name: 'Rate' }).first().click();
    const marked = region('Node').getByRole('row').filter({ hasText: 'not tested' });
    await marked.first().waitFor();
    await soon(async () => expect(await marked.count()).to.equal(2));
    await soon(async () => expect(await marked.first().innerText()).to.contain('>= 750'));
    // What is read is not changed here.
    await soon(async () => expect(await button('Edit test 2').count()).to.equal(0));
    await marked.first().getByRole('gridcell').first().dblclick();
    await page.keyboard.type('9');
    await soon(async () => expect(await page.getByRole('textbox', { name: /row 1/ }).count()).to.equal(0));
  });

  it('what tests of a version gave, and what none reaches, stays while other tabs are looked at', async () => {
    await expectKept('2 passed');
    await region('Coverage').getByText('no test comes here').waitFor();
    await region('Node').getByRole('row').filter({ hasText: 'not tested' }).first().waitFor();
  });

  it('one is written from a recorded execution, changed by form, and says what differs', async () => {
    await view.go(`/decisions/${loanId}/edit?tab=tests`);
    await button('Add test').click();
    const dialog = page.getByRole('dialog', { name: 'New test' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('good score');
    await dialog.getByRole('combobox', { name: 'Start from' }).selectOption(`execution:${executionId}`);
    await expectValue(dialog.getByLabel('rate', { exact: true }), '3.9');
    await soon(async () => expect(await dialog.getByLabel('score', { exact: true }).inputValue()).to.equal('800'));
    await dialog.getByRole('button', { name: 'Save test' }).click();
    await row('good score').waitFor();
    await button('Edit good score').click();
    const change = page.getByRole('dialog', { name: 'Change good score' });
    await change.getByLabel('rate', { exact: true }).fill('3.5');
    await change.getByRole('button', { name: 'Save test' }).click();
    await change.waitFor({ state: 'detached' });
    await button('Run all').click();
    await page.getByText('1 failed').waitFor();
    await soon(async () => expect(await row('good score').innerText()).to.contain('rate: expected 3.5, got 3.9'));
    await button('Edit good score').click();
    await change.getByRole('button', { name: 'Take what it gives now' }).click();
    await expectValue(change.getByLabel('rate', { exact: true }), '3.9');
    await change.getByRole('button', { name: 'Save test' }).click();
    await change.waitFor({ state: 'detached' });
    await button('Run all').click();
    await page.getByText('3 passed').waitFor();
    await expectKept('3 passed');
  });

  it('suggested ones reach the rest', async () => {
    await soon(async () => expect(await button('Suggest tests').isDisabled()).to.equal(true));
    const reason = page.getByText('Files and suggestions are of the working copy: keep your changes first.');
    await reason.waitFor();
    await keep();
    await reason.waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog', { name: 'Suggested tests' });
    const everything = page.getByText('The tests reach every node, row and branch.');
    // What is looked for has a limit of time: a busy machine finds the rest at the next asking.
    while (!(await everything.isVisible())) {
      await button('Suggest tests').click();
      await dialog.getByRole('checkbox').or(dialog.getByText('None was found.')).first().waitFor();
      const add = dialog.getByRole('button', { name: /^Add \d+ tests?$/ });
      // None of them is nothing that is added.
      const found = await dialog.getByRole('checkbox').all();
      for (const each of found) await each.uncheck();
      await soon(async () => expect(await add.isDisabled()).to.equal(true));
      for (const each of found) await each.check();
      await (found.length === 0 ? dialog.getByRole('button', { name: 'Cancel' }) : add).click();
      await dialog.waitFor({ state: 'detached' });
      await keep();
      await button('Run all').click();
      await region('Coverage').waitFor();
    }
  });

  it('findings are shown with a fact, which is run by one click and made a test by another', async () => {
    await view.go(`/decisions/${feesId}/edit?tab=analysis`);
    const findings = region('Findings in Table');
    await findings.getByRole('row').filter({ hasText: 'gap' }).first().waitFor();
    const dead = findings.getByRole('row').filter({ hasText: 'never reached' });
    await soon(async () => expect(await dead.innerText()).to.match(/\b2\s+proved/));
    const gap = findings.getByRole('row').filter({ hasText: 'gap' }).first();
    await gap.getByRole('button', { name: 'Make it a test …' }).click();
    // What a gap gives is not what anybody wants: it is asked what should be.
    const asked = page.getByRole('dialog', { name: 'What should it give?' });
    await asked.getByLabel('fee', { exact: true }).fill('5');
    await asked.getByRole('button', { name: 'Save test' }).click();
    await asked.waitFor({ state: 'detached' });
    await keep();
    await soon(async () => expect((await testsOf(feesId))?.map(({ output }) => output)).to.deep.equal([{ fee: 5 }]));
    await gap.getByRole('button', { name: 'Run it' }).click();
    await region('Result').getByText('COMPLETED').waitFor();
    await soon(async () => expect(await tab('Result').getAttribute('aria-selected')).to.equal('true'));
  });

  it('a property is refuted by a fact', async () => {
    await view.go(`/decisions/${feesId}?tab=analysis`);
    await region('Property').getByRole('textbox', { name: 'Condition' }).fill('result.fee == 30');
    await button('Prove').click();
    await region('Property').getByText('refuted').waitFor();
    await region('Property').getByRole('textbox', { name: 'Condition' }).fill('result.fee ==');
    await button('Prove').click();
    await page.getByRole('alert').waitFor();
    view.complaints.splice(0);
  });

  it('what changed a decision is told by its own trail, with the names of clients', async () => {
    await tab('Changes').click();
    const table = page.getByRole('table', { name: 'Audit entries' });
    await table.getByText('changed tests or settings in').first().waitFor();
    // The panel has no room for a head.
    await soon(async () => expect(await table.getByRole('row').count()).to.equal(3));
    const first = table.getByRole('row').first();
    const { body } = await scene.caller.get('/core/v1/clients');
    const name = (body as { data: { id: string; name: string }[] }).data.find(({ id }) => id === scene.client.id)?.name;
    await soon(async () => expect(await first.innerText()).to.contain(name));
    await soon(async () =>
      expect(await first.locator('.principal').getAttribute('title')).to.equal(`client:${scene.client.id}`),
    );
    const text = await table.innerText();
    expect(text)
      .to.match(/test \(command line\) saved v\d of /)
      .and.to.contain(`${name ?? ''} changed tests or settings in `);
    // What programs call it is not said.
    expect(text).not.to.match(/decision\.update|version\.create/);
  });

  it('the page Audit finds entries by kind, and leads to what they are about, by keyboard alone', async () => {
    await keyboard.tabTo(page.getByRole('navigation').getByRole('link', { name: 'Audit', exact: true }));
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    const table = page.getByRole('table', { name: 'Audit entries' });
    await table
      .getByText(/ deployed v\d of /)
      .first()
      .waitFor();
    await keyboard.tabTo(page.getByRole('combobox', { name: 'Kind' }));
    await keyboard.type('environment');
    await page.waitForURL('**/audit?resourceType=environment');
    await table.getByText(/ deployed v\d of /).waitFor({ state: 'detached' });
    await table.getByText('made the environment Environment').waitFor();
    await soon(async () => expect(await table.getByRole('row').count()).to.equal(2));
    await keyboard.tabTo(table.locator('summary'));
    await keyboard.press('Enter');
    await table.getByRole('definition').getByText('Environment', { exact: true }).waitFor();
  });

  it('a test of a model without a schema asks for what is passed on as the fact does, and complains of nothing', async () => {
    await view.go(`/decisions/${passingId}/edit?tab=tests`);
    await button('Edit first').click();
    const dialog = page.getByRole('dialog', { name: 'Change first' });
    const expected = dialog.getByRole('group', { name: 'Expected, field by field' });
    await expected.getByLabel('since').waitFor();
    await soon(async () => expect(await expected.getByLabel('since').getAttribute('type')).to.equal('date'));
    await soon(async () => expect(await dialog.getByText('The schema does not name it.').count()).to.equal(0));
    await page.keyboard.press('Escape');
    const line = row('first');
    await line.getByText('Given', { exact: true }).waitFor();
    await line.getByText('Expected', { exact: true }).waitFor();
  });

  it('tabs are reached by arrow keys, and the address names the tab', async () => {
    await view.go(`/decisions/${loanId}`);
    await keyboard.tabTo(tab('Fact'));
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await soon(async () => expect(await keyboard.isOn(tab('Tests'))).to.equal(true));
    await keyboard.tabTo(button('Run all'));
    await keyboard.press('Enter');
    await page.getByText(/^\d+ passed$/).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).to.equal('tests');
    await view.go(`/decisions/${loanId}/edit?tab=tests`);
    // The list is one stop, so that it is no long way past sixty tests.
    await keyboard.tabTo(page.getByRole('group', { name: 'Tests', exact: true }));
    await keyboard.tabTo(tab('Tests'), 'Shift+Tab');
    await handOf(page).press(button('Edit good score'));
    const dialog = page.getByRole('dialog', { name: 'Change good score' });
    await keyboard.tabTo(dialog.getByRole('textbox', { name: 'Name' }));
    await keyboard.replace('the best score');
    await keyboard.press('Enter');
    await row('the best score').waitFor();
    await keep();
  });
});

/** Waits until a control has a value. */
async function expectValue(control: Locator, value: string): Promise<void> {
  await control
    .page()
    .waitForFunction(([element, wanted]) => (element as { value?: string } | null)?.value === wanted, [
      await control.elementHandle(),
      value,
    ] as const);
}
