import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { expectAccessible } from '../support/axe.js';
import { ask, buildPerson, protect, requestsPath } from '../support/changes.js';
import { atConsole, expectNoSideways, openConsole, type ConsolePage } from '../support/consolePage.js';
import { loanFact } from '../support/consoleScene.js';
import { buildClient } from '../support/factories.js';
import { loan } from '../support/loan.js';
import { roles } from '../../src/oauth/roles.js';
import { buildScene, testStore, type Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

describe('the console’s requests', () => {
  let app: TestApp;
  let scene: Scene;
  let approver: Scene['client'];
  let environmentId: string;
  let decisionId: string;
  /** Of who asks, and of who approves. */
  let asking: ConsolePage;
  let approving: ConsolePage;

  atConsole(async (booted) => {
    app = booted;
    scene = await buildScene(app);
    const { tenantId, workspaceId } = scene;
    const scopes = roles.approver.scopes.join(' ');
    approver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Ann of risk', scopes });
    ({ decisionId, environmentId } = await scene.deployed('credit/loan.json', loan(5.4)));
    await scene.decision('credit/loan.json', loan(4.4));
    await protect(scene.caller, environmentId, { requires: { tests: true } });
    asking = await openConsole(app.baseUrl, scene);
    approving = await openConsole(app.baseUrl, { client: approver });
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const status = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').filter({ hasText: text }).waitFor();
  const executed = async (): Promise<unknown> => {
    const fact = { ...loanFact, score: 700 };
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    return ((await scene.caller.post(path, { fact })).body as { result: { rate: number } }).result.rate;
  };
  let address = '';

  it('opens one, which says what is missing and shows both versions', async () => {
    const { page } = asking;
    await asking.open('/requests');
    await button(page, 'New request').click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'credit/loan' });
    await dialog.getByRole('combobox', { name: 'Version' }).selectOption({ label: 'v2' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Spring rates');
    await dialog.getByRole('button', { name: 'Request', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring rates' }).waitFor();
    address = new URL(page.url()).pathname.replace('/console', '');
    await status(page, '1 approval by somebody who neither asked nor saved the version');
    await page.getByRole('region', { name: 'Before' }).waitFor();
    await page.getByRole('region', { name: 'After' }).waitFor();
    await page.getByRole('region', { name: 'Checks' }).getByText('PASSED').waitFor();
    await page.getByRole('region', { name: 'Changes' }).getByText('credit/loan v2 in place of v1').waitFor();
    // The author's approval would not count, and nothing can be applied yet.
    await page.getByText('your review would not count, because it is by who asked for it.').waitFor();
    const offered = page.getByRole('button', { name: /^(Approve|Reject|Apply)$/ });
    await soon(async () => expect(await offered.count()).to.equal(0));
    expect(await executed()).to.equal(5.4);
  });

  const toReview = (page: Page) => page.getByRole('link', { name: 'Requests 1 to review' });

  it('stands as a number beside Requests for who may review it, until it is decided, and not for who asked', async () => {
    await approving.open('/decisions');
    await toReview(approving.page).waitFor();
    await asking.go('/decisions');
    await soon(async () => expect(await toReview(asking.page).count()).to.equal(0));
  });

  it('is approved by another person, who writes a message alone, and applied by who asked', async () => {
    await approving.open(address);
    await approving.page.getByRole('textbox', { name: 'Message' }).fill('As agreed');
    await soon(async () => expect(await approving.page.locator('.primary').allInnerTexts()).to.deep.equal(['Approve']));
    await button(approving.page, 'Approve').click();
    await button(approving.page, 'Approve for Environment').click();
    await status(approving.page, 'APPROVED');
    await toReview(approving.page).waitFor({ state: 'detached' });
    await soon(async () => expect(await approving.page.locator('.primary').allInnerTexts()).to.deep.equal(['Apply']));
    const reviews = approving.page.getByRole('region', { name: 'Reviews' });
    await reviews.getByText('As agreed').waitFor();
    await soon(async () => expect(await reviews.innerText()).to.include('Ann of risk'));
    const { page } = asking;
    await asking.go('/requests');
    await asking.go(address);
    await button(page, 'Apply').click();
    const dialog = page.getByRole('dialog', { name: 'Apply “Spring rates”?' });
    await dialog.getByText('This goes to Environment now').waitFor();
    await dialog.getByText('credit/loan v2 in place of v1').waitFor();
    expect(await executed()).to.equal(5.4);
    await dialog.getByRole('button', { name: 'Apply for Environment' }).click();
    await status(page, 'APPLIED');
    expect(await executed()).to.equal(4.4);
  });

  it('says on Deployments and on the environment’s page that it is protected, what that means, and where to ask', async () => {
    const { page } = asking;
    await scene.caller.post('/logic/decisions', { key: 'unsaved.json', content: loan(5.4) });
    for (const path of [`/environments/${environmentId}`, '/deployments']) {
      await asking.go(path);
      await page
        .getByText('is protected: what runs there changes by a change request, which needs 1 approval by others')
        .waitFor();
    }
    await page.getByRole('columnheader').getByText('protected', { exact: true }).waitFor();
    await soon(async () => expect(await button(page, 'Deploy').count()).to.equal(0));
    await expectAccessible(page, 'deployments, protected');
    const unsaved = page.getByRole('row').filter({ hasText: 'unsaved' }).getByRole('button', { name: 'Request' });
    await soon(async () =>
      expect(await unsaved.getAttribute('title')).to.equal('There is no version of unsaved to ask for yet.'),
    );
    await unsaved.click({ force: true });
    await soon(async () => expect(await page.getByRole('dialog').count()).to.equal(0));
    await button(page, 'Request').first().click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    const chosen = (name: string) => dialog.getByRole('combobox', { name }).locator('option:checked').innerText();
    expect([await chosen('Environment'), await chosen('Decision')]).to.deep.equal(['Environment', 'credit/loan']);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open a change request for Environment' }).click();
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    expect(await chosen('Environment')).to.equal('Environment');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('is rolled back at once, without a request', async () => {
    const { page } = asking;
    await asking.go('/deployments');
    await button(page, 'Roll back').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back to v1' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await executed()).to.equal(5.4);
  });

  it('opens the form also for who asked before the names were there', async () => {
    const { page } = asking;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/environments*', async (route) => {
      await released;
      await route.continue();
    });
    await asking.go('/decisions');
    await page.evaluate(
      "history.pushState(null, '', '/console/requests'); dispatchEvent(new PopStateEvent('popstate'))",
    );
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor();
    await button(page, 'New request').focus();
    await page.keyboard.press('Enter');
    release();
    await page.getByRole('dialog', { name: 'New request' }).getByRole('textbox', { name: 'Title' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unroute('**/environments*');
  });

  it('offers to who may only read neither buttons nor pages that would be refused', async () => {
    const { tenantId, workspaceId } = scene;
    const scopes =
      'decisions:read decision:read environments:read environment:read deployments:read change:read variables:read';
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes, name: 'Reader' });
    const reading = await openConsole(app.baseUrl, { client });
    const { page } = reading;
    await reading.open('/deployments');
    await page.getByRole('cell').getByText(/^v\d$/).waitFor();
    const pages = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await soon(async () => expect(await pages.allInnerTexts()).to.deep.equal(['Decisions', 'Deployments', 'Requests']));
    const buttons = page.getByRole('main').getByRole('button');
    await soon(async () => expect(await buttons.allInnerTexts()).to.deep.equal(['▾ credit/', 'History']));
    const made = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 2 }]);
    await reading.go(`/requests/${made.id}`);
    await page.getByText('your token needs “approve and reject”').waitFor();
    await soon(async () =>
      expect(await page.getByRole('region', { name: 'Decide' }).getByRole('button').count()).to.equal(0),
    );
    await reading.go(`/environments/${environmentId}`);
    await page.getByText('your token needs “protect environments”').waitFor();
    await reading.close();
  });

  it('protects an environment in words, and no more', async () => {
    const { page } = asking;
    const other = await scene.environment();
    await asking.go(`/environments/${other}`);
    await page.getByText('It is not protected').waitFor();
    await button(page, 'Protect it').click();
    const dialog = page.getByRole('dialog', { name: 'Protect Environment' });
    await dialog.getByRole('combobox', { name: 'Approvals' }).selectOption('2');
    await dialog.getByRole('checkbox', { name: 'Its tests reach enough of its rows' }).check();
    await dialog.getByRole('spinbutton', { name: 'Percent of the rows' }).fill('80');
    await dialog.getByRole('checkbox', { name: 'In an emergency' }).check();
    await dialog
      .getByText('2 approvals by others than its authors, tests that pass and tests that reach 80 % of all rows')
      .waitFor();
    await expectAccessible(page, 'protecting an environment');
    await dialog.getByRole('button', { name: 'Protect' }).click();
    await page.getByText('is protected: what runs there changes by a change request').waitFor();
    const { body } = await scene.caller.get(`/logic/environments/${other}/protection`);
    expect(body).to.deep.equal({
      approvals: 2,
      authorMayApprove: false,
      requires: { tests: true, analysis: false, replay: null, coverage: 0.8 },
      override: true,
    });
    await button(page, 'Protect it no more').click();
    await button(page, 'Protect Environment no more').click();
    await page.getByText('It is not protected').waitFor();
    expect((await scene.caller.get(`/logic/environments/${other}/protection`)).status).to.equal(404);
  });

  it('says what does not count any more, and why; and is rejected', async () => {
    const made = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 2 }]);
    const { page } = approving;
    await approving.go(`/requests/${made.id}`);
    await button(page, 'Approve').click();
    await button(page, 'Approve for Environment').click();
    await status(page, 'APPROVED');
    await protect(scene.caller, environmentId, { approvals: 2, requires: { tests: true } });
    await approving.go('/requests');
    await approving.go(`/requests/${made.id}`);
    await page.getByText('because the protection changed: approvals: 1 → 2').waitFor();
    await page.getByText('of an earlier state: does not count').waitFor();
    await page.setViewportSize({ width: 320, height: 800 });
    await expectNoSideways(page, 'a request with a review that does not count');
    await page.setViewportSize({ width: 1280, height: 900 });
    // Another looks at it meanwhile.
    await asking.go(`/requests/${made.id}`);
    await status(asking.page, 'OPEN');
    await button(page, 'Reject').click();
    const dialog = page.getByRole('dialog', { name: /^Reject / });
    await dialog.getByText('That is its end').waitFor();
    await dialog.getByRole('button', { name: 'Reject for Environment' }).click();
    await status(page, 'REJECTED');
    await status(asking.page, 'REJECTED');
    expect((await scene.caller.get(`${requestsPath}/${made.id}`)).body).to.include({ state: 'REJECTED' });
  });

  it('is applied without approval in an emergency, with a reason, where the protection allows that alone', async () => {
    const { page } = asking;
    const emergency = button(page, 'Apply without approval …');
    const { caller } = await buildPerson(app, scene);
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).body).to.include({ version: 3 });
    const made = await ask(caller, environmentId, [{ type: 'deploy', decisionId, version: 3 }]);
    await asking.go(`/requests/${made.id}`);
    await page.getByText('your review would not count, because it is by who saved the version.').waitFor();
    await soon(async () => expect(await button(page, 'Approve').or(emergency).count()).to.equal(0));
    await protect(scene.caller, environmentId, { override: true });
    await asking.go('/requests');
    await asking.go(`/requests/${made.id}`);
    await emergency.click();
    const dialog = page.getByRole('dialog', { name: /^Apply without approval / });
    await dialog.getByRole('textbox', { name: 'What the emergency is' }).fill('The old rates cost us');
    await dialog.getByRole('button', { name: 'Apply without approval for Environment' }).click();
    await status(page, 'APPLIED');
    expect(await executed()).to.equal(4.4);
  });

  it('says before it is made that tests stand against it which the protection wants', async () => {
    const { page } = asking;
    await protect(scene.caller, environmentId, { requires: { tests: true } });
    const model = loan(5.4) as { tests: object[] };
    const red = { ...model, tests: model.tests.map((test) => ({ ...test, output: { decision: 'never' } })) };
    await scene.decision('credit/red.json', red);
    await scene.decision('credit/bare.json', { ...model, tests: [] });
    await asking.go('/requests');
    await button(page, 'New request').click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    const told = dialog.getByText('cannot be applied there: the protection of the environment wants tests that pass');
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'credit/loan' });
    await dialog
      .getByText(/tests? pass/)
      .first()
      .waitFor();
    await soon(async () => expect(await told.count()).to.equal(0));
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'credit/red' });
    await told.waitFor();
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'credit/bare' });
    await dialog.getByText('its check lets this version pass: where there are none, none fails').waitFor();
    await soon(async () => expect(await told.count()).to.equal(0));
    await page.keyboard.press('Escape');
  });

  it('are listed by names', async () => {
    const { page } = approving;
    await approving.go('/requests');
    const table = page.getByRole('table', { name: 'Requests' });
    await table.getByText('credit/loan v2').first().waitFor();
    await table.getByRole('link', { name: 'Spring rates' }).click();
    await status(page, 'APPLIED');
  });
});
