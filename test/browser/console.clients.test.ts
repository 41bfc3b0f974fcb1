import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { buildClient } from '../support/factories.js';
import { testStore, type Scene } from '../support/scene.js';
import { askToken } from '../support/tokens.js';
import { soon } from '../support/eventually.js';

describe('the console’s page of access', () => {
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  const { button } = useConsole(async (at) => {
    ({ app, scene, view, page } = at);
    await view.open('/access');
  });

  const row = (name: string) => page.getByRole('table', { name: 'Clients' }).getByRole('row').filter({ hasText: name });
  const dialog = (name: string) => page.getByRole('dialog', { name });
  const shownSecret = async (of: string): Promise<{ id: string; secret: string }> => {
    await dialog(`Secret of ${of}`).getByRole('status').waitFor();
    const [id = '', secret = ''] = await dialog(`Secret of ${of}`).locator('code').allInnerTexts();
    return { id, secret };
  };

  it('makes a client, whose secret it shows once, and says in words what it may do', async () => {
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await row('Test client').getByText('Everything').waitFor();
    await button('New client').click();
    const made = dialog('New client');
    await made.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await made.locator('summary', { hasText: 'Runs' }).click();
    await made.getByRole('checkbox', { name: 'Runs: execute what is deployed' }).check();
    await made.getByRole('checkbox', { name: 'Runs: search history' }).check();
    await made.getByRole('spinbutton', { name: 'Requests a second' }).fill('50');
    await made.getByRole('spinbutton', { name: 'At once' }).fill('100');
    await made.getByRole('button', { name: 'Create' }).click();
    const { id, secret } = await shownSecret('Shop');
    const token = await askToken(app.baseUrl, { id, secret });
    expect((token.body as { scope: string }).scope).to.equal('execution:write executions:read');
    await dialog('Secret of Shop').getByRole('checkbox').check();
    await dialog('Secret of Shop').getByRole('button', { name: 'Done' }).click();
    await row('Shop').getByText('Runs: execute what is deployed, search history').waitFor();
    await row('Shop').getByText('50 a second, 100 at once').waitFor();
    await soon(async () => expect(await page.getByText(secret).count(), 'the secret is gone').to.equal(0));
    const { workspaces } = (await scene.caller.get(`/core/v1/clients/${id}`)).body as { workspaces: string[] };
    expect(workspaces).to.deep.equal([scene.workspaceId]);
  });

  it('gives a client a role, which is a set of scopes', async () => {
    await button('New client').click();
    const made = dialog('New client');
    await made.getByRole('textbox', { name: 'Name' }).fill('Rita');
    await made.getByRole('button', { name: 'Create' }).click();
    await made.getByRole('alert').getByText('Choose a role, or tick what it may do.').waitFor();
    await made.getByRole('combobox', { name: 'Role' }).selectOption('auditor');
    // There is nothing to tick then.
    await soon(async () => expect(await made.getByRole('group', { name: 'May do' }).count()).to.equal(0));
    await made.getByRole('button', { name: 'Create' }).click();
    const { id } = await shownSecret('Rita');
    await dialog('Secret of Rita').getByRole('checkbox').check();
    await dialog('Secret of Rita').getByRole('button', { name: 'Done' }).click();
    await row('Rita').getByText('Auditor', { exact: true }).waitFor();
    const { scopes } = (await scene.caller.get(`/core/v1/clients/${id}`)).body as { scopes: string[] };
    expect(scopes).to.include.members(['audit:read', 'evidence:read']).and.not.include('decision:update');
  });

  it('disables and enables it, and makes a new secret', async () => {
    await button('Disable Shop').click();
    await row('Shop').getByText('disabled').waitFor();
    await button('Enable Shop').click();
    await row('Shop').getByText('enabled').waitFor();
    await button('New secret for Shop').click();
    await dialog('New secret for Shop').getByRole('button', { name: 'Make a new secret' }).click();
    const shown = await shownSecret('Shop');
    expect((await askToken(app.baseUrl, shown)).status).to.equal(200);
    // What is shown once is closed by its button alone, also where Escape is pressed again.
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    await page.evaluate(() => new Promise((shown) => setTimeout(shown, 100)));
    expect(await shownSecret('Shop')).to.deep.equal(shown);
    await dialog('Secret of Shop').getByRole('checkbox').check();
    await dialog('Secret of Shop').getByRole('button', { name: 'Done' }).click();
    await dialog('Secret of Shop').waitFor({ state: 'detached' });
  });

  it('grants and revokes a workspace, and changes what it may do', async () => {
    await button('Change Shop').click();
    const change = dialog('Change Shop');
    await change.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox').uncheck();
    await change.getByRole('checkbox', { name: 'Runs: search history' }).uncheck();
    await change.getByRole('spinbutton', { name: 'Requests a second' }).fill('');
    await change.getByRole('button', { name: 'Save' }).click();
    await row('Shop').getByText('no workspace').waitFor();
    await row('Shop').getByText('none', { exact: true }).waitFor();
    await button('Change Shop').click();
    await change.getByRole('group', { name: 'Workspaces' }).getByRole('checkbox').check();
    await change.getByRole('button', { name: 'Save' }).click();
    await row('Shop').getByText('no workspace').waitFor({ state: 'detached' });
  });

  it('adds a policy, and removes it', async () => {
    await page.getByText('There are no policies').waitFor();
    await button('New policy').click();
    const made = dialog('New policy');
    await made.getByRole('textbox', { name: 'Roles of their tokens, one a line' }).fill('analyst\neditor');
    await made.locator('summary', { hasText: 'Decisions' }).click();
    await made.getByRole('checkbox', { name: 'Decisions: list' }).check();
    await made.getByRole('button', { name: 'Add' }).click();
    const policy = page.getByRole('table', { name: 'Policies' }).getByRole('row').filter({ hasText: 'role analyst' });
    await policy.getByText('Decisions: list').waitFor();
    await policy.getByRole('button', { name: 'Remove the policy for role analyst, role editor' }).click();
    await page.getByText('There are no policies').waitFor();
  });

  it('says what one may not give, and leaves what was typed', async () => {
    const { workspaceId, tenantId } = scene;
    const scopes = 'clients:read client:write workspaces:read policies:read decisions:read';
    const giver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Giver', scopes });
    await view.open('/access', giver);
    await page.getByRole('button', { name: 'New client', exact: true }).click();
    const made = page.getByRole('dialog', { name: 'New client' });
    await made.getByRole('textbox', { name: 'Name' }).fill('Too much');
    await made.locator('summary', { hasText: 'Operations' }).click();
    await made.getByRole('checkbox', { name: 'Operations: watch the pool' }).check();
    await made.getByRole('button', { name: 'Create' }).click();
    await made.getByRole('alert').getByText('pool:read is not yours to give').waitFor();
    await soon(async () => expect(await made.getByRole('textbox', { name: 'Name' }).inputValue()).to.equal('Too much'));
    // The browser itself tells of the refusal.
    expect(view.complaints.splice(0)).to.have.length(1);
  });
});
