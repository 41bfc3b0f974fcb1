import { expect } from 'chai';
import { expectAccessible } from '../support/axe.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { deciding, type Model } from '../support/models.js';
import { soon } from '../support/eventually.js';
import type { Scene } from '../support/scene.js';

/** `{age}` to a fee that the response does not show: whatever the table says, the result is the same. */
function hiding(limit: number): Model {
  const model = deciding([{ _id: 'r', age: `< ${limit}`, size: '', fee: '1' }]) as { nodes: object[] };
  const nothing = { id: 'e', key: 'answer', value: '42' };
  const hide = { id: 'hide', type: 'expressionNode', name: 'Answer', content: { expressions: [nothing] } };
  const edges = [
    { id: 'a', sourceId: 'in', targetId: 'table' },
    { id: 'b', sourceId: 'table', targetId: 'hide' },
    { id: 'c', sourceId: 'hide', targetId: 'out' },
  ];
  return { nodes: [...model.nodes, hide], edges };
}

const calling = (most: number): Model => deciding([{ _id: 'r', age: `len(size) < ${most}`, size: '', fee: '1' }]);

describe('Compare says what could not be decided, and why', () => {
  let scene: Scene;
  let view: ConsolePage;

  useConsole(async (at) => {
    ({ scene, view } = at);
    await view.open('/decisions');
  });

  const whatChanges = async (key: string, before: Model, after: Model): Promise<string> => {
    const id = await scene.decision(key, before);
    await scene.decision(key, after);
    await view.go(`/decisions/${id}/compare?from=1&to=2`);
    const region = view.page.getByRole('region', { name: 'What changes' });
    await region.getByText('No difference was found').waitFor();
    return region.innerText();
  };

  it('where other rows apply, and no result shows it', async () => {
    const text = await whatChanges('hidden.json', hiding(18), hiding(21));
    expect(text).to.include('Undecided: here other rows apply, but no fact was found whose result differs by it.');
    expect(text).to.include('age is from 18 to under 21');
    await expectAccessible(view.page, 'compare, undecided');
  });

  it('where a cell does what cannot be compared', async () => {
    expect(await whatChanges('calls.json', calling(3), calling(2.5))).to.include(
      'That is because in the table “Table” `len(size) < 3` does more than compare a field with constants.',
    );
  });

  it('what is of fractions alone apart, where a column has whole numbers only', async () => {
    const ages = (cells: readonly string[]): Model => {
      const rules = cells.map((age, at) => ({ _id: `r${at}`, age, size: '', fee: String(at) }));
      const model = deciding(rules) as { nodes: { content: { inputs?: object[] } }[] };
      for (const { content } of model.nodes)
        if (content.inputs) content.inputs = content.inputs.map((column) => ({ ...column, _whole: true }));
      return model;
    };
    const id = await scene.decision('ages.json', ages(['< 18', '<= 64', '']));
    await scene.decision('ages.json', ages(['< 21', '< 65', '']));
    await view.go(`/decisions/${id}/compare?from=1&to=2`);
    const whole = view.page.getByRole('table', { name: 'What changes', exact: true });
    await whole.waitFor();
    await soon(async () => expect(await whole.locator('tbody tr').count()).to.equal(1));
    await view.page.getByText('And 1 place between whole numbers, in columns that have these only.').click();
    const fractions = view.page.getByRole('table', { name: 'What changes between whole numbers' });
    await soon(async () => expect(await fractions.locator('tbody').innerText()).to.match(/64\.5/));
    await expectAccessible(view.page, 'compare, fractions');
  });

  it('one line for each row, however many places it answers at, and which row did before', async () => {
    const fees = (limit: number, last: string): Model =>
      deciding([
        { _id: 'a', age: `< ${limit}`, size: '"S"', fee: '1' },
        { _id: 'b', age: '> 64', size: '"L", "M"', fee: '2' },
        { _id: 'rest', age: '', size: '', fee: last },
      ]);
    const id = await scene.decision('last.json', fees(18, '3'));
    await scene.decision('last.json', fees(21, '4'));
    await view.go(`/decisions/${id}/compare?from=1&to=2`);
    const rows = view.page.getByRole('table', { name: 'What changes', exact: true }).locator('tbody tr');
    await rows.nth(1).waitFor();
    const lines = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(lines).to.have.length(2);
    expect(lines[0]).to.match(/^row 1 in place of row 3 < 21, S .*age is from 18 to under 21.*fee: 3 → 1/);
    expect(lines[1]).to.match(/^row 3 asks for nothing .* and \d more places? .*fee: 3 → 4/);
    await rows.nth(1).getByText('more place').click();
    await soon(async () => expect(await rows.nth(1).locator('li').count()).to.be.above(0));
    await expectAccessible(view.page, 'compare, rows');
  });

  it('differences of tests apart, which hide none of what is decided', async () => {
    const tested = (limit: number, count: number): Model => ({
      ...(deciding([{ _id: 'r', age: `< ${limit}`, size: '', fee: '1' }]) as object),
      tests: Array.from({ length: count }, (_, at) => ({ name: `T${at}`, input: { age: at }, output: { fee: 1 } })),
    });
    const id = await scene.decision('tested.json', tested(18, 0));
    await scene.decision('tested.json', tested(21, 9));
    await view.go(`/decisions/${id}/compare?from=1&to=2`);
    const region = view.page.getByRole('region', { name: 'Differences' });
    await region.getByRole('heading', { name: '1 difference', exact: true }).waitFor();
    const tests = region.getByText('9 differences in tests, which change no result');
    await tests.click();
    await soon(async () =>
      expect(await region.getByRole('table', { name: 'Differences of tests' }).locator('tbody tr').count()).to.equal(9),
    );
    await expectAccessible(view.page, 'compare, tests');
  });

  const whereOf = async (key: string, before: Model, after: Model): Promise<string[]> => {
    const id = await scene.decision(key, before);
    await scene.decision(key, after);
    await view.go(`/decisions/${id}/compare?from=1&to=2`);
    const table = view.page.getByRole('table', { name: 'Differences', exact: true });
    await table.waitFor();
    return (await table.locator('.where').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  };

  it('a row that came or went is told by its own conditions, whatever stands at its number in the other version', async () => {
    const row = (id: string, age: string, fee: string): object => ({ _id: id, age, size: '', fee });
    const [young, grown, old] = [row('a', '< 18', '1'), row('b', '[18..30]', '2'), row('c', '> 30', '3')];
    expect(await whereOf('gone.json', deciding([young, grown, old]), deciding([young, old]))).to.deep.equal([
      'row 2 18–30',
    ]);
    expect(await whereOf('came.json', deciding([young, old]), deciding([young, grown, old]))).to.deep.equal([
      'row 2 18–30',
    ]);
  });
});
