import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { expectAccessible } from '../support/axe.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildConsoleScene, type ConsoleScene } from '../support/consoleScene.js';
import { foreignFile } from '../support/foreignSheet.js';
import { drop } from '../support/hands.js';
import { keyboardOf, type Keyboard } from '../support/keyboard.js';
import { xlsxType } from '../support/sheets.js';
import { soon } from '../support/eventually.js';

describe('the console for operators', () => {
  let app: TestApp;
  let made: ConsoleScene;
  let view: ConsolePage;
  let page: Page;
  let keyboard: Keyboard;

  atConsole(async (booted) => {
    app = booted;
    made = await buildConsoleScene(app);
    view = await openConsole(app.baseUrl, made.scene);
    page = view.page;
    keyboard = keyboardOf(page);
    await view.open('/deployments');
  });

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const table = (name: string): Locator => page.getByRole('table', { name, exact: true });
  const dialog = (name: string): Locator => page.getByRole('dialog', { name, exact: true });
  const bodyOf = async (path: string): Promise<unknown> => (await made.scene.caller.get(path)).body;

  it('deployments stand in folders, which close, and are filtered', async () => {
    const link = (name: string): Locator => table('Deployments').getByRole('link', { name, exact: true });
    await link('private').waitFor();
    await page.getByRole('button', { name: /limits\// }).click();
    await link('private').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Show' }).selectOption('deployed');
    await link('discount').waitFor({ state: 'detached' });
    await link('loan').waitFor();
    await button('Clear').click();
    await page.getByRole('textbox', { name: 'Key' }).fill('discount');
    await page.keyboard.press('Enter');
    await link('discount').waitFor();
    await link('loan').waitFor({ state: 'detached' });
    await button('Clear').click();
  });

  it('all that was in force of a decision is its history', async () => {
    await button('History').click();
    const history = dialog('credit/loan in Production').getByRole('table', { name: 'History' });
    await soon(async () =>
      expect((await history.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t')[0])).to.deep.equal([
        'v2 in force',
        'v1',
      ]),
    );
    await expectAccessible(page, 'history of a deployment');
    // Only what was there before is rolled back to.
    const back = history.getByRole('button', { name: 'Roll back' });
    await soon(async () => expect(await back.count()).to.equal(1));
    await history.getByRole('row', { name: /^v1/ }).getByRole('button', { name: 'Roll back' }).click();
    await dialog('Roll back credit/loan in Production').getByRole('button', { name: 'Roll back to v1' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('an environment has a page: a variable is set, changed and removed, by keyboard alone', async () => {
    await keyboard.tabTo(table('Deployments').getByRole('link', { name: 'Production' }));
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Production' }).waitFor();
    await keyboard.tabTo(button('New variable'));
    await keyboard.press('Enter');
    await keyboard.tabTo(dialog('New variable').getByRole('textbox', { name: 'Name' }));
    await keyboard.type('RATE');
    await keyboard.tabTo(dialog('New variable').getByRole('textbox', { name: 'Value' }));
    await keyboard.type('12.5');
    await keyboard.tabTo(dialog('New variable').getByRole('button', { name: 'Save' }));
    await keyboard.press('Enter');
    await table('Variables').getByText('12.5').waitFor();

    await keyboard.tabTo(button('Change RATE'));
    await keyboard.press('Enter');
    await keyboard.tabTo(dialog('Change RATE').getByRole('textbox', { name: 'Value' }));
    await keyboard.replace('high');
    await keyboard.tabTo(dialog('Change RATE').getByRole('checkbox'));
    await keyboard.press('Space');
    await keyboard.tabTo(dialog('Change RATE').getByRole('button', { name: 'Save' }));
    await keyboard.press('Enter');
    await table('Variables').getByText('secret', { exact: true }).waitFor();
    await soon(async () => expect(await table('Variables').innerText()).to.not.include('high'));
    const { data } = (await bodyOf(`/logic/environments/${made.environmentId}/variables`)) as { data: object[] };
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ name: 'RATE', secret: true }).and.not.to.have.property('value');

    await keyboard.tabTo(button('Remove RATE'));
    await keyboard.press('Enter');
    await keyboard.tabTo(dialog('Remove RATE?').getByRole('button', { name: 'Remove' }));
    await keyboard.press('Enter');
    await page.getByText('There are none. Models read them as $env.NAME.').waitFor();
  });

  it('hosts are written one a line, and a refused one is told', async () => {
    const hosts = region('Hosts').getByRole('textbox', { name: 'Hosts, one a line' });
    await hosts.fill('rates.example.com\n\nscores.example.com');
    const path = '**/environments/*/hosts';
    await page.route(path, async (route) => {
      // What was saved is read again, and that may take its time.
      if (route.request().method() === 'GET') await sleep(500);
      await route.continue();
    });
    const readAgain = page.waitForResponse(
      (response) => /\/hosts$/.test(response.url()) && response.request().method() === 'GET',
    );
    await button('Save hosts').click();
    await region('Hosts').getByText('Saved.').waitFor({ state: 'attached' });
    await soon(async () =>
      expect(await bodyOf(`/logic/environments/${made.environmentId}/hosts`)).to.deep.equal({
        hosts: ['rates.example.com', 'scores.example.com'],
      }),
    );
    await hosts.fill('no host at all');
    await readAgain;
    await page.unroute(path);
    await button('Save hosts').click();
    await region('Hosts').getByRole('alert').waitFor();
    view.complaints.splice(0);
  });

  it('executions are filtered by the names of deployments, and from a time in the reader’s own zone', async () => {
    await view.go('/executions');
    const choice = page.getByRole('combobox', { name: 'Deployment' });
    await choice.locator('option').nth(2).waitFor({ state: 'attached' });
    const named = await choice.locator('option').allInnerTexts();
    expect(named).to.deep.equal(['any', 'credit/loan v2, Deployment', 'credit/loan v1, Deployment']);
    await choice.selectOption({ index: 1 });
    await page.waitForURL('**/executions?deploymentId=*');
    await table('Executions').getByRole('row').nth(8).waitFor();
    await choice.selectOption({ index: 2 });
    await page.getByText('Nothing fits these filters.').waitFor();
    await button('Clear').click();
    await page.getByLabel('From').fill('2100-01-31T09:30');
    await page.waitForURL(`**/executions?from=${encodeURIComponent('2100-01-31T09:30:00.000Z')}`);
    await page.getByText('Nothing fits these filters.').waitFor();
    await soon(async () => expect(await page.getByLabel('From').inputValue()).to.equal('2100-01-31T09:30'));
    await button('Clear').click();
  });

  it('what a list shows is taken home as a file, by the same filters', async () => {
    await view.go('/executions?status=COMPLETED');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('All as a file, without facts').click(),
    ]);
    expect(download.suggestedFilename()).to.equal('executions.csv');
    const [head = '', ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    const at = head.split(',').indexOf('status');
    expect(at).to.be.above(-1);
    const shown = await table('Executions').locator('tbody tr').count();
    expect(lines).to.have.length(shown);
    expect(new Set(lines.map((line) => line.split(',')[at]))).to.deep.equal(new Set(['COMPLETED']));
    await view.go('/executions');
  });

  it('a field of fact or result is searched for by equality, and it says how far it looked', async () => {
    await page.getByText('Search in facts and results').click();
    const form = page.getByRole('search', { name: 'Facts and results' });
    await form.getByRole('textbox', { name: 'Field' }).fill('score');
    await form.getByRole('textbox', { name: 'Is' }).fill('600');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 found in 8 executions.').waitFor();
    await soon(async () => expect(await table('Found').innerText()).to.contain('order-4712'));
    await expectAccessible(page, 'a search in facts');
    const [file] = await Promise.all([page.waitForEvent('download'), button('Download what was found').click()]);
    const [head = '', ...lines] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).to.have.length(1);
    const cells = new Map(head.split(',').map((name, at) => [name, lines[0]?.split(',')[at]]));
    expect([...cells.keys()].slice(0, 7)).to.deep.equal([
      ...['id', 'createdAt', 'status', 'decision', 'version', 'environment', 'reference'],
    ]);
    expect(['reference', 'fact.score', 'result.decision'].map((name) => cells.get(name))).to.deep.equal([
      ...['order-4712', '600', 'granted'],
    ]);
    await form.getByRole('textbox', { name: 'Field' }).fill('points');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.getByText(/^0 found in 8 executions. None has a field of that name; they have: .*\bscore\b/).waitFor();
    await form.getByRole('combobox', { name: 'In' }).selectOption('result');
    await form.getByRole('textbox', { name: 'Field' }).fill('decision');
    await form.getByRole('textbox', { name: 'Is' }).fill('granted');
    await form.getByRole('button', { name: 'Search' }).click();
    await page.getByText('8 found in 8 executions.').waitFor();
    // What is sought may be about people.
    expect(page.url()).to.not.include('granted');
  });

  it('and what was found is shown beside the filters and fields that it was found with alone', async () => {
    const found = page.getByText('8 found in 8 executions.');
    const [{ pathname: path }, decision] = [new URL(page.url()), page.getByRole('combobox', { name: 'Decision' })];
    await decision.selectOption('shop/discount');
    await page.getByText('Nothing fits these filters.').waitFor();
    await soon(async () => expect([await found.count(), await table('Found').count()]).to.deep.equal([0, 0]));
    // As a click on Executions in the head.
    await view.go(path.replace(/^\/console/, ''));
    await found.waitFor();
    await table('Found').waitFor();
    await page.getByRole('search', { name: 'Facts and results' }).getByRole('textbox', { name: 'Is' }).fill('refused');
    await found.waitFor({ state: 'detached' });
  });

  it('an execution names its deployment, and who asked', async () => {
    await view.go(`/executions/${made.executionId}`);
    await page.getByRole('link', { name: 'Deployment', exact: true }).waitFor();
    // It may be called `Roll back to v1`, and is nothing to be done.
    await page.getByText(/“Deployment” of \d/).waitFor();
    const { data } = (await bodyOf('/core/v1/clients')) as { data: { id: string; name: string }[] };
    const name = data.find(({ id }) => id === made.scene.client.id)?.name ?? 'no name';
    await page.getByRole('main').getByText(name).waitFor();
  });

  it('a new decision is made of a spreadsheet that is dropped, whose input columns a person names', async () => {
    await view.go('/decisions');
    const csv = 'product,score,rate\nPersonal,750-850,3.9\nCar,620-749,5.4\n';
    await drop(page, { name: 'rates.csv', text: csv });
    await dialog('New decision').getByRole('checkbox', { name: 'score' }).waitFor();
    await soon(async () =>
      expect(await dialog('New decision').getByRole('textbox', { name: 'Key' }).inputValue()).to.equal('rates'),
    );
    await dialog('New decision').getByRole('checkbox', { name: 'product' }).check();
    await dialog('New decision').getByRole('checkbox', { name: 'score' }).uncheck();
    await expectAccessible(page, 'a new decision of a spreadsheet');
    await dialog('New decision').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/decisions/*/edit');
    const id = new URL(page.url()).pathname.split('/').at(-2) ?? '';
    const { content } = (await bodyOf(`/logic/decisions/${id}/versions/0`)) as {
      content: { nodes: { type: string; content: { inputs: { name: string }[]; outputs: { name: string }[] } }[] };
    };
    const table = content.nodes.find(({ type }) => type === 'decisionTableNode')?.content;
    expect(table?.inputs.map(({ name }) => name)).to.deep.equal(['product']);
    expect(table?.outputs.map(({ name }) => name)).to.deep.equal(['score', 'rate']);
  });

  it('a formula that has no value is an error of a new decision, which stays in it', async () => {
    await view.go('/decisions');
    await button('New decision').click();
    const rows = [
      ['score', 'rate'],
      ...Array.from({ length: 30 }, () => [{ value: '1' }, { formula: 'A1', value: '2' }]),
    ];
    const bytes = foreignFile({ rows: [...rows, [{ formula: 'B2*2' }, { value: '5' }]] });
    const file = { name: 'odd.xlsx', mimeType: xlsxType, buffer: Buffer.from(bytes) };
    await dialog('New decision').locator('input[type=file]').setInputFiles(file);
    await dialog('New decision')
      .locator('.fault.error')
      .getByText('The cell has a formula and no stored value')
      .waitFor();
    await dialog('New decision').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL('**/decisions/*/edit');
    await page.locator('.fault, [class*="fault"]').getByText('=B2*2').first().waitFor();
  });

  it('a file that is no model is refused where it was chosen', async () => {
    await view.go('/decisions');
    await button('New decision').click();
    const file = { name: 'list.json', mimeType: 'application/json', buffer: Buffer.from('[1]') };
    await dialog('New decision').locator('input[type=file]').setInputFiles(file);
    await dialog('New decision').getByText('This file is no model: it has no nodes.').waitFor();
    // Nothing is made in its place, but of the next file.
    await soon(async () =>
      expect(await dialog('New decision').getByRole('button', { name: 'Create' }).count()).to.equal(0),
    );
    await dialog('New decision').getByRole('button', { name: 'Try again' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('a dialog stays with what was typed in it where a chooser of files is left without one', async () => {
    await view.go('/decisions');
    await button('New decision').click();
    await dialog('New decision').getByRole('textbox', { name: 'Key' }).fill('typed before');
    // As a browser tells of it: a chooser of the system's own cannot be reached from here.
    await dialog('New decision').locator('input[type=file]').dispatchEvent('cancel');
    await soon(async () =>
      expect(await dialog('New decision').getByRole('textbox', { name: 'Key' }).inputValue()).to.equal('typed before'),
    );
    await page.keyboard.press('Escape');
    await dialog('New decision').waitFor({ state: 'detached' });
  });
});
