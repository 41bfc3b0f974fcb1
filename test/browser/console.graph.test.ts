import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';
import { loan } from '../support/loan.js';
import { between, type Model } from '../support/models.js';

/** A switch without ways, and two nodes that nothing leads to. */
const branches: Model = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 200 }, content: {} },
    { id: 'way', type: 'switchNode', name: 'Way', position: { x: 250, y: 200 }, content: { statements: [] } },
    ...['Young', 'Old'].map((name, at) => ({
      id: name,
      type: 'expressionNode',
      name,
      position: { x: 500, y: 100 + 200 * at },
      content: { expressions: [{ id: 'e', key: 'is', value: `'${name.toLowerCase()}'` }] },
    })),
    { id: 'out', type: 'outputNode', name: 'Response', position: { x: 750, y: 200 }, content: {} },
  ],
  edges: [{ id: 'e', type: 'edge', sourceId: 'in', targetId: 'way' }],
};

/** A switch, the second of whose three ways leads to the response. */
const free = (): Model => {
  const statements = ['a', 'b', ''].map((condition, at) => ({
    id: `way ${at}`,
    condition,
    isDefault: condition === '',
  }));
  const { nodes, edges } = between({ id: 'way', type: 'switchNode', name: 'Way', content: { statements } });
  const withHandle = (edge: object): object =>
    'targetId' in edge && edge.targetId === 'out' ? { ...edge, sourceHandle: 'way 1' } : edge;
  return { nodes, edges: (edges as readonly object[]).map(withHandle) };
};

describe('the graph of a model on the desk', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'loan.json': loan(5.4), 'branches.json': branches, 'free.json': free() });
    ({ page } = desk);
  });

  const button = (name: string): Locator => desk.button(name);

  it('drags a node, connects two from the dot of one, selects several, deletes them, tidies up', async () => {
    await desk.edit('loan.json');
    const center = async (target: Locator): Promise<{ x: number; y: number }> => {
      const box = await target.boundingBox();
      if (box === null) throw new Error('It is not drawn.');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const drag = async (from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
    };
    const before = await desk.stored('loan.json');
    const start = await center(button('Ratios'));
    await drag(start, { x: start.x + 20, y: start.y + 90 });
    await desk.unsaved().waitFor();
    // It was no click: the graph is still there.
    await soon(async () => expect(await desk.region('Node').count()).to.equal(0));
    const port = page.locator('.node', { has: button('Refused') }).locator('.port');
    await drag(await center(port), await center(button('Rate')));
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await desk.keep();
    const after = await desk.stored('loan.json');
    expect((after.edges as readonly unknown[]).slice(0, -1)).to.deep.equal(before.edges);
    const moved = (model: Model) =>
      (model.nodes as readonly { name: string }[]).filter(({ name }) => name !== 'Ratios');
    expect(moved(after)).to.deep.equal(moved(before));

    // What was dragged is selected.
    await button('Ratios').click({ modifiers: ['Control'] });
    await button('Refused').click({ modifiers: ['Control'] });
    await button('To a person').click({ modifiers: ['Control'] });
    await button('Delete selected').click();
    await button('Refused').waitFor({ state: 'detached' });
    await soon(async () => expect(await button('To a person').count()).to.equal(0));
    await soon(async () => expect(await page.getByRole('img', { name: 'Refused → Rate' }).count()).to.equal(0));
    await button('Undo').click();
    await page.getByRole('img', { name: 'Refused → Rate' }).waitFor();
    await button('Tidy up').click();
    await desk.unsaved().waitFor();
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('adds a node beside the one that is selected, connected with it', async () => {
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
    await button('Ratios').click({ modifiers: ['Control'] });
    await button('Add Table').click();
    await page.getByRole('img', { name: /^Ratios → Table$/ }).waitFor({ state: 'attached' });
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('connects what is added with the first way of the selected switch that leads nowhere, and cuts off none', async () => {
    await desk.view.go('/decisions');
    await desk.edit('free.json');
    for (const kind of ['Table', 'Expressions', 'Function']) {
      await button('Way').click({ modifiers: ['Control'] });
      await button(`Add ${kind}`).click();
      await button(kind).waitFor();
    }
    await desk.keep();
    const { nodes, edges } = await desk.stored('free.json');
    const names = new Map((nodes as readonly { id: string; name: string }[]).map(({ id, name }) => [id, name]));
    const ways = (edges as readonly { sourceId: string; sourceHandle?: string; targetId: string }[])
      .filter(({ sourceId }) => sourceId === 'way')
      .map(({ sourceHandle, targetId }) => [sourceHandle, names.get(targetId)]);
    expect(ways.slice(0, 3)).to.deep.equal([
      ['way 1', 'Response'],
      ['way 0', 'Table'],
      ['way 2', 'Expressions'],
    ]);
    // None is free any more.
    expect(ways.slice(3)).to.deep.equal([['way 0', 'Function']]);
  });

  it('connects each way of a switch from a dot of its own, deletes a line by its key, and tidies up so that all is seen', async () => {
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
    const ways = page.locator('.node', { has: button('Which way') }).locator('.port');
    await soon(async () => expect(await ways.count()).to.equal(3));
    await soon(async () =>
      expect(
        await page
          .locator('.node', { has: button('Which way') })
          .locator('.way text')
          .allTextContents(),
      ).to.satisfy((labels: string[]) => new Set(labels).size === 3),
    );
    const line = page.getByRole('img', { name: 'Ratios → Which way' });
    await soon(async () => expect(await line.count()).to.equal(1));
    await line.locator('.wide').click({ force: true });
    await page.keyboard.press('Delete');
    await line.waitFor({ state: 'detached' });
    await button('Undo').click();
    await line.waitFor({ state: 'attached' });
    await desk.unsaved().waitFor({ state: 'detached' });
    // So wide that all of it can be read there.
    await page.setViewportSize({ width: 1680, height: 900 });
    await button('Larger').click();
    await button('Tidy up').click();
    await desk.unsaved().waitFor();
    const box = page.locator('.graph-box');
    const edges = async (target: Locator): Promise<readonly number[]> => {
      const found = await target.boundingBox();
      return found === null ? [] : [found.x, found.y, found.x + found.width, found.y + found.height];
    };
    await eventually(async () => {
      const [left = 0, top = 0, right = 0, bottom = 0] = await edges(box);
      const nodes = await Promise.all((await page.locator('[data-node]').all()).map(edges));
      return nodes.every(
        ([x = -1, y = -1, to = 1e9, under = 1e9]) => x >= left && y >= top && to <= right && under <= bottom,
      );
    });
    // What fits has no bars to scroll by.
    await soon(async () =>
      expect(await box.evaluate((element) => (element as { className: string }).className)).to.contain('fitted'),
    );
    await page.setViewportSize({ width: 1280, height: 900 });
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('a node is dragged out of the palette, beside everything or onto a line', async () => {
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
    const drag = async (to: { readonly x: number; readonly y: number }): Promise<void> => {
      const start = await button('Add Table').boundingBox();
      await page.mouse.move((start?.x ?? 0) + 10, (start?.y ?? 0) + 10);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 5 });
      await page.locator('.ghost').waitFor();
      await page.mouse.up();
      await page.locator('.ghost').waitFor({ state: 'detached' });
    };
    const middleOf = async (target: Locator): Promise<{ x: number; y: number }> => {
      const box = await target.boundingBox();
      return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const before = await page.locator('[data-node]').count();
    const corner = await page.locator('.graph-box').boundingBox();
    const free = { x: (corner?.x ?? 0) + 120, y: (corner?.y ?? 0) + 60 };
    /** A way from another node, in its widths: a graph that grows is drawn smaller. */
    const fromRatios = async (to: { readonly x: number; readonly y: number }): Promise<readonly number[]> => {
      const [{ x, y }, box] = [await middleOf(button('Ratios')), await button('Ratios').boundingBox()];
      return [(to.x - x) / (box?.width ?? 1), (to.y - y) / (box?.width ?? 1)].map((part) => Math.round(10 * part));
    };
    const wanted = await fromRatios(free);
    await drag(free);
    const added = page.locator('[data-node][aria-pressed="true"]');
    await added.waitFor();
    const [across = NaN, down = NaN] = await fromRatios(await middleOf(added));
    expect([across - wanted[0]!, down - wanted[1]!].map(Math.abs), 'where it was let go').to.satisfy((off: number[]) =>
      off.every((each) => each <= 1),
    );
    await soon(async () => expect(await page.locator('[data-node]').count()).to.equal(before + 1));
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
    await drag(await middleOf(page.getByRole('img', { name: 'Ratios → Which way' }).locator('.wide')));
    await page.getByRole('img', { name: /^Ratios → Table$/ }).waitFor({ state: 'attached' });
    await page.getByRole('img', { name: /^Table → Which way$/ }).waitFor({ state: 'attached' });
    await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('a node that is dropped on a line comes into it', async () => {
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
    await page.locator('.graph-box').click({ position: { x: 5, y: 5 } });
    await button('Add Expressions').click();
    const added = button('Expressions');
    await added.waitFor();
    const name = (await added.getAttribute('aria-label')) ?? '';
    const path = page.getByRole('img', { name: 'Ratios → Which way' }).locator('.wide');
    const [start, end] = [await added.boundingBox(), await path.boundingBox()];
    if (start === null || end === null) throw new Error('It is not drawn.');
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 6 });
    await page.mouse.up();
    await page.getByRole('img', { name: `Ratios → ${name}` }).waitFor({ state: 'attached' });
    await page.getByRole('img', { name: `${name} → Which way` }).waitFor({ state: 'attached' });
    for (const _step of [1, 2, 3]) await button('Undo').click();
    await desk.unsaved().waitFor({ state: 'detached' });
  });

  it('connects two branches of a switch with two nodes by mouse, names their conditions, and runs each', async () => {
    await desk.view.go('/decisions');
    await desk.edit('branches.json');
    const node = (name: string): Locator => page.locator('.node', { has: button(name) });
    const drag = async (from: Locator, to: Locator): Promise<void> => {
      for (const [at, target] of [from, to].entries()) {
        const box = await target.boundingBox();
        await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2, {
          steps: 4,
        });
        await (at === 0 ? page.mouse.down() : page.mouse.up());
      }
    };
    await button('Way').dblclick();
    for (const [row, condition] of ['age < 18', 'age >= 18'].entries()) {
      const cell = page
        .getByRole('grid')
        .locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell]`)
        .first();
      await cell.dblclick();
      await page.keyboard.type(condition);
      await page.keyboard.press('Enter');
    }
    await button('Graph').click();
    await drag(node('Way').locator('.port').nth(0), button('Young'));
    await drag(node('Way').locator('.port').nth(1), button('Old'));
    for (const [name, condition] of [
      ['Young', 'age < 18'],
      ['Old', 'age >= 18'],
    ] as const) {
      await page.getByRole('img', { name: new RegExp(`^Way → ${name}`) }).waitFor({ state: 'attached' });
      await node('Way').locator('.way text').getByText(condition).waitFor({ state: 'attached' });
      await drag(node(name).locator('.port'), button('Response'));
    }
    for (const [age, answer] of [
      ['12', 'young'],
      ['40', 'old'],
    ] as const) {
      await page.getByRole('tab', { name: 'Fact' }).click();
      await page.getByLabel('age', { exact: true }).fill(age);
      await button('Run').click();
      await desk.region('Result').getByText(answer).first().waitFor();
    }
    await desk.keep();
  });

  it('runs another decision that is chosen from a list, and asks for what that one takes at once', async () => {
    await desk.edit('branches.json');
    await button('Add Decision').click();
    await button('Decision').dblclick();
    await page.getByRole('combobox', { name: 'Decision', exact: true }).selectOption('loan.json');
    await page.getByLabel('debts', { exact: true }).waitFor();
    const name = desk.region('Node').getByRole('textbox', { name: 'Name', exact: true });
    await soon(async () => expect(await name.inputValue()).to.equal('loan'));
    await page.getByText('Settings', { exact: true }).click();
    // All of it is in sight, and takes a click.
    await page.getByRole('textbox', { name: 'Write under this path' }).click();
    await button('Undo').click();
    await page.getByLabel('debts', { exact: true }).waitFor({ state: 'detached' });
    await soon(async () => expect(await name.inputValue()).to.equal('Decision'));
  });
});
