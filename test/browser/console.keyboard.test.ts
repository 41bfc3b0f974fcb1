import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { useConsole } from '../support/consolePage.js';
import { loanFact } from '../support/consoleScene.js';
import { focusedText, keyboardOf, type Keyboard } from '../support/keyboard.js';
import { loan } from '../support/loan.js';
import type { Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

interface Content {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly position: { readonly x: number } }[];
  readonly edges: readonly { readonly sourceId: string; readonly targetId: string }[];
}

describe('the console by keyboard alone', () => {
  let app: TestApp;
  let scene: Scene;
  let decisionId: string;
  let page: Page;
  let keyboard: Keyboard;

  const { button, link, region, textbox } = useConsole(async (at) => {
    ({ app, scene, page } = at);
    decisionId = await scene.decision('credit/loan.json', loan(5.4));
    await scene.environment();
    keyboard = keyboardOf(page);
  });

  /** By the navigation, which is before the page. */
  const goTo = async (name: string): Promise<void> => {
    await keyboard.tabTo(page.getByRole('navigation').getByRole('link', { name, exact: true }));
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await soon(async () => expect(await focusedText(page)).to.equal(name));
  };

  it('signs in', async () => {
    await page.goto(`${app.baseUrl}/console`);
    await button('Sign in').waitFor();
    await keyboard.type(scene.client.id);
    await keyboard.press('Tab');
    await keyboard.type(scene.client.secret);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
  });

  it('opens a decision, runs it, and goes from node to node', async () => {
    await keyboard.tabTo(link('loan'));
    await keyboard.press('Enter');
    await button('Application').waitFor();
    await keyboard.tabTo(page.getByRole('switch', { name: 'JSON' }));
    await keyboard.press('Space');
    await keyboard.tabTo(textbox('Fact'));
    await keyboard.replace(JSON.stringify(loanFact));
    await keyboard.tabTo(button('Run'));
    await keyboard.press('Space');
    await region('Result').getByText('rate 5.4').waitFor();
    await keyboard.tabTo(button('Application'));
    await keyboard.press('ArrowRight', 'ArrowRight', 'Enter');
    await region('Node').getByRole('heading', { name: 'Which way' }).waitFor();
  });

  it('edits a cell, and saves it as a version', async () => {
    await keyboard.tabTo(link('Edit'));
    await keyboard.press('Enter');
    // What was read is open there.
    await soon(async () => expect(await textbox('Name').inputValue()).to.equal('Which way'));
    await keyboard.tabTo(button('Graph'));
    await keyboard.press('Enter');
    await keyboard.tabTo(button('Rate'));
    await keyboard.press('Enter');
    await keyboard.tabTo(page.getByRole('grid', { name: 'Rate' }));
    await keyboard.press('ArrowDown', 'ArrowRight', 'ArrowRight', 'F2');
    await page.locator('.cm-content:focus').waitFor();
    await keyboard.press('Control+a');
    await keyboard.type('4.4 +');
    await region('Faults').getByText('Rate, row 2, output rate').waitFor();
    await keyboard.press('Backspace', 'Backspace');
    await region('Faults').getByText('No faults.').waitFor();
    await keyboard.tabTo(textbox('Message'));
    await keyboard.type('Cheaper');
    await keyboard.press('Enter');
    await link('v2').waitFor();
    // What was open stays open, and the focus where it was.
    await soon(async () => expect(await keyboard.isOn(textbox('Message'))).to.equal(true));
    await page.getByRole('gridcell', { name: '4.4', exact: true }).waitFor();
  });

  it('adds a node to the graph, connects, moves and opens it, and deletes it', async () => {
    const content = async (): Promise<Content> => {
      await keyboard.tabTo(button('Keep as working copy'));
      await keyboard.press('Enter');
      await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
      return ((await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`)).body as { content: Content })
        .content;
    };
    const select = async (name: string, option: string): Promise<void> => {
      await keyboard.tabTo(page.getByRole('combobox', { name, exact: true }));
      await keyboard.type(option);
    };
    const drawn = button('Function');
    await keyboard.tabTo(button('Graph'));
    await keyboard.press('Enter');
    await keyboard.tabTo(button('Add Function'));
    await keyboard.press('Enter');
    await drawn.waitFor();
    await page.locator('[data-node]:focus[aria-label="Function"]').waitFor();
    await select('From', 'Ratios');
    await select('To', 'Function');
    await keyboard.tabTo(button('Connect'));
    await keyboard.press('Enter');
    const added = await content();
    const idOf = (name: string): string | undefined => added.nodes.find((node) => node.name === name)?.id;
    const placeOf = ({ nodes }: Content) => nodes.find(({ name }) => name === 'Function')?.position;
    expect(added.edges.at(-1)).to.include({ sourceId: idOf('Ratios'), targetId: idOf('Function') });

    await keyboard.tabTo(drawn);
    await keyboard.press('Shift+ArrowRight', 'Shift+ArrowRight');
    await page.getByText('Changed, not saved.').waitFor();
    const moved = await content();
    expect(placeOf(moved)?.x).to.be.greaterThan(placeOf(added)?.x ?? Infinity);

    await keyboard.tabTo(drawn);
    await keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Source' }).waitFor();
    await keyboard.tabTo(button('Graph'));
    await keyboard.press('Enter');
    await keyboard.tabTo(drawn);
    await keyboard.press('Delete');
    await drawn.waitFor({ state: 'detached' });
    const names = (await content()).nodes.map(({ name }) => name);
    expect(names).to.include('Ratios').and.not.include('Function');
  });

  it('deploys both versions: the dialog keeps the focus, Escape gives the focus back, and the next key opens it again', async () => {
    await goTo('Deployments');
    const dialog = page.getByRole('dialog');
    await keyboard.tabTo(button('Deploy'));
    await keyboard.press('Enter');
    await dialog.getByRole('combobox', { name: 'Version' }).waitFor();
    for (let stops = 0; stops < 12; stops++) {
      await keyboard.press('Tab');
      const isWithin = await page.evaluate<boolean>(
        'document.activeElement === document.body || document.activeElement.closest("dialog") !== null',
      );
      expect(isWithin, `stop ${stops}`).to.equal(true);
    }
    await keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await soon(async () => expect(await focusedText(page)).to.equal('Deploy'));

    await keyboard.press('Space');
    await keyboard.tabTo(dialog.getByRole('combobox', { name: 'Version' }));
    await keyboard.press('ArrowDown');
    await keyboard.tabTo(dialog.getByRole('textbox', { name: 'Message' }));
    await keyboard.type('Spring');
    await keyboard.press('Enter');
    await page.getByRole('cell').getByText('v1').waitFor();
    await soon(async () => expect(await focusedText(page)).to.equal('Deploy'));

    await keyboard.press('Enter');
    await keyboard.tabTo(dialog.getByRole('button', { name: 'Deploy' }));
    await keyboard.press('Space');
    await page.getByRole('cell').getByText('v2').waitFor();
  });

  it('rolls back', async () => {
    await keyboard.tabTo(button('Roll back'));
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await keyboard.tabTo(dialog.getByRole('button', { name: 'Roll back to v1' }));
    await keyboard.press('Enter');
    await page.getByRole('cell').getByText('v1').waitFor();
    await soon(async () => expect(await focusedText(page)).to.equal('Roll back'));
    const { name: own } = (await scene.caller.get(`/core/v1/clients/${scene.client.id}`)).body as { name: string };
    const { body } = await scene.caller.get('/logic/deployments');
    const deployed = (body as { data: { decisionId: string; version: number; deployedBy: string }[] }).data;
    expect(deployed.map((each) => [each.decisionId, each.version, each.deployedBy])).to.deep.equal([
      [decisionId, 1, own],
      [decisionId, 2, own],
      [decisionId, 1, own],
    ]);
  });

  it('skips to the page, past the navigation', async () => {
    await goTo('Executions');
    await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
    await keyboard.tabTo(link('Skip to the page'));
    await keyboard.press('Enter');
    // Chromium moves to what a fragment names with the next frame; a link keeps the focus until then.
    await soon(async () => expect(await page.evaluate('document.activeElement === document.body')).to.equal(true));
    await keyboard.press('Tab');
    await soon(async () =>
      expect(await page.evaluate("document.activeElement.closest('main') !== null")).to.equal(true),
    );
  });
});
