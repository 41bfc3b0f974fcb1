import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { useConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { loan } from '../support/loan.js';
import { buildClient, buildWorkspace } from '../support/factories.js';
import { testStore, type Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

const fact = { age: 41, income: 5000, debts: 400, amount: 12000, months: 48, score: 700 };

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
    await writeFact(page, JSON.stringify(fact));
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

  it('says what is wrong with a fact before it is sent', async () => {
    await writeFact(page, '{"age": }');
    await button('Run').click();
    await soon(async () => expect(await page.getByRole('alert').innerText()).to.contain('This is no JSON'));
  });

  it('runs the fact of a test of the model, and all its tests', async () => {
    await page.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'under age' });
    await button('Run').click();
    await region('Result').getByText('under age').waitFor();
    await page.getByRole('tab', { name: 'Tests' }).click();
    await button('Run all').click();
    await page.getByText('1 passed').waitFor();
    await page.getByRole('tab', { name: 'Fact' }).click();
    // What was run is still there.
    await region('Result').getByText('under age').waitFor();
  });

  it('edits a cell, tells of a fault while it is typed, runs the draft, and saves it as a version', async () => {
    await link('Edit').click();
    await button('Graph').click();
    await button('Rate').click();
    await page.getByRole('grid', { name: 'Rate' }).getByRole('gridcell', { name: '5.4', exact: true }).click();
    await page.keyboard.type('4.4 +');
    await region('Faults').getByText('Rate, row 2, output rate').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await region('Faults').getByText('No faults.').waitFor();
    await writeFact(page, JSON.stringify(fact));
    await button('Run').click();
    await region('Result').getByText('rate 4.4').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Cheaper');
    await button('Save version').click();
    await link('v2').waitFor();
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions`);
    const versions = (body as { data: { version: number; message: string | null }[] }).data;
    expect(versions.map(({ version, message }) => ({ version, message }))).to.deep.equal([
      { version: 1, message: null },
      { version: 2, message: 'Cheaper' },
    ]);
  });

  it('deploys a version, and another one', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments' }).click();
    await button('Deploy').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption('1');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('cell').getByText('v1').waitFor();
    const { name: own } = (await scene.caller.get(`/core/v1/clients/${scene.client.id}`)).body as { name: string };
    await soon(async () => expect(await page.getByRole('cell').first().innerText()).to.contain(`${own},`));
    await soon(async () => expect(await button('Roll back').count()).to.equal(0));

    await button('Deploy').click();
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption('2');
    await dialog.getByRole('button', { name: 'Deploy' }).click();
    await page.getByRole('cell').getByText('v2').waitFor();
  });

  it('shows two versions side by side', async () => {
    await view.go(`/decisions/${decisionId}/compare?from=1&to=2`);
    await region('Differences').getByText('1 difference').waitFor();
    const row = region('Differences').getByRole('row').nth(1);
    await soon(async () =>
      expect((await row.innerText()).split(/\s*\t\s*/)).to.deep.equal([
        'Rate',
        'row 2, Yearly rate in percent\n[620..750)',
        'changed',
        '5.4',
        '4.4',
      ]),
    );
    await row.getByRole('button', { name: 'Rate' }).click();
    await region('After').getByRole('region', { name: 'Node' }).getByText('4.4').waitFor();
    await region('Before').getByRole('region', { name: 'Node' }).getByText('5.4').waitFor();
    await soon(async () =>
      expect(await region('After').getByRole('heading', { level: 2 }).first().innerText()).to.equal('v2: Cheaper'),
    );
    const change = region('What changes').getByRole('row').nth(1);
    await soon(async () =>
      expect(await change.innerText())
        .to.contain('Credit score is from 620 to under 750')
        .and.to.contain('rate: 5.4 → 4.4'),
    );
  });

  it('finds an execution by its reference', async () => {
    const executions = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    // More digits than JavaScript's numbers have.
    const body = JSON.stringify({ fact: { ...fact, account: 'x' } }).replace('"x"', '12345678901234567891');
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

  it('explains it on the graph of the version that ran', async () => {
    await button('Explain').click();
    await region('Explanation').getByText('exact', { exact: true }).waitFor();
    await soon(async () => expect(await region('Explanation').locator('[aria-current="step"]').count()).to.equal(5));
    await region('Explanation').getByRole('button', { name: 'Rate' }).click();
    await soon(async () => expect(await region('Node').locator('[aria-current="true"]').innerText()).to.contain('4.4'));
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
    const { body } = await scene.caller.get('/logic/deployments');
    const versions = (body as { data: { version: number }[] }).data.map(({ version }) => version);
    expect(versions).to.deep.equal([1, 2, 1]);
  });

  it('watches the pool', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Pool' }).click();
    await page.getByText('Throughput').waitFor();
    await page.getByRole('figure').first().waitFor();
    await soon(async () =>
      expect(await page.getByRole('table', { name: 'Processes' }).getByRole('row').count()).to.equal(2),
    );
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
