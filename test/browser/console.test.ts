import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { expectRefusals } from '../support/browser.js';
import { useConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { loanFact } from '../support/consoleScene.js';
import { loan } from '../support/loan.js';
import { buildClient, buildWorkspace } from '../support/factories.js';
import { testStore, type Scene } from '../support/scene.js';
import { eventually, soon } from '../support/eventually.js';

describe('the console in a browser', () => {
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;
  let environmentId: string;

  const { link, button, region } = useConsole(async (at) => {
    ({ app, scene, view, page } = at);
    decisionId = await scene.decision('credit/loan.json', loan(5.4));
    await scene.decision('credit/loan.json', loan(4.4));
    environmentId = await scene.environment();
  });

  it('tells of a wrong secret, and signs in by the right one', async () => {
    await page.goto(`${app.baseUrl}/`);
    await page.waitForURL('**/console');
    await page.getByRole('textbox', { name: 'Client id' }).fill(scene.client.id);
    await page.getByRole('textbox', { name: 'Client secret' }).fill('wrong');
    await button('Sign in').click();
    await soon(async () =>
      expect(await page.getByRole('alert').innerText()).to.contain('The client id or the secret is wrong.'),
    );
    // The browser itself tells of the 401, which is what was asked for.
    expect(view.complaints.splice(0)).to.have.length(1);
    await page.getByRole('textbox', { name: 'Client secret' }).fill(scene.client.secret);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  });

  it('finds a decision by a text in its model', async () => {
    const text = page.getByRole('searchbox', { name: 'Text' });
    await text.fill('nowhere at all');
    await page.getByText('No decision has “nowhere at all” in its key').waitFor();
    await text.fill('which WAY');
    await link('loan').waitFor();
    await text.fill('');
  });

  it('finds a decision by its key', async () => {
    await page.getByRole('searchbox', { name: 'Key' }).fill('LOAN');
    await link('loan').click();
    await page.waitForURL(`**/console/decisions/${decisionId}`);
    await page.getByRole('heading', { name: 'credit/loan' }).waitFor();
  });

  it('runs it and marks the way on the graph and the row of the table', async () => {
    await view.go(`/decisions/${decisionId}?version=1`);
    await writeFact(page, JSON.stringify(loanFact));
    await button('Run').click();
    await region('Result').getByText('rate 5.4').waitFor();
    const nodes = await page.locator('[aria-current="step"]').all();
    const marked = await Promise.all(nodes.map((node) => node.getAttribute('aria-label')));
    expect(marked).to.have.members(['Application', 'Ratios', 'Which way', 'Rate', 'Answer']);
    await button('Rate').click();
    const row = region('Node').locator('[aria-current="true"]');
    await soon(async () =>
      expect(await row.innerText())
        .to.match(/^2/)
        .and.to.contain('[620..750)')
        .and.to.contain('5.4'),
    );
    await button('Which way').click();
    await soon(async () =>
      expect(await region('Node').locator('[aria-current="true"]').innerText()).to.contain('otherwise'),
    );
    expect(new URL(page.url()).searchParams.get('node')).to.equal('route');
  });

  it('runs the fact of a test of the model', async () => {
    await page.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'under age' });
    await button('Run').click();
    await region('Result').getByText('under age').waitFor();
    await page.getByRole('tab', { name: 'Tests' }).click();
    await page.getByRole('tab', { name: 'Fact' }).click();
    // What was run is still there.
    await region('Result').getByText('under age').waitFor();
  });

  it('deploys a version, and another one', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments' }).click();
    await button('Deploy').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Deployed by' }).fill('Ada');
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption('1');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('cell').getByText('v1').waitFor();
    await soon(async () => expect(await page.getByRole('cell').first().innerText()).to.contain('Ada'));
    await soon(async () => expect(await button('Roll back').count()).to.equal(0));

    await button('Deploy').click();
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption('2');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('cell').getByText('v2').waitFor();
  });

  it('finds an execution by its reference', async () => {
    const executions = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    // More digits than JavaScript's numbers have.
    const body = JSON.stringify({ fact: { ...loanFact, account: 'x' } }).replace('"x"', '12345678901234567891');
    const answer = await scene.caller.post(executions, body, {
      'Content-Type': 'application/json',
      'Execution-Reference': 'order-4711',
    });
    expect(answer.status, answer.text).to.equal(201);
    await page.getByRole('navigation').getByRole('link', { name: 'Executions' }).click();
    await page.getByRole('textbox', { name: 'Reference' }).fill('order-4711');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/executions?reference=order-4711');
    await page.getByRole('table').getByRole('link').first().click();
    await region('Result').getByText('rate 4.4').waitFor();
    await region('Fact').getByText('account 12345678901234567891').waitFor();
  });

  it('rolls back, by a deployment of its own', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments' }).click();
    await button('Roll back').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back to v1' }).click();
    await page.getByRole('cell').getByText('v1').waitFor();
    // Twice is not forward again.
    await soon(async () => expect(await button('Roll back').getAttribute('aria-disabled')).to.equal('true'));
    await soon(async () =>
      expect(await button('Roll back').getAttribute('title')).to.equal('Nothing was in force before v1.'),
    );
    const { name: own } = (await scene.caller.get(`/core/v1/clients/${scene.client.id}`)).body as { name: string };
    const { data } = (await scene.caller.get('/logic/deployments')).body as {
      data: { version: number; deployedBy: string }[];
    };
    expect(data.map(({ version, deployedBy }) => [version, deployedBy])).to.deep.equal([
      [1, 'Ada'],
      [2, own],
      [1, own],
    ]);
  });

  describe('facts, while answers come late', () => {
    before(() => view.open('/decisions'));
    const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
    const fact = (): Locator => page.getByRole('textbox', { name: 'Fact', exact: true });
    /** Executes a fact with that age; gives the id. */
    const executed = async (age = 77): Promise<string> => {
      const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
      const { body } = await scene.caller.post(path, { fact: { ...loanFact, age } });
      return (body as { id: string }).id;
    };
    const drawn = (): Promise<unknown> =>
      page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');

    /** Holds the answers to some requests back, until they are let go. */
    const held = async (path: string): Promise<() => Promise<void>> => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(path, async (route) => {
        await released;
        await route.continue();
      });
      return async () => {
        const answered = page.waitForResponse(path);
        release();
        await answered;
        await page.unroute(path);
      };
    };

    for (const [where, open] of [
      ['a model’s page', () => page.getByRole('link', { name: 'loan', exact: true }).click()],
      ['the desk', () => view.show(`/decisions/${decisionId}/edit`)],
    ] as const) {
      it(`on ${where} nothing is typed before it is known what is asked for: no form takes the place of a text`, async () => {
        await view.go('/decisions');
        const letGo = await held(`**/decisions/${decisionId}/versions/0/schema`);
        await open();
        await page.getByRole('tab', { name: 'Fact', exact: true }).waitFor();
        await soon(async () => expect([await fact().count(), await button('Run').count()]).to.deep.equal([0, 0]));
        await letGo();
        await field('age').waitFor();
      });
    }

    it('what was typed stays when a recorded fact that was chosen before comes late, and nothing else runs in its place', async () => {
      const id = await executed();
      await view.go('/decisions');
      await view.go(`/decisions/${decisionId}`);
      const source = page.getByRole('combobox', { name: 'Start from' });
      const letGo = await held(`**/logic/executions/${id}`);
      await source.selectOption(`execution:${id}`);
      await soon(async () => expect(await button('Run').isDisabled()).to.equal(true));
      await field('age').fill('42');
      await soon(async () => expect(await button('Run').isDisabled()).to.equal(false));
      await letGo();
      await drawn();
      await soon(async () => expect(await field('age').inputValue()).to.equal('42'));
      await source.selectOption('');
      await source.selectOption(`execution:${id}`);
      await eventually(async () => (await field('age').inputValue()) === '77');
    });

    it('what was typed into a test stays when a recorded execution comes late, and of two the one that was chosen last is taken', async () => {
      const [one, other] = [await executed(78), await executed(79)];
      await view.go(`/decisions/${decisionId}/edit?tab=tests`);
      await button('Add test').first().click();
      const dialog = page.getByRole('dialog', { name: 'New test' });
      const age = dialog
        .getByRole('group', { name: 'Fact, field by field' })
        .getByRole('textbox', { name: 'age', exact: true });
      const source = dialog.getByRole('combobox', { name: 'Start from' });
      const letGo = await held(`**/logic/executions/${one}`);
      await source.selectOption(`execution:${one}`);
      await age.fill('42');
      await letGo();
      await drawn();
      await soon(async () => expect(await age.inputValue()).to.equal('42'));
      await source.selectOption('');
      const letFirstGo = await held(`**/logic/executions/${one}`);
      await source.selectOption(`execution:${one}`);
      await source.selectOption(`execution:${other}`);
      await eventually(async () => (await age.inputValue()) === '79');
      await letFirstGo();
      await drawn();
      await soon(async () => expect(await age.inputValue()).to.equal('79'));
      await page.keyboard.press('Escape');
    });

    it('a form stays one while its schema cannot be read again', async () => {
      const path = `**/decisions/${decisionId}/versions/0/schema`;
      await view.go(`/decisions/${decisionId}/edit`);
      await field('age').fill('43');
      await page.route(path, (route) => route.fulfill({ status: 404, body: '{}' }));
      await button('Application').click();
      await button('Add field').click();
      const answered = page.waitForResponse(path);
      await button('Keep as working copy').click();
      await answered;
      await drawn();
      await soon(async () => expect(await field('age').inputValue()).to.equal('43'));
      await page.unroute(path);
      expectRefusals(view, 404);
    });
  });

  it('a reload and a second tab go on without the secret, and show the same page; no script can read the session', async () => {
    await page.goto(`${app.baseUrl}/console/decisions/${decisionId}?version=1&node=granted`);
    await region('Node').getByRole('heading', { name: 'Rate' }).waitFor();
    // The desk keeps the widths of its panes.
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(kept).to.not.include('eyJ').and.not.include(scene.client.secret);
    const [cookie, ...others] = await view.context.cookies();
    expect(others).to.deep.equal([]);
    expect(cookie).to.include({ name: 'verdict-console', path: '/console', httpOnly: true, sameSite: 'Strict' });
    expect(cookie?.expires, 'ends with the browser').to.equal(-1);
    const tab = await view.context.newPage();
    await tab.goto(`${app.baseUrl}/console/executions`);
    await tab.getByRole('heading', { level: 1, name: 'Executions' }).waitFor();
    const { body } = await scene.caller.get('/core/v1/clients');
    const name = (body as { data: { id: string; name: string }[] }).data.find(({ id }) => id === scene.client.id)?.name;
    await tab
      .getByRole('banner')
      .getByText(name ?? 'no name')
      .waitFor();

    // Signing out ends all tabs, and the browser has nothing to go on with.
    await button('Sign out').click();
    for (const each of [page, tab]) await each.getByRole('button', { name: 'Sign in' }).waitFor();
    await tab.reload();
    await tab.getByRole('button', { name: 'Sign in' }).waitFor();
    await tab.close();
    expect(await view.context.cookies()).to.deep.equal([]);
    await view.open(`/decisions/${decisionId}?version=1&node=granted`);
    await region('Node').getByRole('heading', { name: 'Rate' }).waitFor();
  });

  it('offers a choice of several workspaces, which the address names', async () => {
    const store = testStore();
    const { tenantId, workspaceId } = scene;
    const other = await buildWorkspace(store, tenantId);
    await view.open('/decisions', await buildClient(store, { tenantId, workspaces: [workspaceId, other] }));
    await link('loan').waitFor();
    expect(new URL(page.url()).searchParams.get('workspace')).to.equal(workspaceId);
    await page.getByRole('combobox', { name: 'Workspace' }).selectOption(other);
    await page.getByText('There are no decisions yet.').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments' }).click();
    await page.getByText('There are no decisions to deploy yet.').waitFor();
    expect(new URL(page.url()).searchParams.get('workspace')).to.equal(other);
  });
});
