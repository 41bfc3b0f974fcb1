import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { dmn } from '../support/dmn.js';
import { tableDocument } from '../support/dmnTables.js';
import { deciding, type Model } from '../support/models.js';
import { measurePageWork } from '../support/pageWork.js';
import { allowedMs } from '../support/environment.js';
import { soon } from '../support/eventually.js';

const rows = 500;
const maxMs = 300;
/** At most: there are no more once it was seen within the time. */
const rounds = 7;
/** As long as somebody has to be still before the desk asks. */
const stillMs = 100;

/** A price list of 500 rows, each for inputs of its own, by five fields; three more columns are for all. @param score of row 7 */
function priceList(score = '[700..750)'): Model {
  const model = tableOf(0) as { nodes: { id: string; content: object }[] } & Model;
  const names = ['product', 'score', 'months', 'region', 'channel', 'amount', 'age', 'note'];
  const scores = ['>= 750', '[700..750)', '[650..700)', '[600..650)', '< 600'];
  const months = ['<= 12', '(12..24]', '(24..60]', '(60..120]', '> 120'];
  const rules = Array.from({ length: rows }, (_, n) => ({
    _id: `r${n}`,
    product: `"P${n % 5}"`,
    score: n === 6 ? score : scores[Math.floor(n / 5) % 5],
    months: months[Math.floor(n / 25) % 5],
    region: `"R${Math.floor(n / 125) % 2}"`,
    channel: `"C${Math.floor(n / 250)}"`,
    amount: '>= 0',
    age: '',
    note: '',
    fee: `${n}`,
  }));
  const inputs = names.map((id) => ({ id, name: id, field: id }));
  const content = { hitPolicy: 'first', inputs, outputs: [{ id: 'fee', name: 'Fee', field: 'fee' }], rules };
  return { ...model, nodes: model.nodes.map((node) => (node.id === 'fees' ? { ...node, content } : node)) };
}

/** A table of which nothing is decided. */
const calling = deciding([{ _id: 'r', age: 'len(size) < 3', size: '', fee: '1' }]);

/** A table with an empty row above others. */
const emptied = deciding(
  ['< 1', '', '[1..2)', '>= 2'].map((size, at) => ({ _id: `r${at}`, age: '', size, fee: `${at}` })),
);

describe('findings of analysis while a table is written', () => {
  let desk: Desk;
  let page: Page;
  let during: (work: () => Promise<unknown>) => Promise<number>;

  atConsole(async (app) => {
    desk = await openDesk(app, {
      'prices.json': priceList(),
      'fees.json': tableOf(3),
      'calls.json': calling,
      'empty.json': emptied,
    });
    page = desk.page;
    during = await measurePageWork(page);
  });

  /** Milliseconds until the service answers what the desk asks first. */
  const answered = async (score: string): Promise<number> => {
    const began = performance.now();
    const body = { key: 'prices.json', content: priceList(score), search: false };
    const { status, text } = await desk.scene.caller.post('/logic/analyses', body);
    expect(status).to.equal(200);
    expect(text).to.include('Row 7 is never reached');
    return performance.now() - began;
  };
  const cell = (row: number, column: number): Locator =>
    page.locator(`.grid-cell[data-row="${row}"][data-column="${column}"]`);

  it('are mended by a last row for everything else, which is told of until it gives something', async () => {
    await desk.edit('fees.json', 'fees');
    await page.getByRole('tab', { name: 'Analysis' }).click();
    const gap = page.getByRole('row').filter({ hasText: 'No row takes' }).first();
    await soon(async () =>
      expect(await gap.innerText())
        .to.include('Code is over 0 to under 1')
        .and.include('→ nothing'),
    );
    // It mends all gaps, and stands once.
    await soon(async () => expect(await desk.button('Add a last row for everything else').count()).to.equal(1));
    await desk.button('Add a last row for everything else').click();
    const faults = desk.region('Faults');
    await faults.getByText('1 warning').waitFor();
    await cell(0, 0).click();
    await faults.getByText('Row 4 gives nothing yet.').waitFor();
    await faults.getByRole('link', { name: 'Fees' }).click();
    const line = page.getByRole('group', { name: 'Cell', exact: true });
    await line.getByText('Row 4, Fee').waitFor();
    await line.getByText('Row 4 gives nothing yet.').waitFor();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await faults.getByText('1 warning').waitFor({ state: 'detached' });
    await desk.keep();
  });

  it('tell on request what a last row for everything else takes alone, and add a row for it', async () => {
    const last = desk.region('What only the last row takes');
    await last.getByRole('button', { name: 'What does it take alone?' }).click();
    const line = last.getByRole('listitem').filter({ hasText: 'Code is over 0 to under 1' });
    await line.getByText('Fees: only the last row takes').waitFor();
    await expectAccessible(page, 'what only the last row takes');
    const crossing = desk.region('Rows that hold together');
    await crossing.getByRole('button', { name: 'Which ones cross?' }).click();
    await crossing
      .getByText('None: of two rows that take the same fact, one is a special case of the other.')
      .waitFor();
    await line.getByRole('button', { name: 'Add a row for all of this' }).click();
    await soon(async () => expect(await cell(3, 0).innerText()).to.include('> 0 and < 1'));
    await last.getByRole('listitem').first().waitFor({ state: 'detached' });
    await desk.button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('of rows that an empty one hides are one, which names it, and is mended there', async () => {
    await desk.edit('empty.json', 'table');
    await page.getByRole('tab', { name: 'Analysis' }).click();
    const findings = desk.region('Findings in Table');
    const found = findings.getByRole('row').filter({ hasText: 'Row 2 is empty and takes everything' });
    await found.getByText('3–4').waitFor();
    const single = findings.getByText('is never reached');
    await soon(async () => expect(await single.count()).to.equal(0));
    const hidden = 'Row 2 is empty and takes everything: the rows below it are never reached';
    for (const row of [2, 3])
      await soon(async () =>
        expect(await page.locator(`.grid-row-head[data-row="${row}"]`).getAttribute('title')).to.include(hidden),
      );
    await desk.region('Faults').getByText('2 rows that can never match').waitFor();
    await desk.button('Fill row 2').click();
    await soon(async () => expect(await page.evaluate('document.activeElement.dataset.row')).to.equal('1'));
    await desk.button('Delete row 2').click();
    await found.waitFor({ state: 'detached' });
    await desk.keep();
  });

  it('are asked for again by themselves while the service refuses it, and by a click where a limit stopped it', async () => {
    const refuse = (times: number, status: number, code: string): Promise<unknown> =>
      page.route(
        '**/logic/analyses',
        (route) => route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ code }) }),
        { times },
      );
    const id = desk.ids.get('calls.json') ?? '';
    const sentence = 'Which of its 1 rows and branches are reached by some fact was not decided in time.';
    const reached = page.getByText(sentence);
    for (const path of [`/decisions/${id}/edit?node=table&tab=analysis`, `/decisions/${id}?tab=analysis`]) {
      await refuse(2, 503, 'overloaded');
      await desk.view.show(path);
      await reached.waitFor();
      await soon(async () => expect(await page.getByRole('alert').count(), path).to.equal(0));
      await refuse(1, 504, 'engine_timeout');
      await desk.button('Look again').click();
      await page.getByRole('alert').getByText('engine_timeout').waitFor();
      await reached.waitFor({ state: 'detached' });
      await desk.button('Look again').click();
      await reached.waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    }
    await expectAccessible(page, 'an analysis with something open');
    desk.view.complaints.splice(0);
  });

  it(`stand at their rows of a table of ${rows} within ${maxMs} ms`, async () => {
    await desk.edit('prices.json', 'fees');
    // What is found when a table is opened has been found.
    await page.getByRole('tab', { name: 'Analysis' }).click();
    await page.getByText('rows and branches').waitFor();
    const head = page.locator('.grid-row-head.warning[data-row="6"]');
    await cell(6, 1).click();
    await page.keyboard.press('F2');
    await page.locator('.cm-content:focus').waitFor();
    await page.keyboard.press('Control+a');
    // Not what another row takes already: that it would with one more digit.
    await page.keyboard.type('>= 80');
    await head.waitFor({ state: 'detached' });
    const [drawing, answering]: [number[], number[]] = [[], []];
    // What other work on the machine adds differs from round to round; what the desk needs does not.
    const took = (): number => stillMs + Math.min(...drawing) + Math.min(...answering);
    for (let round = 0; round < rounds && !(took() < allowedMs(maxMs)); round++) {
      drawing.push(
        await during(async () => {
          await page.keyboard.type(String(round));
          await head.waitFor();
        }),
      );
      await soon(async () => expect(await head.getAttribute('title')).to.include('Row 7 is never reached'));
      await page.keyboard.press('Backspace');
      await head.waitFor({ state: 'detached' });
      for (let time = 0; time < 3; time++) answering.push(await answered(`>= 80${3 * round + time}`));
    }
    expect(took(), `milliseconds of ${drawing.join()} and ${answering.join()}`).to.be.below(allowedMs(maxMs));
  });

  it('calls a row of a DMN table that is new by its number, and deletes it', async () => {
    const inputs = [{ name: 't', type: 'string', taken: '"a","b"' }];
    const xml = tableDocument({ hitPolicy: 'FIRST', inputs, rows: [['"a"', '1']] });
    const id = await desk.scene.decision('taken.dmn', dmn(xml));
    // What the test before has written would be asked about.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    await desk.view.go(`/decisions/${id}/edit?node=result&tab=analysis`);
    await page.locator('.grid-cell[data-row="1"][data-column="0"]').click();
    await page.keyboard.type('"c"');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await desk.region('Findings in Result').getByRole('button', { name: 'Delete row 2' }).waitFor();
    await desk.region('Faults').getByText('This is none of the values that are allowed: "a","b".').waitFor();
    await desk.region('Findings in Result').getByRole('button', { name: 'Delete row 2' }).click();
    await desk
      .region('Findings in Result')
      .getByRole('button', { name: 'Delete row 2' })
      .waitFor({ state: 'detached' });
  });
});
