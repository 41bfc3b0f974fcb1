import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { chainOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { soon } from '../support/eventually.js';
import type { Model } from '../support/models.js';

/** A request and a response so near to one another that no node has room between them. */
const near: Model = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request', position: { x: 0, y: 0 }, content: {} },
    { id: 'out', type: 'outputNode', name: 'Response', position: { x: 230, y: 0 }, content: {} },
  ],
  edges: [{ id: 'e', type: 'edge', sourceId: 'in', targetId: 'out' }],
};

describe('the graph on the desk has room for what is added', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'near.json': near, 'long.json': chainOf(9) });
    ({ page } = desk);
  });

  const boxOf = async (target: Locator): Promise<{ x: number; y: number; width: number; height: number }> => {
    const box = await target.boundingBox();
    if (box === null) throw new Error('It is not drawn.');
    return box;
  };
  const drag = async (name: string, to: { readonly x: number; readonly y: number }): Promise<void> => {
    const { x, y } = await boxOf(desk.button(name));
    await page.mouse.move(x + 10, y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 5 });
    await page.mouse.up();
  };

  it('which a new decision begins with, by one sentence with its first step, and no JSON', async () => {
    await desk.edit('near.json');
    const step = page.getByRole('group', { name: 'First step' });
    await step.getByText('Begin with a table').first().waitFor();
    await page.getByText('The decision asks for nothing yet').waitFor();
    await soon(async () => expect(await page.getByRole('textbox', { name: 'Fact' }).count()).to.equal(0));
    await desk.button('Begin with a table').click();
    await page.getByRole('grid').waitFor();
    await desk.button('Graph').click();
    await page.getByRole('img', { name: 'Request → Table' }).waitFor({ state: 'attached' });
    await soon(async () => expect(await step.count()).to.equal(0));
    await desk.button('Undo').click();
    await step.waitFor();
  });

  it('on a short line too: what follows makes room, and nodes are called after their kinds', async () => {
    const line = await boxOf(page.getByRole('img', { name: 'Request → Response' }).locator('.wide'));
    const request = await boxOf(desk.button('Request'));
    await drag('Add Table', { x: line.x + line.width / 2, y: line.y + line.height / 2 });
    await desk.button('Table').waitFor();
    const [first, table, last] = await Promise.all(
      ['Request', 'Table', 'Response'].map((name) => boxOf(desk.button(name))),
    );
    expect(first?.x, 'nothing moves before it').to.be.closeTo(request.x, 2);
    expect(table!.x).to.be.greaterThan(first!.x + first!.width + 8);
    expect(last!.x).to.be.greaterThan(table!.x + table!.width + 8);
    await desk.button('Add Table').click();
    await desk.button('Table 2').waitFor();
  });

  it('beside everything, where it was let go, and nothing that is seen moves for it', async () => {
    const box = await boxOf(page.locator('.graph-box'));
    const before = await boxOf(desk.button('Request'));
    const at = { x: box.x + box.width - 120, y: box.y + box.height - 90 };
    await drag('Add Switch', at);
    await desk.button('Switch').waitFor();
    const [after, added] = await Promise.all(['Request', 'Switch'].map((name) => boxOf(desk.button(name))));
    for (const side of ['x', 'y', 'width'] as const) expect(after![side], side).to.be.closeTo(before[side], 2);
    expect(added!.x + added!.width / 2).to.be.closeTo(at.x, 12);
    expect(added!.y + added!.height / 2).to.be.closeTo(at.y, 12);
    for (;;) {
      if (await desk.button('Undo').isDisabled()) break;
      await desk.button('Undo').click();
    }
  });

  it('and is drawn so large that it can be read: what does not fit is scrolled to, or seen by Fit', async () => {
    await desk.edit('long.json');
    const letters = async (): Promise<number> =>
      page
        .locator('.node .name')
        .first()
        .evaluate((element) => {
          const text = element as unknown as { getScreenCTM(): { a: number } };
          return 15 * text.getScreenCTM().a;
        });
    await soon(async () => expect(await letters()).to.be.at.least(9));
    await soon(async () =>
      expect((await boxOf(desk.button('Request'))).x).to.be.at.least((await boxOf(page.locator('.graph-box'))).x),
    );
    await desk.button('Response').scrollIntoViewIfNeeded();
    await desk.button('Fit').click();
    await soon(async () => {
      const [box, last] = [await boxOf(page.locator('.graph-box')), await boxOf(desk.button('Response'))];
      expect(last.x + last.width).to.be.at.most(box.x + box.width);
    });
    await desk.button('Response').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
  });
});
