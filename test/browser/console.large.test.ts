import { expect } from 'chai';
import { atConsole, writeFact } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { largeTable } from '../support/largeTable.js';

describe('the author’s desk with a model of 1.8 MB', () => {
  let desk: Desk;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'large.json': largeTable() });
  });

  it('opens it, checks and runs each change, and saves it as a version', async () => {
    const { page } = desk;
    await desk.edit('large.json', 'fees');
    await writeFact(page, '{"n": 1}');
    await desk.button('Run').click();
    await desk.region('Result').waitFor();
    await page.locator('.grid-cell[data-row="1"][data-column="1"]').dblclick();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await desk.unsaved().waitFor();
    await desk.region('Result').getByText('4711').first().waitFor();
    await desk.region('Faults').getByText('No faults.').waitFor();
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('One fee');
    await desk.button('Save version').click();
    await page.getByRole('link', { name: 'v2', exact: true }).waitFor();
    const model = (await desk.stored('large.json')) as { nodes: { content?: { rules?: { fee: string }[] } }[] };
    expect(model.nodes[1]?.content?.rules?.[1]?.fee).to.equal('4711');
  });
});
