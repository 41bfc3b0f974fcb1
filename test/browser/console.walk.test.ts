import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { AnalystWalk } from '../support/analystWalk.js';
import { atConsole, openConsole } from '../support/consolePage.js';
import { isLong } from '../support/environment.js';
import { buildClient } from '../support/factories.js';
import { keys, mouse, type Hand } from '../support/hands.js';
import { buildScene, testStore } from '../support/scene.js';

/** In the short form without a mouse alone: what it presses, the tests of each page click. */
const hands: readonly (readonly [string, (page: Page) => Hand])[] = [
  ...(isLong ? ([['by mouse', mouse]] as const) : []),
  ['by keyboard alone', keys],
];

for (const [name, handOf] of hands) {
  describe(`an analyst’s tasks, from a spreadsheet to a decision in force, ${name}, and no JSON is seen`, function () {
    this.timeout(400_000);
    let app: TestApp;
    let walk: AnalystWalk;
    let hasFailed = false;

    atConsole(async (booted) => {
      app = booted;
      const scene = await buildScene(app);
      const { tenantId, workspaceId } = scene;
      const approver = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Ann of risk' });
      const [view, other] = await Promise.all([
        openConsole(app.baseUrl, scene),
        openConsole(app.baseUrl, { client: approver }),
      ]);
      await view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await view.open('/decisions');
      await other.open('/requests');
      walk = new AnalystWalk(scene, { view, handOf }, { view: other, handOf });
    });
    // What comes after a task that failed has nothing to go on from.
    beforeEach(function () {
      if (hasFailed) this.skip();
    });
    afterEach(function () {
      hasFailed ||= this.currentTest?.state === 'failed';
    });

    for (const [at, task] of AnalystWalk.tasks.entries()) it(task, () => walk.do(at));
  });
}
