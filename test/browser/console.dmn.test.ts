import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { ask, protect } from '../support/changes.js';
import { useConsole, writeFact, type ConsolePage } from '../support/consolePage.js';
import { dmn } from '../support/dmn.js';
import { tableDocument } from '../support/dmnTables.js';
import { lending } from '../support/dmnDocument.js';
import { buildClient } from '../support/factories.js';
import { testStore, type Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

describe('a DMN decision at the console', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;
  let environmentId: string;

  const { button, link, region } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    environmentId = await scene.environment();
  });

  const stored = async (version: number): Promise<string> => {
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/${version}`);
    return (body as { content: { xml: string } }).content.xml;
  };
  const asFile = (xml: string) => ({ name: 'lending.dmn', mimeType: 'application/xml', buffer: Buffer.from(xml) });

  it('is a file that is brought in, and says by line and column what is wrong with another', async () => {
    await view.open('/decisions');
    await button('New decision').click();
    const field = page.getByLabel('File: a model');
    await field.setInputFiles(asFile(lending.replace('</dmn:definitions>', '')));
    await page
      .getByRole('alert')
      .getByText(/Line \d+, column \d+/)
      .waitFor();
    await field.setInputFiles(asFile(lending));
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await soon(async () =>
      expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).to.equal('lending.dmn'),
    );
    // Whoever names it otherwise need not say what it is.
    await page.getByRole('textbox', { name: 'Key' }).fill('lending');
    await button('Create').click();
    await page.getByRole('heading', { name: 'Edit lending.dmn' }).waitFor();
    decisionId = /decisions\/([^/]+)/.exec(page.url())?.[1] ?? '';
    await soon(async () => expect(await stored(0)).to.equal(lending));
  });

  it('is saved as a version, and taken home as it was', async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('As it came');
    await button('Save version').click();
    await link('v1').click();
    await page.getByRole('heading', { name: 'lending.dmn' }).waitFor();
    await page.locator('summary').getByText('More').click();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download .dmn').click()]);
    expect(download.suggestedFilename()).to.equal('lending.dmn');
    expect(readFileSync(await download.path(), 'utf8')).to.equal(lending);
  });

  it('shows its requirements as the modeler drew them, and what each element says', async () => {
    const topOf = async (name: string): Promise<number> => (await button(name).boundingBox())?.y ?? NaN;
    await soon(async () => expect(await topOf('Offer')).to.be.below(await topOf('Limit')));
    await soon(async () => expect(await topOf('Limit')).to.be.below(await topOf('Yearly Income')));
    await button('Risk Class').click();
    await region('Node').getByText('"low", "medium", "high"').waitFor();
    await button('Limit').click();
    await region('Node').getByRole('cell', { name: 'month * 3' }).waitFor();
    await button('Monthly').click();
    await region('Node').getByText('amount / 12').waitFor();
    await button('Offer').click();
    const first = region('Node').getByRole('grid', { name: 'Offer' }).getByRole('row').nth(1);
    await first.waitFor();
    await soon(async () =>
      expect(await first.getByRole('gridcell').allInnerTexts()).to.deep.equal(['"high"', '-', '"none"', 'too risky']),
    );
    // As its modeler has it: what is done with the rules that match, and what the cells of each column are.
    await region('Node').getByText('Hit policy FIRST: the first row that matches counts.').waitFor();
    const heads = region('Node').getByRole('grid', { name: 'Offer' }).getByRole('columnheader');
    await heads.filter({ hasText: 'Limit' }).getByText('123', { exact: true }).waitFor();
    await heads.filter({ hasText: 'Risk' }).getByText('abc', { exact: true }).waitFor();
    await expectAccessible(page, 'a DMN decision');
  });

  it('is run by a form of its declared inputs, with their choices, and says which rule matched', async () => {
    const choices = page.getByRole('combobox', { name: 'Risk Class' });
    await soon(async () =>
      expect(await choices.locator('option').allInnerTexts()).to.deep.equal(['not given', 'low', 'medium', 'high']),
    );
    await choices.selectOption('medium');
    await page.getByRole('textbox', { name: 'Yearly Income' }).fill('24000');
    await soon(async () =>
      expect(await page.getByRole('textbox', { name: 'Since' }).getAttribute('type')).to.equal('date'),
    );
    await button('Run').click();
    await page.getByRole('list', { name: 'How it came about' }).getByText('row 2 of').waitFor();
    await soon(async () => expect(await region('Node').locator('[aria-current="true"]').innerText()).to.match(/^2/));
    await region('Result').getByText('gold').waitFor();
    await soon(async () => expect(await page.locator('[aria-current="step"]').count()).to.equal(3));
  });

  it('says why something is null', async () => {
    // A form of typed fields runs no text where a number belongs; a calling system may send one.
    const json = page.getByRole('switch', { name: 'JSON', exact: true });
    await json.check();
    const fact = '{"Risk Class":"medium","Yearly Income":"much"}';
    await page.getByRole('textbox', { name: 'Fact', exact: true }).fill(fact);
    await button('Run').click();
    await page.getByRole('list', { name: 'How it came about' }).getByText('something is null').first().waitFor();
    await json.uncheck();
  });

  it('is edited by the cell, which alone is another in the document', async () => {
    await link('Edit').click();
    await button('Graph').click();
    await page.getByText('Tables are changed here, the rest in a DMN modeler').waitFor();
    await button('Offer').click();
    await page.getByRole('grid', { name: 'Offer' }).getByRole('gridcell', { name: '"gold"', exact: true }).click();
    await page.keyboard.type('"gold & more"');
    await page.keyboard.press('Enter');
    await button('Keep as working copy').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
    await soon(async () => expect(await stored(0)).to.equal(lending.replace('"gold"', '"gold &amp; more"')));
    await expectAccessible(page, 'the desk of a DMN decision');
    await page.getByRole('textbox', { name: 'Message' }).fill('More gold');
    await button('Save version').click();
    await link('v2').waitFor();
    await soon(async () => expect(await stored(1)).to.equal(lending));
  });

  it('has tables that go out to spreadsheets, and come back with what was changed there', async () => {
    await view.go(`/decisions/${decisionId}/edit?node=offer`);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export .xlsx').click()]);
    expect(download.suggestedFilename()).to.equal('lending Offer.xlsx');
    const { text } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0/tables/offer.csv`);
    const bring = async (csv: string): Promise<void> => {
      const buffer = Buffer.from(csv);
      await page.getByLabel('Spreadsheet of the table').setInputFiles({ name: 'o.csv', mimeType: 'text/csv', buffer });
    };
    const dialog = page.getByRole('dialog', { name: 'Import o.csv' });
    await bring(text.replace('silver', 'bronze').replace('>= 1000', '18-24'));
    await dialog.getByText('0 rows added, 2 changed, 0 removed.').waitFor();
    await dialog.getByRole('button', { name: 'Repair 1 cell' }).click();
    await dialog.getByRole('button', { name: 'Take it over' }).click();
    await region('Node').getByRole('gridcell', { name: '"bronze"', exact: true }).waitFor();
    await region('Node').getByRole('gridcell', { name: '[18..24]', exact: true }).waitFor();
    await button('Undo').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  });

  it('has cells that are no FEEL put right by a click, each and all of them', async () => {
    await view.go(`/decisions/${decisionId}/edit?node=offer`);
    const grid = page.getByRole('grid', { name: 'Offer' });
    const write = async (row: number, column: number, text: string): Promise<void> => {
      await grid.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`).click();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await write(1, 1, '=> 1000');
    const repair = page.getByRole('group', { name: 'Cell' }).getByRole('button', { name: 'Write >= 1000' });
    await grid.locator('.grid-cell[data-row="1"][data-column="1"]').click();
    await repair.click();
    await grid.getByRole('gridcell', { name: '>= 1000', exact: true }).waitFor();
    await write(1, 1, '=> 1000');
    await write(2, 1, '18-24');
    await button('Repair 2 cells …').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('[18..24]').waitFor();
    await expectAccessible(page, 'repairs of a DMN decision');
    await dialog.getByRole('button', { name: 'Repair 2 cells' }).click();
    await page.keyboard.press('Escape');
    await grid.getByRole('gridcell', { name: '[18..24]', exact: true }).waitFor();
    await page.getByText('No faults.').waitFor();
    await page.reload();
    await button('Discard them').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  });

  it('tells at their rows, and beside the faults, of rules that may hold together where one at most may', async () => {
    const unique = lending.replace('hitPolicy="FIRST"', 'hitPolicy="UNIQUE"');
    await view.go(`/decisions/${await scene.decision('unique.dmn', dmn(unique))}/edit?node=offer`);
    await region('Faults')
      .getByText(/No faults\. \d findings?: see Analysis\./)
      .waitFor();
    await region('Node').getByText('△ overlap: Rules 1 and 2 hold together').waitFor();
  });

  it('offers for a gap the row that takes it, and one for all the rest only where a later row gives way', async () => {
    const inputs = [
      { name: 'n', type: 'number' },
      { name: 'd', type: 'date' },
    ];
    const rows = [
      ['< 580', '-', '1'],
      ['>= 580', '< date("2024-01-01")', '2'],
    ];
    const offers = region('Findings in Result').getByRole('button', { name: /row/ });
    for (const [hitPolicy, offered] of [
      ['UNIQUE', ['Add a row for all of this']],
      ['ANY', ['Add a row for all of this']],
      ['PRIORITY', ['Add a row for all of this']],
      ['FIRST', ['Add a last row for everything else', 'Add a row for all of this']],
    ] as const) {
      const table = tableDocument({ hitPolicy, inputs, rows, outputValues: '1, 2' });
      const id = await scene.decision(`gap-${hitPolicy}.dmn`, dmn(table));
      await view.go(`/decisions/${id}/edit?node=result&tab=analysis`);
      await offers.first().waitFor();
      await soon(async () => expect(await offers.allInnerTexts(), hitPolicy).to.deep.equal(offered));
    }
    await button('Add a row for all of this').click();
    // What the row gives.
    await page.keyboard.type('3');
    await page.keyboard.press('Enter');
    await region('Node').getByRole('gridcell', { name: '>= date("2024-01-01")', exact: true }).waitFor();
    await page.getByText('Changed, not saved.').waitFor();
    await page.getByRole('tab', { name: 'Fact' }).click();
    await writeFact(page, '{"n":580,"d":"2024-01-01"}');
    await button('Run').click();
    await region('Result').getByText('3', { exact: true }).waitFor();
    // The row, and what it gives.
    for (const _each of [1, 2]) await button('Undo').click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  });

  it('is compared, deployed and explained', async () => {
    await view.go(`/decisions/${decisionId}/compare?from=1&to=2`);
    await region('After').getByRole('button', { name: 'Offer' }).click();
    await region('After').getByText('"gold & more"').waitFor();
    await region('Before').getByText('"gold"', { exact: true }).waitFor();
    await scene.deploy(decisionId, environmentId, 2);
    const fact = { 'Risk Class': 'low', 'Yearly Income': 24000 };
    const ran = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact });
    await view.go(`/executions/${(ran.body as { id: string }).id}`);
    await button('Explain').click();
    await region('Explanation').getByText('exact', { exact: true }).waitFor();
    await region('Explanation').getByRole('group', { name: 'In sentences' }).getByText('matched rule 2').waitFor();
    await soon(async () => expect(await region('Explanation').locator('[aria-current="step"]').count()).to.equal(3));
  });

  it('is approved for a protected environment by another person, who sees the cell that changed', async () => {
    const guarded = await scene.environment();
    await scene.deploy(decisionId, guarded, 1);
    await protect(scene.caller, guarded);
    const { id } = await ask(scene.caller, guarded, [{ type: 'deploy', decisionId, version: 2 }]);
    const result = async (): Promise<unknown> => {
      const fact = { 'Risk Class': 'medium', 'Yearly Income': 24000 };
      const { body } = await scene.caller.post(`/logic/${guarded}/decisions/${decisionId}/executions`, { fact });
      return (body as { result: unknown }).result;
    };
    const before = await result();
    const { tenantId, workspaceId } = scene;
    const approver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Ann of risk' });
    await view.open(`/requests/${id}`, approver);
    await region('Changes').getByText('lending.dmn v2 in place of v1').waitFor();
    await region('After').getByRole('button', { name: 'Offer' }).click();
    await region('After').getByText('"gold & more"').waitFor();
    await region('Before').getByText('"gold"', { exact: true }).waitFor();
    await expectAccessible(page, 'a request for a DMN decision');
    await button('Approve').click();
    await page.getByRole('button', { name: /^Approve for/ }).click();
    await page.getByRole('status').filter({ hasText: 'APPROVED' }).waitFor();
    await soon(async () => expect(await result()).to.deep.equal(before));
    await button('Apply').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Apply for/ })
      .click();
    await page.getByRole('status').filter({ hasText: 'APPLIED' }).waitFor();
    await soon(async () =>
      expect(JSON.stringify(await result()))
        .to.include('gold & more')
        .and.not.equal(JSON.stringify(before)),
    );
    await view.open(`/decisions/${decisionId}`);
  });

  it('is replaced by what a modeler made of it', async () => {
    await view.go(`/decisions/${decisionId}`);
    await page.locator('summary').getByText('More').click();
    await button('Replace').click();
    await page
      .getByLabel('Document of DMN')
      .setInputFiles(asFile(lending.replace('name="Limit"', 'name="Limit" x:new="1"')));
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await soon(async () => expect(await stored(0)).to.include('x:new="1"'));
  });
});
