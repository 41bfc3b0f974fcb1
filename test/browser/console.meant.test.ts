import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole, writeFact } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import type { Model } from '../support/models.js';

/** Offers by branch: codes that are texts, one of which nobody has put right yet, and expressions behind the table. */
const offers: Model = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 }, content: {} },
    {
      id: 'table',
      type: 'decisionTableNode',
      name: 'Offers',
      position: { x: 300, y: 0 },
      content: {
        hitPolicy: 'first',
        passThrough: true,
        inputs: [
          { id: 'amount', name: 'Amount', field: 'amount' },
          { id: 'branch', name: 'Branch', field: 'branch' },
        ],
        outputs: [{ id: 'outcome', name: 'Outcome', field: 'outcome' }],
        rules: [
          { _id: '1', amount: '> 500', branch: '"00042"', outcome: '"Refer"' },
          { _id: '2', amount: '> 500', branch: '10115', outcome: '"Approve"' },
          { _id: '3', amount: '> 100', branch: '"00043"', outcome: '"Refer"' },
          { _id: '4', amount: '', branch: '"00044"', outcome: '"Refuse"' },
        ],
      },
    },
    {
      id: 'more',
      type: 'expressionNode',
      name: 'More',
      position: { x: 600, y: 0 },
      content: { passThrough: true, expressions: [{ id: 'd', key: 'decision', value: 'approve' }] },
    },
    { id: 'out', type: 'outputNode', name: 'Response', position: { x: 900, y: 0 }, content: {} },
  ],
  edges: [
    { id: 'a', type: 'edge', sourceId: 'in', targetId: 'table' },
    { id: 'b', type: 'edge', sourceId: 'table', targetId: 'more' },
    { id: 'c', type: 'edge', sourceId: 'more', targetId: 'out' },
  ],
};

const at = (x: number) => ({ position: { x, y: 0 } });

/** What trips cost: a table of amounts, a formula, and a switch. */
const trips: Model = {
  nodes: [
    {
      ...{ id: 'in', type: 'inputNode', name: 'Request', ...at(0) },
      content: { schema: '{"type":"object","properties":{"Trip km":{"type":"number"},"age":{"type":"number"}}}' },
    },
    {
      ...{ id: 'costs', type: 'decisionTableNode', name: 'Costs', ...at(300) },
      content: {
        ...{ hitPolicy: 'first', passThrough: true, inputs: [{ id: 'age', name: 'Age', field: 'age' }] },
        outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }],
        rules: [
          { _id: '1', age: '> 60', fee: '12.5' },
          { _id: '2', age: '', fee: '3' },
        ],
      },
    },
    {
      ...{ id: 'sums', type: 'expressionNode', name: 'Sums', ...at(600) },
      content: { passThrough: true, expressions: [{ id: 'd', key: 'sum', value: '1' }] },
    },
    {
      ...{ id: 'ways', type: 'switchNode', name: 'Ways', ...at(900) },
      content: {
        statements: [
          { id: 'old', condition: 'age > 60' },
          { id: 'rest', condition: 'age > 5' },
        ],
      },
    },
  ],
  edges: [
    { id: 'a', type: 'edge', sourceId: 'in', targetId: 'costs' },
    { id: 'b', type: 'edge', sourceId: 'costs', targetId: 'sums' },
    { id: 'c', type: 'edge', sourceId: 'sums', targetId: 'ways' },
  ],
};

describe('the desk takes what a person means', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'offers.json': offers, 'trips.json': trips, 'fees.json': tableOf(40) });
    page = desk.page;
  });

  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);
  const textsIn = async (column: number): Promise<string[]> =>
    (await page.locator(`.grid-cell[data-column="${column}"]`).allInnerTexts()).map((text) => text.trim());
  const active = (): Promise<string> =>
    page.evaluate('`${document.activeElement.dataset.row} ${document.activeElement.dataset.column}`');
  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });

  it('of a double click on a node the second press is none in what the first has opened', async () => {
    await desk.edit('fees.json');
    const box = (await page.locator('[data-node="fees"]').boundingBox())!;
    // All over the node there is some cell of the table below the pointer.
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await page.locator('.grid').waitFor();
    await desk.region('Node').getByText('Row 1, Code').waitFor();
    await soon(async () => expect(await page.locator('.editing').count()).to.equal(0));
    // What is typed next is typed there.
    await soon(async () => expect(await active()).to.equal('0 0'));
    // Keys press what has the focus.
    await desk.button('Graph').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-node="fees"]').press('Enter');
    await soon(async () => expect(await active()).to.equal('0 0'));
    await page.keyboard.type('x');
    await page.locator('.grid-cell.editing[data-row="0"][data-column="0"]').waitFor();
    await page.keyboard.press('Escape');
    // A double click that begins there is one.
    await cell(2, 1).dblclick();
    await page.locator('.grid-cell.editing').waitFor();
    await page.keyboard.press('Escape');
  });

  it('a word in a column of texts is a text, which is a step of undo of its own; the name of a field stays one', async () => {
    await desk.edit('offers.json', 'table');
    await cell(0, 2).click();
    await page.keyboard.type('Approve');
    await page.keyboard.press('Enter');
    await page.getByText('Taken as the text "Approve". Undo, if it names a field.').waitFor();
    await soon(async () => expect((await textsIn(2)).slice(0, 2)).to.deep.equal(['"Approve"', '"Approve"']));
    await soon(async () => expect(await active()).to.equal('1 2'));
    await desk.button('Undo').click();
    await soon(async () => expect((await textsIn(2))[0]).to.equal('Approve'));
    await desk.button('Undo').click();
    await soon(async () => expect((await textsIn(2))[0]).to.equal('"Refer"'));
    await cell(0, 2).click();
    await page.keyboard.type('branch');
    await page.keyboard.press('Tab');
    await soon(async () => expect((await textsIn(2))[0]).to.equal('branch'));
    await page.keyboard.press('Control+z');
    await soon(async () => expect((await textsIn(2))[0]).to.equal('"Refer"'));
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('rows that are pasted below others are taken as they would be typed, which is said once and is one step of undo', async () => {
    await desk.edit('offers.json', 'table');
    await cell(3, 0).click();
    await page.keyboard.press('ArrowDown');
    await paste(page, { 'text/plain': '500-800\t"00045"\tDecline\n≥ 800\t"00046"\tbranch\n' });
    await page.getByText('Taken as they are meant: 3 cells.').waitFor();
    await soon(async () => {
      expect((await textsIn(0)).slice(4, 6)).to.deep.equal(['[500..800]', '>= 800']);
      expect((await textsIn(2)).slice(4, 6)).to.deep.equal(['"Decline"', 'branch']);
    });
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect((await textsIn(2))[3]).to.equal('"Refuse"'));
    expect((await textsIn(2)).slice(4).join('')).not.to.include('Decline');
  });

  for (const {
    node,
    typed,
    at: [row, column],
    before,
    taken,
    told,
  } of [
    { node: 'costs', typed: '€ 1.250,50', at: [0, 1], before: '12.5', taken: '1250.5', told: 'Taken as 1250.5.' },
    {
      ...{ node: 'costs', typed: '=Trip km * 2', at: [0, 1], before: '12.5' },
      ...{ taken: '$root["Trip km"] * 2', told: 'Taken as $root["Trip km"] * 2.' },
    },
    {
      ...{ node: 'sums', typed: '=Trip km * fee', at: [0, 1], before: '1' },
      ...{ taken: '$root["Trip km"] * fee', told: 'Taken as $root["Trip km"] * fee.' },
    },
    {
      ...{ node: 'ways', typed: 'otherwise', at: [1, 0], before: 'age > 5' },
      ...{ taken: 'otherwise', told: 'Taken as an empty cell, which takes everything.' },
    },
  ] as const)
    it(`what has one meaning is taken at once, and taken back by one key: ${typed} in ${node}`, async () => {
      await desk.edit('trips.json', node);
      await cell(row, column).click();
      await page.keyboard.type(typed, { delay: 40 });
      await page.keyboard.press('Enter');
      await page.getByText(told, { exact: true }).waitFor();
      await soon(async () => expect((await textsIn(column))[row]).to.equal(taken));
      await page.keyboard.press('Control+z');
      await soon(async () => expect((await textsIn(column))[row]).to.equal(before));
      await desk.unsaved().waitFor({ state: 'detached' });
    });

  it('who filters by the value of a cell stays at its row, and comes back to it', async () => {
    await desk.edit('offers.json', 'table');
    await cell(2, 2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter by this value', exact: true }).click();
    await desk.button('2 of 4 rows: show all').waitFor();
    await soon(async () => expect(await active()).to.equal('1 2'));
    await desk.region('Node').getByText('Row 3, Outcome').waitFor();
    await desk.button('2 of 4 rows: show all').click();
    await soon(async () => expect(await active()).to.equal('2 2'));
    await cell(2, 2).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter by this value', exact: true }).click();
    await desk.button('2 of 4 rows: show all').waitFor();
    await desk.button('Insert row below').click();
    await desk.button('3 of 5 rows: show all').click();
    await soon(async () =>
      expect((await textsIn(2)).slice(0, 5)).to.deep.equal(['"Refer"', '"Approve"', '"Refer"', '', '"Refuse"']),
    );
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('a field of a column of texts is sent as one, and a word that was not given is told of beside the result', async () => {
    await field('branch').fill('00042');
    await field('amount').fill('600');
    await soon(async () => expect(await page.locator('.fact-field .warn').count()).to.equal(0));
    await desk.button('Run').click();
    const result = desk.region('Result');
    await result.getByText('no approve was given. A text is written "approve"').waitFor();
    await result.getByText('matched: > 500, 00042').waitFor();
    await field('branch').fill('10115');
    await desk.button('Run').click();
    await result.getByText('no row of').waitFor();
  });

  it('what is run by a key, wherever the focus is, is told of as what the button runs', async () => {
    await field('amount').fill('12,000');
    await cell(0, 0).click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('It ran with “12,000” as it is').waitFor();
    await writeFact(page, '{"amount":1}');
    await page.getByText('It ran with').waitFor({ state: 'detached' });
  });

  it('after a repair in a file that is read, the focus is at the next one', async () => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    const creation = page.getByRole('dialog', { name: 'New decision' });
    const text = 'age,income,fee\n18-24,"1k-5k","1"\n25-64,"5k-10k","2"\nunder 18,"10k-20k","3"\n>= 65,"20k-30k","4"\n';
    await creation
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const repairs = creation.getByRole('button', { name: /^Repair \d/ });
    await repairs.first().waitFor();
    const before = await repairs.count();
    expect(before).to.be.greaterThan(1);
    await repairs.first().click();
    await soon(async () => expect(await repairs.count()).to.equal(before - 1));
    const place = 'document.activeElement.closest("[aria-label=\'Found in the file\']") !== null';
    await soon(async () => expect(await page.evaluate(place)).to.equal(true));
    await page.keyboard.press('Escape');
  });

  it('on a phone the whole graph of a model is seen, and sentences of tables are read in lines', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await desk.view.go(`/decisions/${desk.ids.get('offers.json') ?? ''}`);
    await page.locator('[data-node="out"]').waitFor();
    const right = `Math.max(...[...document.querySelectorAll('[data-node]')].map((node) => node.getBoundingClientRect().right))`;
    await soon(async () => expect(await page.evaluate<number>(right)).to.be.at.most(390));
    await desk.view.go('/access');
    const words = page.locator('td.wrapped').first();
    await soon(async () => expect((await words.boundingBox())?.width).to.be.at.least(180));
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
