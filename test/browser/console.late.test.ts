import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectRefusals } from '../support/browser.js';
import { loanFact } from '../support/consoleScene.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { eventually, soon } from '../support/eventually.js';
import { loan } from '../support/loan.js';
import type { Scene } from '../support/scene.js';

describe('facts, while answers come late', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;

  const { button } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    decisionId = await scene.decision('credit/loan.json', loan(5.4));
    await view.open('/decisions');
  });

  const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
  const fact = (): Locator => page.getByRole('textbox', { name: 'Fact', exact: true });
  let path: string | undefined;
  /** Executes a fact with that age; gives the id. */
  const executed = async (age = 77): Promise<string> => {
    if (path === undefined) {
      const environmentId = await scene.environment();
      await scene.deploy(decisionId, environmentId);
      path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    }
    const { body } = await scene.caller.post(path, { fact: { ...loanFact, age } });
    return (body as { id: string }).id;
  };
  const drawn = (): Promise<unknown> =>
    page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');

  /** Holds the answers to some requests back, until they are let go. */
  const held = async (path: string): Promise<() => Promise<void>> => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(path, async (route) => {
      await released;
      await route.continue();
    });
    return async () => {
      const answered = page.waitForResponse(path);
      release();
      await answered;
      await page.unroute(path);
    };
  };

  for (const [where, open] of [
    ['a model’s page', () => page.getByRole('link', { name: 'loan', exact: true }).click()],
    ['the desk', () => view.show(`/decisions/${decisionId}/edit`)],
  ] as const) {
    it(`on ${where} nothing is typed before it is known what is asked for: no form takes the place of a text`, async () => {
      await view.go('/decisions');
      const letGo = await held(`**/decisions/${decisionId}/versions/0/schema`);
      await open();
      await page.getByRole('tab', { name: 'Fact', exact: true }).waitFor();
      await soon(async () => expect([await fact().count(), await button('Run').count()]).to.deep.equal([0, 0]));
      await letGo();
      await field('age').waitFor();
    });
  }

  it('what was typed stays when a recorded fact that was chosen before comes late, and nothing else runs in its place', async () => {
    const id = await executed();
    await view.go('/decisions');
    await view.go(`/decisions/${decisionId}`);
    const source = page.getByRole('combobox', { name: 'Start from' });
    const letGo = await held(`**/logic/executions/${id}`);
    await source.selectOption(`execution:${id}`);
    await soon(async () => expect(await button('Run').isDisabled()).to.equal(true));
    await field('age').fill('42');
    await soon(async () => expect(await button('Run').isDisabled()).to.equal(false));
    await letGo();
    await drawn();
    await soon(async () => expect(await field('age').inputValue()).to.equal('42'));
    await source.selectOption('');
    await source.selectOption(`execution:${id}`);
    await eventually(async () => (await field('age').inputValue()) === '77');
  });

  it('what was typed into a test stays when a recorded execution comes late, and of two the one that was chosen last is taken', async () => {
    const [one, other] = [await executed(78), await executed(79)];
    await view.go(`/decisions/${decisionId}/edit?tab=tests`);
    await button('Add test').first().click();
    const dialog = page.getByRole('dialog', { name: 'New test' });
    const age = dialog
      .getByRole('group', { name: 'Fact, field by field' })
      .getByRole('textbox', { name: 'age', exact: true });
    const source = dialog.getByRole('combobox', { name: 'Start from' });
    const letGo = await held(`**/logic/executions/${one}`);
    await source.selectOption(`execution:${one}`);
    await age.fill('42');
    await letGo();
    await drawn();
    await soon(async () => expect(await age.inputValue()).to.equal('42'));
    await source.selectOption('');
    const letFirstGo = await held(`**/logic/executions/${one}`);
    await source.selectOption(`execution:${one}`);
    await source.selectOption(`execution:${other}`);
    await eventually(async () => (await age.inputValue()) === '79');
    await letFirstGo();
    await drawn();
    await soon(async () => expect(await age.inputValue()).to.equal('79'));
    await page.keyboard.press('Escape');
  });

  it('a form stays one while its schema cannot be read again', async () => {
    const path = `**/decisions/${decisionId}/versions/0/schema`;
    await view.go(`/decisions/${decisionId}/edit`);
    await field('age').fill('43');
    await page.route(path, (route) => route.fulfill({ status: 404, body: '{}' }));
    await button('Application').click();
    await button('Add field').click();
    const answered = page.waitForResponse(path);
    await button('Keep as working copy').click();
    await answered;
    await drawn();
    await soon(async () => expect(await field('age').inputValue()).to.equal('43'));
    await page.unroute(path);
    expectRefusals(view, 404);
  });
});
