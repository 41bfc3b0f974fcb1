import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { expectAccessible } from '../support/axe.js';
import { ask, protect } from '../support/changes.js';
import { atConsole, openConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { buildConsoleScene, loanFact, type ConsoleScene } from '../support/consoleScene.js';
import { buildScene, type Scene } from '../support/scene.js';

// One walk over everything that the console shows: each page, with and without something on it, each dialog, the editor.

describe('the console for everybody', () => {
  let app: TestApp;
  let made: ConsoleScene;
  let requestId: string;
  let empty: Scene;
  let view: ConsolePage;
  let page: Page;

  atConsole(async (booted) => {
    app = booted;
    [made, empty] = await Promise.all([buildConsoleScene(app), buildScene(app)]);
    const { caller } = made.scene;
    const environmentId = await made.scene.environment();
    await made.scene.deploy(made.decisionId, environmentId, 1);
    await protect(caller, environmentId, { requires: { tests: true } });
    const change = { type: 'deploy', decisionId: made.decisionId, version: 2 };
    ({ id: requestId } = await ask(caller, environmentId, [change]));
    view = await openConsole(app.baseUrl, made.scene);
    page = view.page;
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const run = async (fact: string, shown: Locator): Promise<void> => {
    await writeFact(page, fact);
    await button('Run').click();
    await shown.waitFor();
  };
  const region = (name: string) => page.getByRole('region', { name, exact: true });

  it('the sign-in is for everybody', async () => {
    await page.goto(`${app.baseUrl}/console`);
    await button('Sign in').waitFor();
    await expectAccessible(page, 'sign-in');
  });

  for (const [path, text] of [
    ['/decisions', 'There are no decisions yet.'],
    ['/deployments', 'There are no decisions to deploy yet.'],
    ['/executions', 'No execution yet.'],
    ['/requests', 'No request.'],
    ['/replays', 'No replay yet.'],
  ] as const) {
    it(`${path} says what to do first where there is nothing`, async () => {
      if (path === '/decisions') await view.open(path, empty.client);
      else await view.go(path);
      await page.getByText(text).waitFor();
      await expectAccessible(page, `${path}, empty`);
    });
  }

  it('a choice of which there is nothing to choose is no text to type', async () => {
    await view.go('/requests?new=yes');
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByText('No environment is protected').waitFor();
    for (const name of ['Environment', 'Decision', 'Version']) {
      await dialog.getByRole('combobox', { name, exact: true }).waitFor();
    }
    await page.keyboard.press('Escape');
  });

  /** What is waited for says that the page has all that it shows. */
  const pages: readonly (readonly [string, () => string, () => Promise<unknown>])[] = [
    ['Decisions', () => '/decisions', () => page.getByRole('link', { name: 'loan' }).waitFor()],
    [
      'Found by a text',
      () => '/decisions?text=income',
      async () => {
        await page.getByRole('link', { name: 'loan' }).waitFor();
        await page.getByRole('link', { name: 'discount' }).waitFor({ state: 'detached' });
      },
    ],
    ['Nothing found', () => '/decisions?key=nothing', () => page.getByText('No key has').waitFor()],
    [
      'Model',
      () => `/decisions/${made.decisionId}?version=2&node=granted`,
      async () => {
        await run(JSON.stringify(loanFact), region('Result').getByText('rate', { exact: true }));
      },
    ],
    [
      'Model, an unfit fact',
      () => `/decisions/${made.decisionId}`,
      async () => {
        // The page before had a field of the same name.
        await region('Result').getByText('rate', { exact: true }).waitFor({ state: 'detached' });
        await run('{', page.getByRole('alert'));
      },
    ],
    [
      'Tests',
      () => `/decisions/${made.decisionId}?tab=tests&node=granted`,
      async () => {
        await button('Run all').click();
        await region('Coverage').waitFor();
        await region('Node').getByText('not tested').first().waitFor();
      },
    ],
    [
      'Analysis',
      () => `/decisions/${made.decisionId}?tab=analysis`,
      () => page.getByText('rows and branches').waitFor(),
    ],
    ['Outcomes', () => `/decisions/${made.decisionId}/outcomes`, () => page.getByText('No monitor').waitFor()],
    [
      'Outcomes, counted',
      () => `/decisions/${made.decisionId}/outcomes?step=day`,
      () => page.getByRole('table', { name: 'By day and version' }).waitFor(),
    ],
    ['Changes', () => `/decisions/${made.decisionId}?tab=changes`, () => page.getByRole('table').waitFor()],
    ['Audit', () => '/audit', () => page.getByRole('table').waitFor()],
    [
      'Compare',
      () => `/decisions/${made.decisionId}/compare?from=1&to=2&node=granted`,
      () => region('Differences').waitFor(),
    ],
    ['Deployments', () => '/deployments', () => button('Roll back').waitFor()],
    ['Executions', () => '/executions', () => page.getByRole('table').waitFor()],
    ['Nothing fits', () => '/executions?reference=nothing', () => page.getByText('Nothing fits').waitFor()],
    [
      'Execution',
      () => `/executions/${made.executionId}?node=granted`,
      async () => {
        await button('Explain').click();
        await region('Explanation').getByText('exact', { exact: true }).waitFor();
        await region('Node').waitFor();
      },
    ],
    ['Replays', () => '/replays', () => page.getByRole('table').waitFor()],
    [
      'Replay',
      () => `/replays/${made.replayId}?node=granted`,
      async () => {
        await button('Compare').first().click();
        await region('After').getByRole('button', { name: 'Rate', exact: true }).waitFor();
      },
    ],
    ['Requests', () => '/requests', () => page.getByRole('link', { name: 'A change' }).waitFor()],
    [
      'Request',
      () => `/requests/${requestId}`,
      () => region('After').getByRole('button', { name: 'Rate', exact: true }).waitFor(),
    ],
    [
      'Environment',
      () => `/environments/${made.environmentId}`,
      () => page.getByRole('textbox', { name: 'Hosts, one a line' }).waitFor(),
    ],
    ['Oversight', () => '/oversight', () => page.getByText('The records were').waitFor()],
    ['Pool', () => '/pool', () => page.getByRole('figure').first().waitFor()],
    ['Access', () => '/access', () => page.getByRole('table', { name: 'Clients' }).waitFor()],
    ['No such page', () => '/nothing', () => page.getByText('There is no such page').waitFor()],
  ];

  for (const [name, path, isThere] of pages) {
    it(`${name} is for everybody`, async () => {
      if (name === 'Decisions') await view.open(path());
      else await view.go(path());
      await isThere();
      await expectAccessible(page, name);
    });
  }

  for (const [path, opener, title] of [
    ['/decisions', 'New decision', 'New decision'],
    ['/deployments', 'New environment', 'New environment'],
    ['/deployments', 'Deploy', 'Deploy '],
    ['/deployments', 'Roll back', 'Roll back '],
    ['/requests', 'New request', 'New request'],
    ['/replays', 'Start a replay', 'Start a replay'],
    ['/access', 'New client', 'New client'],
    ['/access', 'New policy', 'New policy'],
    ['/decisions/:decision/outcomes', 'New monitor', 'New monitor'],
    ['/environments/:environment', 'New variable', 'New variable'],
    ['/decisions/:decision/edit?tab=tests', 'Add test', 'New test'],
    ['/decisions/:decision/edit?tab=tests', 'Suggest tests', 'Suggested tests'],
  ] as const) {
    it(`the dialog “${opener}” is for everybody`, async () => {
      await view.go(path.replace(':decision', made.decisionId).replace(':environment', made.environmentId));
      await button(opener).first().click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await expectAccessible(page, opener);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    });
  }

  it('the desk is for everybody: its graph, a table, a cell, a column, expressions, a function, a schema, its keys', async () => {
    await view.go(`/decisions/${made.decisionId}/edit`);
    const graph = button('Graph');
    await button('Rate').waitFor();
    await expectAccessible(page, 'desk, graph');
    await button('Rate').click();
    const cell = page.getByRole('gridcell', { name: '4.4', exact: true });
    await cell.waitFor();
    await expectAccessible(page, 'desk, table');
    await cell.dblclick();
    await page.keyboard.type(' +');
    await region('Faults').getByText('Rate, row 2, output rate').waitFor();
    await expectAccessible(page, 'desk, cell');
    await page.keyboard.press('Escape');
    await button('Edit column').click();
    await page.getByRole('dialog', { name: 'Change output' }).waitFor();
    await expectAccessible(page, 'desk, column');
    await page.keyboard.press('Escape');
    for (const [node, isThere] of [
      ['Ratios', page.getByRole('gridcell', { name: 'debtRatio', exact: true })],
      ['Which way', page.getByRole('gridcell', { name: 'otherwise', exact: true })],
      ['Application', button('Add field')],
    ] as const) {
      await graph.click();
      await button(node).click();
      await isThere.waitFor();
      await expectAccessible(page, `desk, ${node}`);
    }
    await graph.click();
    await button('Add Function').click();
    await button('Function').click();
    await page.getByRole('textbox', { name: 'Source' }).waitFor();
    await expectAccessible(page, 'desk, function');
    await button('Keys').click();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await expectAccessible(page, 'desk, keys');
    await page.keyboard.press('Escape');
    for (const name of ['Result', 'Tests', 'Analysis', 'Changes']) {
      await page.getByRole('tab', { name }).click();
      await expectAccessible(page, `desk, ${name}`);
    }
    await button('Undo').click();
  });
});
