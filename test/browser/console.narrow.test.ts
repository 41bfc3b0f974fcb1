import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { atConsole } from '../support/consolePage.js';
import { tableOf } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';

interface Element {
  readonly className: string;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

describe('the author’s desk on 320 px', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'fees.json': tableOf(40) });
    page = desk.page;
    await page.setViewportSize({ width: 320, height: 640 });
  });

  it('lies one below the other: the decisions, the table, its faults, the panel', async () => {
    for (const node of ['fees', undefined]) {
      await desk.edit('fees.json', node);
      const boxes = await page
        .locator('.desk-decisions, .node-pane, .graph-pane, .grid, .graph-box, .faults, .desk-panel')
        .evaluateAll((elements) =>
          (elements as unknown as Element[]).map((element) => {
            const { top, bottom } = element.getBoundingClientRect();
            return [element.className.split(' ')[0] ?? '', top, bottom] as const;
          }),
        );
      const of = (name: string) => boxes.find(([each]) => each === name) ?? [name, NaN, NaN];
      const pane = boxes.some(([name]) => name === 'grid') ? 'node-pane' : 'graph-pane';
      const inner = pane === 'node-pane' ? 'grid' : 'graph-box';
      expect(of(inner)[2], `${inner} within ${pane}`).to.be.at.most(of(pane)[2] + 1);
      for (const [above, below] of [
        ['desk-decisions', pane],
        [pane, 'faults'],
        ['faults', 'desk-panel'],
      ] as const)
        expect(of(above)[2], `${above} above ${below}`).to.be.at.most(of(below)[1] + 1);
    }
  });
});
