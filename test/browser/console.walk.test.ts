import type { TestApp } from '../support/app.js';
import { AnalystWalk } from '../support/analystWalk.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildClient } from '../support/factories.js';
import { buildScene, testStore } from '../support/scene.js';

describe('an analyst’s tasks, from a spreadsheet to a decision in force, by keyboard alone, and no JSON is seen', function () {
  this.timeout(400_000);
  let app: TestApp;
  let views: readonly ConsolePage[] = [];
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
    views = [view, other];
    await view.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await view.open('/decisions');
    await other.open('/requests');
    walk = new AnalystWalk(scene, view.page, other.page);
  });
  after(() => Promise.all(views.map((view) => view.close())));
  // What comes after a task that failed has nothing to go on from.
  beforeEach(function () {
    if (hasFailed) this.skip();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });

  for (const [at, task] of AnalystWalk.tasks.entries()) it(task, () => walk.do(at));
});
