import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { dmn } from '../support/dmn.js';
import { lending } from '../support/dmnDocument.js';
import { expressing } from '../support/models.js';
import type { Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

describe('columns and hit policy of a DMN table on the desk', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;

  const { button, region } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    decisionId = await scene.decision('lending.dmn', dmn(lending));
    await view.open(`/decisions/${decisionId}/edit?node=offer`);
  });

  const grid = (): Locator => page.getByRole('grid', { name: 'Offer' });
  const tools = (): Locator => page.getByRole('toolbar', { name: 'Rows and columns' });
  const policy = (): Locator => tools().getByRole('combobox', { name: 'Hit policy' });
  const cell = (row: number, column: number): Locator =>
    grid().locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const heads = async (): Promise<readonly string[]> =>
    (await grid().getByRole('columnheader').allInnerTexts()).map((text) => text.split('\n')[0] ?? '');
  const write = async (row: number, column: number, text: string): Promise<void> => {
    await cell(row, column).click();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  const saved = (): Promise<void> => page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  const stored = async (): Promise<string> => {
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`);
    return (body as { content: { xml: string } }).content.xml;
  };

  it('takes a word in a column of texts for that text, says so, and shows a dash in a cell that was emptied', async () => {
    await write(1, 0, 'low');
    await grid().getByRole('gridcell', { name: '"low"', exact: true }).waitFor();
    await page.getByText('Taken as the text "low". Undo, if it names a field.').waitFor();
    await cell(1, 0).click();
    await page.keyboard.press('Delete');
    await soon(async () => expect(await cell(1, 0).innerText()).to.equal('-'));
    for (const _step of [1, 2, 3]) await button('Undo').click();
    await saved();
  });

  it('has its hit policy chosen, with what it does and what else it gives then; orders are offered where values have one', async () => {
    const offered = await policy().locator('option').allInnerTexts();
    expect(offered).to.include.members(['UNIQUE', 'FIRST', 'ANY', 'COLLECT', 'COLLECT COUNT', 'RULE ORDER']);
    expect(offered).to.not.include.members(['PRIORITY', 'OUTPUT ORDER']);
    await policy().selectOption('COLLECT');
    await tools().getByText('all rows that match count, as a list').waitFor();
    await page.getByText('It gives a list now: what reads it has to take that.').waitFor();
    await page.getByRole('combobox', { name: 'Risk Class' }).selectOption('medium');
    await page.getByRole('textbox', { name: 'Yearly Income' }).fill('24000');
    await button('Run').click();
    await region('Result').getByText('gold, silver').waitFor();
    await button('Undo').click();
    await soon(async () => expect(await policy().inputValue()).to.equal('FIRST'));
    await saved();
  });

  it('gets an input and an output, which are run, saved and taken back', async () => {
    await cell(0, 1).click();
    await tools().getByRole('button', { name: 'Add input' }).click();
    const input = page.getByRole('dialog', { name: 'New input' });
    await input.getByText('over what the decision requires: Risk Class, Since, Limit.').waitFor();
    await input.getByText('are changed in a DMN modeler').waitFor();
    await expectAccessible(page, 'a new column of a DMN table');
    await input.getByRole('textbox', { name: 'Name' }).fill('Customer since');
    await input.getByRole('textbox', { name: 'Reads' }).fill('Since');
    await input.getByRole('combobox', { name: 'Cells' }).selectOption({ label: 'dates' });
    await input.getByRole('button', { name: 'Add' }).click();
    await cell(0, 3).click();
    await tools().getByRole('button', { name: 'Add output' }).click();
    const output = page.getByRole('dialog', { name: 'New output' });
    await output.getByRole('textbox', { name: 'Name' }).fill('Fee');
    await output.getByRole('textbox', { name: 'Called in the result' }).fill('fee');
    await output.getByRole('combobox', { name: 'Cells' }).selectOption({ label: 'numbers' });
    await output.getByRole('button', { name: 'Add' }).click();
    await page.getByText('It gives an object now: what reads it has to take that.').waitFor();
    expect(await heads()).to.deep.equal(['Row', 'Risk', 'Limit', 'Customer since', 'Offer', 'Fee', 'Note']);
    await write(1, 2, '< date("2020-01-01")');
    await write(1, 4, '12.5');
    await page.getByRole('textbox', { name: 'Since' }).fill('2019-05-01');
    await button('Run').click();
    await region('Result').getByText('12.5').waitFor();
    await region('Result').getByText('gold').waitFor();
    await button('Keep as working copy').click();
    await saved();
    const xml = await stored();
    expect(xml).to.include('label="Customer since"').and.include('<dmn:text>&lt; date("2020-01-01")</dmn:text>');
    expect(xml).to.include('<!-- the careful ones -->').and.include('x:colour="a>b"');
    await page.reload();
    await grid().waitFor();
    await soon(async () =>
      expect(await heads()).to.deep.equal(['Row', 'Risk', 'Limit', 'Customer since', 'Offer', 'Fee', 'Note']),
    );
  });

  it('tells of faults at the cells of a column that was added a moment ago', async () => {
    await cell(0, 0).click();
    await tools().getByRole('button', { name: 'Add input' }).click();
    const input = page.getByRole('dialog', { name: 'New input' });
    await input.getByRole('textbox', { name: 'Reads' }).fill('Limit');
    await input.getByRole('button', { name: 'Add' }).click();
    await write(2, 1, '=> 5');
    await soon(async () => expect(await cell(2, 1).getAttribute('aria-invalid')).to.equal('true'));
    await soon(async () => expect(await grid().locator('.grid-cell[aria-invalid]').count()).to.equal(1));
    for (const _step of [1, 2]) await button('Undo').click();
    await saved();
  });

  it('loses a column, has one named otherwise, and keeps its last output', async () => {
    await cell(0, 0).click();
    await tools().getByRole('button', { name: 'Edit column' }).click();
    const input = page.getByRole('dialog', { name: 'Change input' });
    await input.getByRole('textbox', { name: 'Name' }).fill('Class of risk');
    await input.getByRole('button', { name: 'Change' }).click();
    // The column of dates, and then the output that stands in its place.
    for (const left of [5, 4]) {
      await cell(0, 2).click();
      await tools().getByRole('button', { name: 'Delete column' }).click();
      await soon(async () => expect(await heads()).to.have.length(left + 1));
    }
    await soon(async () => expect(await heads()).to.deep.equal(['Row', 'Class of risk', 'Limit', 'Fee', 'Note']));
    await cell(0, 2).click();
    await soon(async () =>
      expect(await tools().getByRole('button', { name: 'Delete column' }).isDisabled()).to.equal(true),
    );
    await button('Keep as working copy').click();
    await saved();
    expect(await stored())
      .to.include('label="Class of risk"')
      .and.not.include('name="offer"');
  });

  it('goes out as a file of either format, and a model as a file whose format is told', async () => {
    const taken = async (name: string): Promise<readonly [string, string]> => {
      const [download] = await Promise.all([page.waitForEvent('download'), button(name).click()]);
      return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
    };
    const [name, csv] = await taken('Export .csv');
    expect(name).to.match(/\.csv$/);
    const { text } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0/tables/offer.csv`);
    expect(csv).to.equal(text);
    await view.go(`/decisions/${await scene.decision('plain', expressing({ y: 'x' }))}`);
    await page.locator('summary').getByText('More').click();
    const [model, json] = await taken('Download .json');
    expect(model).to.equal('plain.json');
    expect(JSON.parse(json)).to.have.property('nodes');
  });
});
