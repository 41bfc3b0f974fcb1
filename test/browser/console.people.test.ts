import { expect } from 'chai';
import { roles, type RoleName } from '../../src/oauth/roles.js';
import type { TestApp } from '../support/app.js';
import { ask, protect, review } from '../support/changes.js';
import { atConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { buildConsoleScene, type ConsoleScene } from '../support/consoleScene.js';
import { buildClient } from '../support/factories.js';
import { callerOf } from '../support/http.js';
import { testStore } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';

/** What somebody of a role finds around the desk. */
describe('the console for approver, auditor and operator', () => {
  let app: TestApp;
  let made: ConsoleScene;
  let guarded: string;
  let requestId: string;
  let view: ConsolePage;

  const clientOf = (name: string, role: RoleName) => {
    const { tenantId, workspaceId } = made.scene;
    const scopes = roles[role].scopes.join(' ');
    return buildClient(testStore(), { tenantId, workspaces: [workspaceId], name, scopes });
  };
  const people = new Map<RoleName, Awaited<ReturnType<typeof clientOf>>>();

  atConsole(async (booted) => {
    app = booted;
    made = await buildConsoleScene(app);
    for (const [role, name] of [
      ['author', 'Oscar Author'],
      ['approver', 'Anna Approver'],
      ['auditor', 'Aud Itor'],
      ['operator', 'Ole Operator'],
    ] as const)
      people.set(role, await clientOf(name, role));
    guarded = await made.scene.environment();
    await made.scene.deploy(made.decisionId, guarded, 1);
    await protect(made.scene.caller, guarded, { requires: { tests: true } });
    const caller = async (role: RoleName) =>
      callerOf(app.baseUrl, await tokenOf(app.baseUrl, people.get(role)!), made.scene.workspaceId);
    const change = { type: 'deploy', decisionId: made.decisionId, version: 2 };
    const request = await ask(await caller('author'), guarded, [change]);
    requestId = request.id;
    expect((await review(await caller('approver'), request, 'comment')).status).to.equal(201);
    view = await openConsole(app.baseUrl, made.scene);
  });

  it('names people to each role that reads what they did, itself in the head too', async () => {
    const seen: readonly (readonly [path: string, name: string])[] = [
      [`/requests/${requestId}`, 'Oscar Author'],
      [`/requests/${requestId}`, 'Anna Approver'],
      ['/requests', 'Oscar Author'],
      ['/audit', 'Oscar Author'],
      [`/decisions/${made.decisionId}?version=2`, 'test (command line)'],
      [`/executions/${made.executionId}`, 'Test client'],
      ['/deployments', 'Test client'],
    ];
    for (const [role, name] of [
      ['approver', 'Anna Approver'],
      ['auditor', 'Aud Itor'],
      ['operator', 'Ole Operator'],
    ] as const) {
      await view.open('/decisions', people.get(role)!);
      await view.page.getByRole('banner').getByText(name).waitFor();
      for (const [path, text] of seen) {
        await view.go(path);
        const main = view.page.getByRole('main');
        await main.getByText(text).filter({ visible: true }).first().waitFor();
        expect(await main.innerText(), `${role} on ${path}`).to.not.include('client:');
      }
    }
  });
});
