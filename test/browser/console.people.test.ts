import { expect } from 'chai';
import { roles, type RoleName } from '../../src/oauth/roles.js';
import type { TestApp } from '../support/app.js';
import { expectAccessible } from '../support/axe.js';
import { isLong } from '../support/environment.js';
import { ask, protect, review } from '../support/changes.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildConsoleScene, type ConsoleScene } from '../support/consoleScene.js';
import { buildClient } from '../support/factories.js';
import { callerOf } from '../support/http.js';
import { expressing } from '../support/models.js';
import { testStore } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';
import { eventually, soon } from '../support/eventually.js';

/** In the short form every third page for each role, so that each page is read by one or two of them. */
const inTurn = <Each>(pages: readonly Each[], turn: number): readonly Each[] =>
  pages.filter((_, at) => isLong || (at + turn) % 3 === 0);

/** What somebody of a role finds around the desk. */
describe('the console for approver, auditor and operator', () => {
  let app: TestApp;
  let made: ConsoleScene;
  let guarded: string;
  let requestId: string;
  let view: ConsolePage;

  const clientOf = (name: string, role: RoleName) => {
    const { tenantId, workspaceId } = made.scene;
    const scopes = roles[role].scopes.join(' ');
    return buildClient(testStore(), { tenantId, workspaces: [workspaceId], name, scopes });
  };
  const people = new Map<RoleName, Awaited<ReturnType<typeof clientOf>>>();

  atConsole(async (booted) => {
    app = booted;
    made = await buildConsoleScene(app);
    for (const [role, name] of [
      ['author', 'Oscar Author'],
      ['approver', 'Anna Approver'],
      ['auditor', 'Aud Itor'],
      ['operator', 'Ole Operator'],
    ] as const)
      people.set(role, await clientOf(name, role));
    guarded = await made.scene.environment();
    await made.scene.deploy(made.decisionId, guarded, 1);
    await protect(made.scene.caller, guarded, { requires: { tests: true } });
    const caller = async (role: RoleName) =>
      callerOf(app.baseUrl, await tokenOf(app.baseUrl, people.get(role)!), made.scene.workspaceId);
    const change = { type: 'deploy', decisionId: made.decisionId, version: 2 };
    const request = await ask(await caller('author'), guarded, [change]);
    requestId = request.id;
    expect((await review(await caller('approver'), request, 'comment')).status).to.equal(201);
    view = await openConsole(app.baseUrl, made.scene);
  });

  it('names people to each role that reads what they did, itself in the head too', async () => {
    const seen: readonly (readonly [path: string, name: string])[] = [
      [`/requests/${requestId}`, 'Oscar Author'],
      [`/requests/${requestId}`, 'Anna Approver'],
      ['/requests', 'Oscar Author'],
      ['/audit', 'Oscar Author'],
      [`/decisions/${made.decisionId}?version=2`, 'test (command line)'],
      [`/executions/${made.executionId}`, 'Test client'],
      ['/deployments', 'Test client'],
    ];
    const readers = [
      ['approver', 'Anna Approver'],
      ['auditor', 'Aud Itor'],
      ['operator', 'Ole Operator'],
    ] as const;
    for (const [turn, [role, name]] of readers.entries()) {
      await view.open('/decisions', people.get(role));
      await view.page.getByRole('banner').getByText(name).waitFor();
      for (const [path, text] of inTurn(seen, turn)) {
        await view.go(path);
        const main = view.page.getByRole('main');
        await main.getByText(text).filter({ visible: true }).first().waitFor();
        await soon(async () => expect(await main.innerText(), `${role} on ${path}`).to.not.include('client:'));
      }
    }
  });

  it('shows a decision to look at where the address of its editor came to somebody who may not change it', async () => {
    await view.open(`/decisions/${made.decisionId}/edit`, people.get('approver'));
    const main = view.page.getByRole('main');
    await main.getByText('This is to look at.').waitFor();
    await main.locator('.model-graph svg').first().waitFor();
    for (const name of ['Keep as working copy', 'Save version', 'Deploy', 'Edit'])
      await soon(async () => expect(await main.getByText(name, { exact: true }).count(), name).to.equal(0));
  });

  describe('before and after a version is asked for', () => {
    let ratesId: string;
    before(async () => {
      const tests = [
        { name: 'Low', input: { x: 1 }, output: { rate: 1.25 } },
        { name: 'None', input: { x: 0 }, output: { rate: 0 } },
      ];
      ratesId = await made.scene.decision('rates.json', { ...expressing({ rate: 'x * 1.3' }), tests });
    });
    const dialog = () => view.page.getByRole('dialog');
    const openNew = async (): Promise<void> => {
      await view.go(`/requests?new=yes&environment=${guarded}`);
      await dialog().getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'rates' });
    };
    const red = async (): Promise<void> => {
      const failed = dialog().getByRole('region', { name: 'Failed tests' });
      await failed.getByText('1 of 2 tests fails').waitFor();
      await soon(async () =>
        expect(await failed.getByRole('listitem').first().innerText()).to.match(/Low\s+rate: expected 1.25, got 1.3/),
      );
    };

    it('says in both dialogs which tests fail, and what a working copy in force means', async () => {
      await view.open('/deployments?decision=' + ratesId);
      await view.page.getByRole('button', { name: 'Deploy', exact: true }).first().click();
      await red();
      const choice = dialog().getByRole('combobox', { name: 'Version' });
      await choice.selectOption({ label: 'working copy, as it changes' });
      await dialog().getByText('whatever somebody keeps as the working copy runs in').waitFor();
      await view.page.keyboard.press('Escape');
      await openNew();
      await red();
      const options = await dialog().getByRole('combobox', { name: 'Version' }).locator('option').allInnerTexts();
      expect(options).to.deep.equal(['v1']);
    });

    it('says that a request for it is open there before another is made, with the way to it', async () => {
      await dialog().getByRole('textbox', { name: 'Title' }).fill('New rates');
      await dialog().getByRole('button', { name: 'Request', exact: true }).click();
      await view.page.getByRole('heading', { level: 1, name: 'New rates' }).waitFor();
      await openNew();
      const open = dialog().getByRole('status').filter({ hasText: 'A request for it is open there' });
      await open.getByRole('link', { name: 'New rates' }).click();
      await view.page.getByRole('heading', { level: 1, name: 'New rates' }).waitFor();
    });

    it('reports to who approves which tests fail, with what they expected, in words', async () => {
      const checks = view.page.getByRole('region', { name: 'Checks' });
      await checks.getByText('rates, version 1: 1 of 2 tests passed.').waitFor();
      await checks.getByRole('button', { name: 'Reports' }).click();
      const report = view.page.getByRole('region', { name: 'Report of tests' });
      await report.getByText('Low').waitFor();
      await soon(async () =>
        expect(await report.innerText())
          .to.match(/Low\s+rate: expected 1.25, got 1.3/)
          .and.not.include('{'),
      );
    });
  });

  it('asks for nothing that a role may not read, on all pages that its menu offers and those that they lead to', async () => {
    const { page } = view;
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${new URL(page.url()).pathname}: ${response.url()}`);
    });
    const model = `/decisions/${made.decisionId}`;
    const { tenantId, workspaceId } = made.scene;
    const scopes = 'decisions:read decision:read shadow:read';
    const reader = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Reader', scopes });
    for (const [turn, [role, client]] of [...people, ['one who reads models', reader] as const].entries()) {
      await view.open('/decisions', client);
      const menu = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
      const offered = await Promise.all((await menu.all()).map((link) => link.getAttribute('href')));
      expect(offered.length, role).to.be.above(1);
      const paths = offered.map((path) => path?.replace(/^.*\/console/, '') ?? '');
      const inner = [model, `${model}?tab=tests`, `${model}?tab=changes`, `${model}/outcomes`, `${model}/edit`];
      inner.push(`${model}/compare?from=1&to=2`, `/environments/${guarded}`, `/requests/${requestId}`);
      inner.push(`/executions/${made.executionId}`, `/replays/${made.replayId}`);
      for (const path of [...paths, ...inTurn(inner, turn)]) await view.go(path);
    }
    expect(refused).to.deep.equal([]);
  });

  it('offers a change request to who may ask for it alone, in words that end in “and”', async () => {
    const offer = view.page.getByRole('link', { name: /^Open a change request for/ });
    for (const [role, count] of [
      ['approver', 0],
      ['operator', 1],
    ] as const) {
      await view.open('/deployments', people.get(role));
      await view.page.getByText('1 approval by others than its authors and tests that pass').waitFor();
      await soon(async () => expect(await offer.count(), role).to.equal(count));
    }
    await view.go(`/environments/${guarded}`);
    const menu = view.page.getByRole('navigation', { name: 'Pages' });
    await menu.locator('[aria-current=page]').getByText('Deployments').waitFor();
    await soon(async () =>
      expect(await view.page.getByRole('main').getByText('Environment', { exact: true }).count()).to.equal(2),
    );
  });

  it('tells an auditor who did what in sentences, with names, and no hash or id in the details', async () => {
    const { caller } = made.scene;
    const content = expressing({ rate: 'x * 1.4' });
    const decisionId = await made.scene.decision('told.json', expressing({ rate: 'x * 1.3' }));
    expect((await caller.patch(`/logic/decisions/${decisionId}`, { content })).status).to.equal(200);
    await view.open('/audit', people.get('auditor'));
    const { page } = view;
    await page.getByText('changed Calculation in told').waitFor();
    for (const sentence of [/protected\s+Environment/, /deployed v2 of\s+credit\/loan\s+to\s+Production/])
      await page.getByText(sentence).first().waitFor();
    await page.getByRole('combobox', { name: 'What was done' }).selectOption({ label: 'made the request' });
    await page.getByRole('row').filter({ hasText: 'made the request' }).first().waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    for (const fold of await page.locator('details > summary').allInnerTexts())
      expect(fold).to.not.match(/contentHash|digest|notice|all of it/);
  });

  it('explains an execution in sentences with values first, and gives it and a request as pages to print', async () => {
    const { page } = view;
    await view.go(`/executions/${made.executionId}`);
    // Each is a run of its own.
    let runs = 0;
    page.on('request', (request) => (runs += Number(request.url().includes('/explanation'))));
    await page.getByRole('button', { name: 'Explain' }).click();
    const told = page.getByRole('group', { name: 'In sentences' });
    await told
      .getByText(/because/)
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    expect(runs).to.equal(1);
    for (const [path, name] of [
      [null, /^explanation loan [0-9a-f-]{36}\.html$/],
      [`/requests/${requestId}`, /^change request\.html$/],
    ] as const) {
      if (path !== null) await view.go(path);
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Page to print' }).click();
      expect((await file).suggestedFilename()).to.match(name);
    }
  });

  it('has a page of monitors, shadows, erasures and evidence, as far as its reader may read them', async () => {
    const { page } = view;
    for (const [role, sections] of [
      ['auditor', ['Monitors', 'Shadows', 'Erasures', 'Evidence']],
      ['operator', ['Monitors', 'Shadows']],
    ] as const) {
      await view.open('/decisions', people.get(role));
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Oversight' }).click();
      await page.getByRole('region', { name: 'Shadows' }).getByText('No version runs beside').waitFor();
      const names = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
      expect(names, role).to.deep.equal(sections);
    }
  });

  it('has a version tried beside live executions by who may, until that is ended', async () => {
    const { page } = view;
    const shadows = page.getByRole('region', { name: 'Shadows' });
    await view.open('/oversight', people.get('auditor'));
    await shadows.getByText('No version runs beside').waitFor();
    await soon(async () => expect(await shadows.getByRole('button').count()).to.equal(0));
    await view.open('/oversight', people.get('operator'));
    await shadows.getByRole('button', { name: 'Start a shadow' }).click();
    await expectAccessible(page, 'a shadow that is to be started');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await shadows
      .getByRole('row')
      .filter({ hasText: 'running' })
      .getByText('working copy on 10 % of executions')
      .waitFor();
    await view.go('/audit');
    await page
      .getByText(/made a shadow of .+ in Environment/)
      .first()
      .waitFor();
    await view.go('/oversight');
    await shadows.getByRole('button', { name: 'End' }).click();
    await shadows.getByRole('row').filter({ hasText: 'cancelled' }).waitFor();
    await shadows.getByRole('button', { name: 'Remove' }).click();
    await shadows.getByText('No version runs beside').waitFor();
  });

  it('names who came after the page had asked for names, and who it was that deployed what is rolled back to', async () => {
    await view.open('/deployments');
    await view.page.getByText('Test client').first().waitFor();
    const late = await clientOf('Nina Newcomer', 'operator');
    const { workspaceId } = made.scene;
    const caller = callerOf(app.baseUrl, await tokenOf(app.baseUrl, late), workspaceId);
    const { body } = await made.scene.caller.post('/logic/environments', { name: 'Late' });
    const of = { environmentId: (body as { id: string }).id, decisionId: made.decisionId, deployedBy: 'The CRO' };
    for (const version of [1, 2])
      expect((await caller.post('/logic/deployments', { ...of, version, name: `v${version}` })).status).to.equal(201);
    const cell = view.page.getByRole('cell').filter({ hasText: 'Nina Newcomer for The CRO' });
    await eventually(async () => {
      await view.go('/decisions');
      await view.go('/deployments');
      return (await cell.count()) === 1;
    });
    await cell.getByRole('button', { name: 'Roll back' }).click();
    await view.page.getByRole('dialog').getByText('which Nina Newcomer for The CRO deployed').waitFor();
    await view.page.keyboard.press('Escape');
  });
});
