import { expect } from 'chai';
import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { expectAccessible } from '../support/axe.js';
import { ask, buildPerson, protect, review } from '../support/changes.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { soon } from '../support/eventually.js';
import { doubling } from '../support/models.js';
import type { Scene } from '../support/scene.js';
import type { TestApp } from '../support/app.js';

describe('a request that has ended', () => {
  let app: TestApp;
  let scene: Scene;
  let view: ConsolePage;
  let decisionId: string;
  let environmentId: string;
  let made: ChangeRequest;

  const { button } = useConsole(async (at) => {
    ({ app, scene, view } = at);
    await scene.decision('shop/double.json', doubling(2));
    decisionId = await scene.decision('shop/double.json', doubling(3));
    await scene.decision('shop/double.json', doubling(4));
    await scene.decision('shop/another.json', doubling(4));
    environmentId = await scene.environment();
    await protect(scene.caller, await scene.environment());
    await protect(scene.caller, environmentId);
    made = await ask(scene.caller, environmentId, [{ type: 'deploy', decisionId, version: 2 }]);
    await view.open('/requests');
  });

  const status = (text: string): Promise<void> => view.page.getByRole('status').filter({ hasText: text }).waitFor();

  it('is asked for again with the same version, environment and words, once it is rejected or closed', async () => {
    const { page } = view;
    await view.go(`/requests/${made.id}`);
    await status('OPEN');
    await soon(async () => expect(await button('Ask again').count()).to.equal(0));
    const { caller } = await buildPerson(app, scene);
    expect((await review(caller, made, 'reject')).status).to.equal(201);
    await status('REJECTED');
    await button('Ask again').click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    const valueOf = (name: string, role: 'combobox' | 'textbox' = 'combobox'): Promise<string> =>
      dialog.getByRole(role, { name }).inputValue();
    await soon(async () => {
      expect(await valueOf('Version')).to.equal('2');
      expect(await valueOf('Decision')).to.equal(decisionId);
      expect(await valueOf('Environment')).to.equal(environmentId);
      expect(await valueOf('Title', 'textbox')).to.equal('A change');
    });
    await expectAccessible(page, 'a request that is asked for again');
    await dialog.getByRole('button', { name: 'Request', exact: true }).click();
    await status('OPEN');
    await button('Close').click();
    await status('CLOSED');
    await button('Ask again').waitFor();
    await soon(async () => expect(await dialog.count()).to.equal(0));
  });
});
