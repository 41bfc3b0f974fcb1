import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { buildClient } from '../support/factories.js';
import { soon } from '../support/eventually.js';
import { deciding, expressing } from '../support/models.js';
import { testStore, type Scene } from '../support/scene.js';

describe('a file of cases, in the console', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  const { button } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    await scene.deployed('shop/other.json', expressing({ other: '1' }));
    await scene.deployed('shop/zone.json', deciding([{ _id: '1', age: '> 18', fee: '7' }]));
    await scene.deployed('shop/fee.json', expressing({ fee: 'parcel.weight * 2' }));
  });

  const dialog = () => page.getByRole('dialog', { name: 'Run a file' });
  const saved = async (act: () => Promise<void>): Promise<readonly [name: string, text: string]> => {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    const pieces: Buffer[] = [];
    for await (const piece of await file.createReadStream()) pieces.push(piece as Buffer);
    return [file.suggestedFilename(), Buffer.concat(pieces).toString()];
  };

  it('is begun from one that has the columns which the decision asks for', async () => {
    await view.open('/executions');
    await button('Run a file').click();
    await dialog().getByRole('combobox').selectOption({ label: 'shop/fee v1 in Environment' });
    await expectAccessible(page, 'Run a file');
    expect(await saved(() => button('A file to fill').click())).to.deep.equal([
      'shop-fee.csv',
      'reference,parcel.weight\r\n',
    ]);
  });

  it('is answered by the same file with what came of each row, whose executions are listed', async () => {
    const text = 'reference,parcel.weight\r\na,2\r\nb,much\r\nc,4\r\n';
    await dialog()
      .getByLabel('File (.xlsx or .csv)')
      .setInputFiles({ name: 'parcels.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const [name, answers] = await saved(() => dialog().getByRole('button', { name: 'Run', exact: true }).click());
    expect(name).to.equal('parcels.results.csv');
    const rows = answers.trim().split(/\r?\n/);
    expect(rows[0]).to.match(/^reference,parcel\.weight,id,status,result\.fee/);
    expect(
      rows.slice(1).map((row) =>
        row
          .replace(/[0-9a-f-]{36}/, 'ID')
          .split(',')
          .slice(0, 5),
      ),
    ).to.deep.equal([
      ['a', '2', 'ID', 'COMPLETED', '4'],
      ['b', 'much', '', 'FAILED', ''],
      ['c', '4', 'ID', 'COMPLETED', '8'],
    ]);
    expect(rows[2]).to.include('B3: ""much"" is a text where the decision takes a number.');
    await page.getByRole('status').getByText('2 completed, 1 failed. parcels.results.csv has the answer').waitFor();
    await soon(async () => expect(await page.locator('.brief').count()).to.equal(2));
    expect(await saved(() => button('Download it again').click())).to.deep.equal([name, answers]);
    await button('Clear').click();
    await page.getByText('2 completed, 1 failed').waitFor({ state: 'detached' });
  });

  it('says of rows of which nothing came what that means, and marks them in the list', async () => {
    await button('Run a file').click();
    await dialog().getByRole('combobox').selectOption({ label: 'shop/zone v1 in Environment' });
    const file = {
      name: 'zones.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('reference,age,size\r\na,20,\r\nb,5,\r\n'),
    };
    await dialog().getByLabel('File (.xlsx or .csv)').setInputFiles(file);
    const [, answers] = await saved(() => dialog().getByRole('button', { name: 'Run', exact: true }).click());
    const [, , empty = ''] = answers.split(/\r?\n/);
    expect(empty).to.match(/^b,5,,[0-9a-f-]{36},COMPLETED,.*\{\}/);
    await page.getByRole('status').getByText('2 completed, 1 of them with nothing, 0 failed.').waitFor();
    await page.getByRole('status').getByText('{} as the answer means that nothing came of a row').waitFor();
    const marks = page.locator('.brief .value.warn');
    await soon(async () => expect(await marks.allInnerTexts()).to.deep.equal(['nothing']));
    await expectAccessible(page, 'a row of which nothing came');
    await button('Clear').click();
  });

  it('says which cell is wrong of a file that cannot be read, and runs nothing of it', async () => {
    await button('Run a file').click();
    const file = { name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from('parcel.weight\r\n1,2\r\n') };
    await dialog().getByLabel('File (.xlsx or .csv)').setInputFiles(file);
    await dialog().getByRole('button', { name: 'Run', exact: true }).click();
    await dialog().getByRole('alert').getByText('B2').waitFor();
    expect(view.complaints.splice(0)).to.have.length(1);
    expect(((await scene.caller.get('/logic/executions')).body as { data: unknown[] }).data).to.have.length(4);
  });

  it('is not run before somebody says so where its columns are not the fields of the decision', async () => {
    const text = 'reference,Parcel.Weigth\r\nr,2\r\n';
    await dialog()
      .getByLabel('File (.xlsx or .csv)')
      .setInputFiles({ name: 'typo.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog().getByRole('button', { name: 'Run', exact: true }).click();
    const asked = dialog().getByRole('region', { name: 'Columns' }).getByRole('listitem');
    await soon(async () =>
      expect(await asked.allInnerTexts()).to.deep.equal([
        'Facts!B1: "Parcel.Weigth" is no field that the decision takes. Is "parcel.weight" meant?',
        'No column is the field "parcel.weight", which the decision takes.',
      ]),
    );
    await dialog().getByRole('alert').getByText('Nothing was run').waitFor();
    await expectAccessible(page, 'columns that are no fields');
    expect(view.complaints.splice(0)).to.have.length(1);
    const [, answers] = await saved(() => dialog().getByRole('button', { name: 'Run all the same' }).click());
    expect(answers).to.match(/\nr,2,[0-9a-f-]{36},/);
    await button('Clear').click();
    await button('Run a file').click();
  });

  it('is read as people of other countries write it, as a table and tests are', async () => {
    const text = 'reference;parcel.weight\nK-1;2,5\n';
    const file = { name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await dialog().getByLabel('File (.xlsx or .csv)').setInputFiles(file);
    const [, answers] = await saved(() => dialog().getByRole('button', { name: 'Run', exact: true }).click());
    expect(answers).to.match(/\nK-1;"*2,5"*;[0-9a-f-]{36};COMPLETED;5\b/);
    await page.getByRole('status').getByText('1 completed, 0 failed.').waitFor();
    await soon(async () => expect(await page.getByRole('table').innerText()).to.include('K-1'));
  });

  it('is to be chosen again where it was changed on disk since', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'verdict-'));
    const path = join(folder, 'saved.csv');
    await writeFile(path, 'reference,parcel.weight\nS-1,2\n');
    await button('Run a file').click();
    await dialog().getByLabel('File (.xlsx or .csv)').setInputFiles(path);
    await writeFile(path, 'reference,parcel.weight\nS-1,2\nS-2,3\n');
    await utimes(path, new Date(), new Date(Date.now() + 5000));
    await dialog().getByRole('button', { name: 'Run', exact: true }).click();
    await dialog().getByRole('alert').getByText('The file was changed since it was chosen. Choose it again.').waitFor();
    expect(view.complaints.splice(0)).to.have.length(1);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog().getByLabel('File (.xlsx or .csv)').click(),
    ]);
    await chooser.setFiles(path);
    await saved(() => dialog().getByRole('button', { name: 'Run', exact: true }).click());
    await page.getByRole('status').getByText('2 completed').waitFor();
    await rm(folder, { recursive: true });
  });

  it('is offered to nobody who may not execute', async () => {
    const { tenantId, workspaceId } = scene;
    const scopes = 'executions:read decisions:read environments:read deployments:read';
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes });
    await view.open('/executions', client);
    await button('Refresh').waitFor();
    await soon(async () => expect(await button('Run a file').count()).to.equal(0));
  });
});
