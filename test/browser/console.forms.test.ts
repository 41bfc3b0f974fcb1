import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { atConsole } from '../support/consolePage.js';
import { openDesk, paste, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import type { Model } from '../support/models.js';
import { measurePageWork } from '../support/pageWork.js';

const tableOf = (inputs: readonly string[], output: string): Model => ({
  nodes: [
    { id: 'request', type: 'inputNode', name: 'Request', position: { x: 60, y: 120 }, content: {} },
    {
      ...{ id: 'fees', type: 'decisionTableNode', name: 'Fees', position: { x: 300, y: 120 } },
      content: {
        hitPolicy: 'first',
        inputs: inputs.map((name) => ({ id: name, name, field: name })),
        outputs: [{ id: output, name: output, field: output }],
        rules: [],
      },
    },
    { id: 'response', type: 'outputNode', name: 'Response', position: { x: 560, y: 120 }, content: {} },
  ],
  edges: [
    { id: 'first', sourceId: 'request', targetId: 'fees' },
    { id: 'second', sourceId: 'fees', targetId: 'response' },
  ],
});

const ranges = 'Age from,Age to,Country,Fee,Note\n18,30,FI,5,young\n30,65,FI,3,\n65,,FI,1,old\n';
const matrix = ',LTV,\nScore,0-60,60-80\n300-579,9.5,10.5\n580-669,7.5,8.5\n670+,5.5,\n';
const blocks = 'Branch,Type,Fee\nNorth,Private,3\n,Student,4\nSouth,Private,6\n,Student,7\n';
const tabbed = (text: string): string => text.replaceAll(',', '\t').replaceAll('\n', '\r\n');

describe('a sheet whose columns or cells mean something together', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, {
      'age.json': tableOf(['Age'], 'Fee'),
      'rates.json': tableOf(['Score', 'LTV'], 'Rate'),
    });
    page = desk.page;
  });

  const dialog = (name: string): Locator => page.getByRole('dialog', { name });
  const rangeAsked = (within: Locator): Locator =>
    within.getByRole('region', { name: 'Age from and Age to: one input with a range?' });
  const matrixAsked = (within: Locator): Locator =>
    within.getByRole('region', { name: 'A matrix: a row for each of its cells?' });
  const emptyAsked = (within: Locator): Locator =>
    within.getByRole('region', { name: 'Branch: empty below a value is the same as above, or any?' });
  const bring = async (within: Locator, text: string): Promise<void> => {
    const file = { name: 'fees.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await within.locator('input[type=file]').setInputFiles(file);
  };
  const rows = async (): Promise<readonly string[]> =>
    (await dialog('New decision').getByRole('table', { name: 'First rows' }).getByRole('row').all()).reduce<
      Promise<string[]>
    >(
      async (before, row) => [...(await before), (await row.innerText()).replace(/\s+/g, ' ').trim()],
      Promise.resolve([]),
    );
  const cells = async (): Promise<readonly string[]> =>
    (await page.locator('.grid-cell[data-row]').allInnerTexts()).map((text) => text.trim());
  const open = async (): Promise<Locator> => {
    await desk.view.go('/decisions');
    await desk.button('New decision').click();
    return dialog('New decision');
  };

  it('is asked whether two columns are one input, with a name that one can change, and stays as it is until then', async () => {
    const creation = await open();
    await bring(creation, ranges);
    const asked = rangeAsked(creation);
    await asked.getByText('Rows begin where others end: the end of a range is not within it.').waitFor();
    await expectAccessible(page, 'a sheet with two columns of one range');
    await soon(async () => expect((await rows())[1]).to.equal('18 30 "FI" 5 young'));
    const name = asked.getByRole('textbox', { name: 'Name of the input' });
    const button = asked.getByRole('button', { name: 'One input, Age to not included' });
    await name.fill('');
    await soon(async () => expect(await button.isDisabled()).to.equal(true));
    await name.fill('age');
    await page.keyboard.press('Enter');
    await creation.getByRole('checkbox', { name: 'Country' }).uncheck();
    await soon(async () => expect((await rows())[1]).to.equal('18 30 "FI" 5 young'));
    await asked.getByRole('textbox', { name: 'Name of the input' }).fill('age');
    await button.click();
    await asked.waitFor({ state: 'detached' });
    await soon(async () =>
      expect(await rows()).to.deep.equal([
        'age Country Fee Note the note of each row an input an output',
        '[18..30) "FI" 5 young',
        '[30..65) "FI" 3',
        '>= 65 "FI" 1 old',
      ]),
    );
    const country = creation.getByRole('checkbox', { name: 'Country' });
    await soon(async () => expect(await country.isChecked()).to.equal(false));
  });

  it('has a column of notes among its first rows, which one makes a column, and notes again', async () => {
    const creation = dialog('New decision');
    const side = creation.getByRole('combobox', { name: 'Note' });
    await side.selectOption('an output');
    await soon(async () => expect((await rows())[1]).to.equal('[18..30) "FI" 5 "young"'));
    await side.selectOption('the note of each row');
    await soon(async () => expect((await rows())[1]).to.equal('[18..30) "FI" 5 young'));
    await expectAccessible(page, 'a sheet with notes');
    await creation.getByRole('button', { name: 'Create' }).click();
    await desk.button('Rules').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-2)!;
    const { body } = await desk.scene.caller.get(`/logic/decisions/${id}/versions/0`);
    const { nodes } = (body as { content: { nodes: { content: Record<'inputs' | 'outputs', { field: string }[]> }[] } })
      .content;
    const fields = (['inputs', 'outputs'] as const).map((list) => nodes[1]!.content[list].map(({ field }) => field));
    expect(fields).to.deep.equal([['age'], ['Country', 'Fee']]);
  });

  it('is asked whether it is a matrix, and for the names that it does not say', async () => {
    const creation = await open();
    await bring(creation, matrix);
    const asked = matrixAsked(creation);
    await asked.waitFor();
    await expectAccessible(page, 'a matrix');
    const names = await Promise.all((await asked.getByRole('textbox').all()).map((box) => box.inputValue()));
    expect(names).to.deep.equal(['Score', 'LTV', '']);
    await soon(async () => expect(await creation.getByRole('button', { name: 'Create' }).isDisabled()).to.equal(true));
    await asked.getByRole('textbox', { name: 'What stands in the cells' }).fill('Yearly rate');
    await asked.getByRole('button', { name: 'Make a table of it' }).click();
    await soon(async () =>
      expect(await rows()).to.deep.equal([
        'Score LTV Yearly rate',
        '300-579 0-60 9.5',
        '300-579 60-80 10.5',
        '580-669 0-60 7.5',
        '580-669 60-80 8.5',
        '670+ 0-60 5.5',
      ]),
    );
    await creation.getByRole('button', { name: 'Cancel' }).click();
  });

  it('is asked whether what is empty below a value is the same as above, and takes any value where somebody says so', async () => {
    const creation = await open();
    await bring(creation, blocks);
    const asked = emptyAsked(creation);
    await asked.waitFor();
    await expectAccessible(page, 'a sheet in blocks');
    await asked.getByRole('button', { name: 'The same as above' }).click();
    await asked.waitFor({ state: 'detached' });
    const filled = ['"North" "Private" 3', '"North" "Student" 4', '"South" "Private" 6', '"South" "Student" 7'];
    await soon(async () => expect((await rows()).slice(1)).to.deep.equal(filled));
    await bring(creation, blocks);
    await asked.getByRole('button', { name: 'Any value' }).click();
    await asked.waitFor({ state: 'detached' });
    await soon(async () =>
      expect((await rows()).slice(1)).to.deep.equal([
        ...['"North" "Private" 3', 'any "Student" 4', '"South" "Private" 6', 'any "Student" 7'],
      ]),
    );
    await creation.getByRole('button', { name: 'Cancel' }).click();
  });

  it('is asked the same by the import of a table', async () => {
    await desk.edit('age.json', 'fees');
    await bring(page.locator('body'), ranges.replaceAll(',Country', '').replaceAll(',FI', ''));
    const importing = dialog('Import fees.csv');
    await rangeAsked(importing).getByRole('textbox').fill('Age');
    await rangeAsked(importing).getByRole('button', { name: 'One input, Age to not included' }).click();
    await rangeAsked(importing).waitFor({ state: 'detached' });
    await importing.getByRole('button', { name: 'Take it over' }).click();
    await soon(async () =>
      expect((await cells()).filter((text) => text !== '')).to.deep.equal([
        ...['[18..30)', '5', 'young', '[30..65)', '3', '>= 65', '1', 'old'],
      ]),
    );
    await desk.button('Undo').click();
  });

  it('is asked the same where it is pasted', async () => {
    await page.locator('.grid-cell').first().click();
    await paste(page, { 'text/plain': tabbed(ranges) });
    const pasting = dialog('Paste 4 rows of 5 columns');
    await rangeAsked(pasting).getByRole('button', { name: 'One input, Age to not included' }).click();
    await rangeAsked(pasting).waitFor({ state: 'detached' });
    await expectAccessible(page, 'paste of two columns as one');
    await dialog('Paste 4 rows of 4 columns').getByRole('button', { name: 'Make 3 columns and paste' }).click();
    await soon(async () => expect((await cells()).slice(0, 4)).to.deep.equal(['[18..30)', '"FI"', '5', 'young']));
    await desk.button('Undo').click();
    await desk.edit('rates.json', 'fees');
    await page.locator('.grid-cell').first().click();
    const wide = 'Score,0-60,60-80,80-90,90-100\n300-579,9.5,10.5,,\n580-669,7.5,8.5,,9.5\n670+,5.5,,6.5,\n';
    await paste(page, { 'text/plain': tabbed(wide) });
    const asked = matrixAsked(dialog('Paste 4 rows of 5 columns'));
    await asked.getByRole('textbox', { name: 'What stands along the first row' }).fill('LTV');
    await asked.getByRole('textbox', { name: 'What stands in the cells' }).fill('Rate');
    await asked.getByRole('button', { name: 'Make a table of it' }).click();
    await dialog('Paste 8 rows of 3 columns').getByRole('button', { name: 'Make 3 columns and paste' }).click();
    await soon(async () => expect((await cells()).slice(0, 3)).to.deep.equal(['300-579', '0-60', '9.5']));
    await desk.button('Undo').click();
    await page.locator('.grid-cell').first().click();
    await paste(page, { 'text/plain': tabbed(blocks) });
    const inBlocks = dialog('Paste 5 rows of 3 columns');
    await emptyAsked(inBlocks).getByRole('button', { name: 'The same as above' }).click();
    await emptyAsked(inBlocks).waitFor({ state: 'detached' });
    await inBlocks.getByRole('button', { name: 'Make 3 columns and paste' }).click();
    await soon(async () =>
      expect((await cells()).slice(0, 7)).to.deep.equal(['"North"', '"Private"', '3', '', '"North"', '"Student"', '4']),
    );
    await desk.button('Undo').click();
    expect(desk.view.complaints).to.deep.equal([]);
  });

  it('is looked at once for a paste, however often somebody chooses where its columns go', async () => {
    const during = await measurePageWork(page);
    await desk.edit('age.json', 'fees');
    await page.locator('.grid-cell').first().click();
    const rows = Array.from({ length: 9000 }, (_, n) => `${n * 10}-${n * 10 + 9},${n},${n + 1},${n + 2}`);
    const pasting = dialog('Paste 9001 rows of 4 columns');
    const looking = await during(async () => {
      await paste(page, { 'text/plain': tabbed(['Score,0-59,60-79,80-99', ...rows].join('\n')) });
      await matrixAsked(pasting).waitFor();
    });
    const choosing: number[] = [];
    for (const place of ['a new input', 'a new output', 'a new input', 'a new output'])
      choosing.push(await during(() => pasting.getByRole('combobox', { name: 'Score is' }).selectOption(place)));
    expect(Math.min(...choosing), `milliseconds, of ${choosing.join()}`).to.be.below(looking / 5);
  });
});
