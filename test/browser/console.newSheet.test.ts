import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';

const tariff = [
  'Region,Fahrzeugwert,Alter,Prämie (€),Klasse',
  'Nord,"10,000",unter 25,500,neu',
  'Süd,"20,000",25-64,400,alt',
  'egal,egal,ab 65,300,alt',
  ',,,,',
  'Quelle: Tarifhandbuch S. 12,,,,',
].join('\n');

describe('a sheet becomes a decision, and what was answered about it stays', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, {});
    page = desk.page;
  });

  const creation = (): Locator => page.getByRole('dialog', { name: 'New decision' });
  const found = (): Locator => creation().getByRole('region', { name: 'Found in the file' });
  const tick = (name: string): Locator => creation().getByRole('checkbox', { name, exact: true });
  const row = (at: number): Promise<string> =>
    creation().getByRole('table', { name: 'First rows' }).getByRole('row').nth(at).innerText();

  it('columns of results are known by their names in other languages, and a footnote is left out by one button', async () => {
    await desk.button('New decision').click();
    await creation()
      .locator('input[type=file]')
      .setInputFiles({ name: 'tariff.csv', mimeType: 'text/csv', buffer: Buffer.from(tariff) });
    await soon(async () => expect(await tick('Prämie (€)').isChecked()).to.equal(false));
    await soon(async () => expect(await tick('Alter').isChecked()).to.equal(true));
    await creation()
      .getByRole('row', { name: /Quelle/ })
      .waitFor();
    await expectAccessible(page, 'a sheet with a footnote');
    await creation()
      .getByRole('region', { name: 'Words below the table in row 6: leave it out?' })
      .getByRole('button', { name: 'Leave row 6 out' })
      .click();
    await creation()
      .getByRole('row', { name: /Quelle/ })
      .waitFor({ state: 'detached' });
  });

  it('a word that can only take everything where numbers stand is one of the repairs', async () => {
    const values = found().getByRole('region', { name: /^Cells that take everything in Fahrzeugwert/ });
    await values.getByRole('button', { name: 'Repair 1 cell' }).click();
    await soon(async () => expect(await row(3)).to.match(/^egal\s+any\s+ab 65/));
  });

  it('what was repaired, answered and left out stays when a column is ticked, and ticked back', async () => {
    await found()
      .getByRole('button', { name: /^Repair all that have one reading/ })
      .click();
    const values = found().getByRole('region', { name: /in Fahrzeugwert/ });
    await values.getByRole('radio').first().check();
    await values.getByRole('button', { name: 'Repair 2 cells' }).click();
    const regions = found().getByRole('region', { name: /in Region, such as egal/ });
    await regions.getByRole('radio').last().check();
    await regions.getByRole('button', { name: 'Repair 1 cell' }).click();
    const isRepaired = (): Promise<void> =>
      soon(async () => {
        expect(await row(1)).to.match(/^"Nord"\s+10000\s+< 25/);
        expect(await row(3)).to.match(/^any\s+any\s+>= 65/);
        expect(
          await creation()
            .getByRole('row', { name: /Quelle/ })
            .count(),
        ).to.equal(0);
        expect(await found().getByText('written otherwise').count()).to.equal(0);
      });
    await isRepaired();
    for (const name of ['Klasse', 'Prämie (€)', 'Klasse', 'Prämie (€)']) {
      const answered = page.waitForResponse('**/logic/conversions/table*');
      await tick(name).click();
      await answered;
      await found().waitFor({ state: 'attached' });
      await isRepaired();
    }
  });

  it('and a column that becomes a result loses its own repairs alone, which come back with its tick', async () => {
    for (const [isInput, repaired] of [
      [false, /^"Nord"\s+10000\s+"unter 25"/],
      [true, /^"Nord"\s+10000\s+< 25/],
    ] as const) {
      await tick('Alter').setChecked(isInput);
      await soon(async () => expect(await row(1)).to.match(repaired));
    }
  });

  it('nothing can be made of it before the answer to the last tick is there', async () => {
    const path = '**/logic/conversions/table*';
    const releases: (() => void)[] = [];
    await page.route(path, (route) =>
      new Promise<void>((resolve) => releases.push(resolve)).then(() => route.continue()),
    );
    await tick('Prämie (€)').check();
    await tick('Klasse').check();
    await eventually(() => releases.length === 2);
    const answered = page.waitForResponse(path);
    releases[0]!();
    await answered;
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 200)))');
    const create = creation().getByRole('button', { name: 'Create' });
    await soon(async () => expect(await create.isDisabled()).to.equal(true));
    await soon(async () => expect(await found().count()).to.equal(0));
    releases[1]!();
    await soon(async () => expect(await create.isDisabled()).to.equal(false));
    await page.unroute(path);
    await soon(async () => expect(await row(1)).to.match(/^"Nord"\s+10000\s+< 25/));
    await tick('Prämie (€)').uncheck();
    await soon(async () => expect(await create.isDisabled()).to.equal(false));
    await create.click();
    await page.getByRole('grid').or(desk.button('Rules')).first().waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-2)!;
    const { body } = await desk.scene.caller.get(`/logic/decisions/${id}`);
    expect(body).to.include({ faults: 0, warnings: 0 });
    expect(desk.view.complaints).to.deep.equal([]);
  });
});
