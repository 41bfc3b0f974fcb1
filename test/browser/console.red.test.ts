import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import { deciding, type Model } from '../support/models.js';

/** A price by age; each test but the first and the last one has the first row's. */
const priced = (): Model => ({
  ...deciding([
    { _id: 'a', age: '< 30', size: '', fee: '10' },
    { _id: 'b', age: '[30..60]', size: '', fee: '20' },
    { _id: 'c', age: '> 60', size: '', fee: '30' },
  ]),
  tests: [
    { name: 'old', input: { age: 61 }, output: { fee: 30 } },
    { name: 'young', input: { age: 1 }, output: { fee: 10 } },
    { name: 'younger', input: { age: 2 }, output: { fee: 10 } },
    { name: 'youngest', input: { age: 3 }, output: { fee: 10 } },
  ],
});

describe('tests that one change has made red', () => {
  let desk: Desk;
  let page: Page;
  let tests: Locator;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'price.json': priced() });
    page = desk.page;
    tests = page.getByRole('table', { name: 'Tests' });
    await desk.edit('price.json', 'table');
    await page.locator('.grid-cell[data-row="0"][data-column="2"]').click();
    await paste(page, { 'text/plain': '11' });
    await desk.unsaved().waitFor();
    await page.getByRole('tab', { name: 'Tests', exact: true }).click();
    await desk.button('Run all').click();
    await page.getByText('3 failed').waitFor();
  });

  const lines = async (): Promise<readonly string[]> =>
    (await tests.locator('tbody tr').allInnerTexts()).map((text) =>
      [/^\w+/, /failed|passed|not run/].map((each) => each.exec(text)?.[0]).join(' '),
    );

  it('stay where they are in the list while one after the other is put right', async () => {
    await soon(async () =>
      expect(await lines()).to.deep.equal(['young failed', 'younger failed', 'youngest failed', 'old passed']),
    );
    await desk.button('Edit young').click();
    const asked = page.getByRole('dialog', { name: 'Change young', exact: true });
    await asked.getByRole('button', { name: 'Take what it gives now' }).click();
    await soon(async () => expect(await asked.getByLabel('fee', { exact: true }).inputValue()).to.equal('11'));
    await asked.getByRole('button', { name: 'Save test' }).click();
    await asked.waitFor({ state: 'detached' });
    await soon(async () =>
      expect(await lines()).to.deep.equal(['young not run', 'younger failed', 'youngest failed', 'old passed']),
    );
    await desk.button('Undo').click();
    await soon(async () => expect((await lines())[0]).to.equal('young failed'));
  });

  it('take by one click what they give now, each shown before, but those that somebody leaves out', async () => {
    await desk.button('Take what all 3 give now …').click();
    const asked = page.getByRole('dialog', { name: 'Take what they give now' });
    const row = (name: string): Locator =>
      asked.getByRole('row').filter({ has: page.getByLabel(name, { exact: true }) });
    for (const name of ['young', 'younger', 'youngest']) await row(name).getByText('expected 10, got 11').waitFor();
    await asked.getByLabel('youngest', { exact: true }).uncheck();
    await asked.getByRole('button', { name: 'Change 2 tests' }).click();
    await asked.waitFor({ state: 'detached' });
    await soon(async () =>
      expect(await lines()).to.deep.equal(['young not run', 'younger not run', 'youngest failed', 'old passed']),
    );
    await desk.button('Run all').click();
    await page.getByText('3 passed').waitFor();
    await soon(async () => expect(await lines()).to.include('youngest failed'));
    await desk.button('Take what it gives now …').waitFor();
    await desk.keep();
    expect((await desk.stored('price.json'))['tests']).to.deep.equal([
      { name: 'old', input: { age: 61 }, output: { fee: 30 } },
      { name: 'young', input: { age: 1 }, output: { fee: 11 } },
      { name: 'younger', input: { age: 2 }, output: { fee: 11 } },
      { name: 'youngest', input: { age: 3 }, output: { fee: 10 } },
    ]);
  });

  it('no test is suggested for a row that tests reach already', async () => {
    await desk.button('Suggest tests').click();
    const asked = page.getByRole('dialog', { name: 'Suggested tests' });
    await asked.getByRole('row', { name: /Table row 2/ }).waitFor();
    await soon(async () => expect(await asked.getByRole('row', { name: /Table row [13]/ }).count()).to.equal(0));
    await asked.getByText('Of 2 rows or branches there are tests already.').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
  });
});
