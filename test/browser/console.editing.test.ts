import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { useConsole, type ConsolePage, writeFact } from '../support/consolePage.js';
import { eventually, soon } from '../support/eventually.js';
import { buildClient, buildWorkspace } from '../support/factories.js';
import { loan } from '../support/loan.js';
import { testStore, type Scene } from '../support/scene.js';

type Box = Awaited<ReturnType<Locator['boundingBox']>> | undefined;

function isWithin(box: Box, canvas: Box): boolean {
  if (!box || !canvas) return false;
  const fitsAcross = box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width;
  return fitsAcross && box.y >= canvas.y && box.y + box.height <= canvas.y + canvas.height;
}

describe('the console’s editor keeps what was typed', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;

  const { button, link } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    decisionId = await scene.decision('credit/loan.json', loan(5.4));
  });

  const dialog = () => page.getByRole('dialog', { name: 'Your changes are not saved' });
  const unsaved = () => page.getByText('Changed, not saved.');
  const path = (): string => new URL(page.url()).pathname;
  const editPath = (): string => `/console/decisions/${decisionId}/edit`;

  /** Names of the nodes of the stored working copy. */
  const storedNames = async (): Promise<string[]> => {
    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`);
    return (body as { content: { nodes: { name: string }[] } }).content.nodes.map(({ name }) => name);
  };

  /** The browser itself tells of answers that were asked for here. */
  const expectComplaints = (word: string): void => {
    expect(view.complaints.splice(0).filter((line) => !line.includes(word))).to.deep.equal([]);
  };

  /** From the list by the model's page into the editor, and a node more. */
  const edit = async (): Promise<void> => {
    await view.open('/decisions');
    await link('loan').click();
    await link('Edit').click();
    await page.locator('[data-node]').first().waitFor();
    await button('Add Expressions').click();
    await unsaved().waitFor();
  };

  const stay = async (): Promise<void> => {
    await dialog().waitFor();
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(path()).to.equal(editPath());
    await soon(async () => expect(await unsaved().isVisible()).to.equal(true));
    await button('Expressions').waitFor();
  };

  it('opens with all nodes in sight', async () => {
    await view.open(`/decisions/${decisionId}/edit`);
    await page.locator('[data-node]').first().waitFor();
    const areInSight = async (): Promise<boolean> => {
      const nodes = await page.locator('[data-node]').all();
      const [canvas, ...boxes] = await Promise.all(
        [page.locator('.graph-box').first(), ...nodes].map((each) => each.boundingBox()),
      );
      return boxes.every((box) => isWithin(box, canvas));
    };
    await eventually(areInSight);
  });

  it('asks before a link, Back, Forward and signing out; who stays has all that was typed', async () => {
    await edit();
    await page.getByRole('navigation').getByRole('link', { name: 'Deployments' }).click();
    await stay();
    await page.goBack();
    await stay();
    // Stays without being asked within the editor.
    await page.getByRole('combobox', { name: 'Start from' }).selectOption({ label: 'under age' });
    await soon(async () => expect(await dialog().count()).to.equal(0));
    await page.goBack();
    await stay();
    await button('Sign out').click();
    await stay();
  });

  it('Back leads where it led once the changes are discarded, and Forward to the editor again', async () => {
    await page.goBack();
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await link('Edit').waitFor();
    expect(path()).to.equal(`/console/decisions/${decisionId}`);
    await page.goBack();
    await link('loan').waitFor();
    expect(path()).to.equal('/console/decisions');
    await page.goForward();
    await page.goForward();
    await page.locator('[data-node]').first().waitFor();
    expect(path()).to.equal(editPath());
    await soon(async () => expect(await unsaved().count()).to.equal(0));
    expect(await storedNames()).to.not.include('Expressions');
    // Nothing is asked where nothing is lost.
    await link('Model').click();
    await link('Edit').waitFor();
  });

  it('asks before Forward', async () => {
    await page.goBack();
    await page.locator('[data-node]').first().waitFor();
    await button('Add Expressions').click();
    await unsaved().waitFor();
    await page.goForward();
    await stay();
    await page.goForward();
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await link('Edit').waitFor();
  });

  it('keeps them as the working copy, and goes on to where the link led', async () => {
    await edit();
    await page.getByRole('navigation').getByRole('link', { name: 'Pool' }).click();
    await dialog().getByRole('button', { name: 'Keep as working copy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
    expect(await storedNames()).to.include('Expressions');
  });

  it('asks no more once a save that was under way is done, and goes where the link led', async () => {
    await edit();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(`**/logic/decisions/${decisionId}`, async (route) => {
      if (route.request().method() === 'PATCH') await released;
      await route.continue();
    });
    await page.keyboard.press('Control+s');
    await page.getByRole('navigation').getByRole('link', { name: 'Pool' }).click();
    await dialog().waitFor();
    release();
    await page.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
    await dialog().waitFor({ state: 'detached' });
    await page.unroute(`**/logic/decisions/${decisionId}`);
  });

  it('asks before another workspace is chosen', async () => {
    const store = testStore();
    const { tenantId, workspaceId } = scene;
    const other = await buildWorkspace(store, tenantId);
    const client = await buildClient(store, { tenantId, workspaces: [workspaceId, other] });
    await view.open(`/decisions/${decisionId}/edit?workspace=${workspaceId}`, client);
    await page.locator('[data-node]').first().waitFor();
    await button('Add Expressions').click();
    await unsaved().waitFor();
    const choice = page.getByRole('combobox', { name: 'Workspace' });
    await choice.selectOption(other);
    await dialog().getByRole('button', { name: 'Stay' }).click();
    await button('Expressions 2').waitFor();
    await soon(async () => expect(await choice.inputValue()).to.equal(workspaceId));
    await page.getByRole('navigation').getByRole('link', { name: 'Pool' }).click();
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pool' }).waitFor();
  });

  it('asks for a new sign-in before the page when the token has expired, and saves what was typed meanwhile', async () => {
    await edit();
    await page.route('**/logic/**', (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer expired' } }),
    );
    // What is typed is checked, by which the page notices; the dialog may be there by then, and lets no click pass.
    await button('Add Expressions').dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await again.waitFor();
    await page.unroute('**/logic/**');
    await again.getByRole('textbox', { name: 'Client id' }).fill(scene.client.id);
    await again.getByRole('textbox', { name: 'Client secret' }).fill(scene.client.secret);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await soon(async () => expect(await unsaved().isVisible()).to.equal(true));
    await button('Keep as working copy').click();
    await unsaved().waitFor({ state: 'detached' });
    expect(await storedNames()).to.include.members(['Expressions 2', 'Expressions 3']);
    expectComplaints('401');
  });

  it('says that the service is away, and saves by itself when it is back', async () => {
    await button('Add Expressions').click();
    await unsaved().waitFor();
    await view.context.setOffline(true);
    await button('Keep as working copy').click();
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.getByText('It is tried again by itself').waitFor();
    await view.context.setOffline(false);
    await unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(await page.getByRole('alert').count()).to.equal(0));
    expect(await storedNames()).to.include('Expressions 4');
    expectComplaints('ERR_INTERNET_DISCONNECTED');
  });

  it('says that another changed it meanwhile: one’s own can be kept, the other’s loaded, or both taken', async () => {
    const change = async (rate: number): Promise<void> => {
      const { status, text } = await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: loan(rate) });
      expect(status, text).to.equal(200);
    };
    await change(3.3);
    await button('Add Expressions').click();
    await page.getByRole('textbox', { name: 'Message' }).fill('More nodes');
    await button('Save version').click();
    await page.getByRole('alert').getByText('This decision has been changed elsewhere since you opened it.').waitFor();
    expect(await storedNames()).to.not.include('Expressions 5');
    // Who it was, and what is otherwise by them.
    await page.getByText('was the last to do so').waitFor();
    await page.getByRole('row', { name: /changed.*3\.3/ }).waitFor();
    for (const name of ['Load it anew, without my changes', 'Keep mine, to save it over the other']) {
      const { x = NaN, width = NaN } = (await button(name).boundingBox()) ?? {};
      expect(x + width, name).to.be.below(page.viewportSize()?.width ?? NaN);
    }
    await button('Keep mine, to save it over the other').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await button('Save version').click();
    // Nodes that nothing leads to are new faults.
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    await asked.getByRole('region', { name: 'New faults' }).waitFor();
    await asked.getByRole('button', { name: 'Save all the same' }).click();
    await link('v2').waitFor();
    expect(await storedNames()).to.include('Expressions 5');

    const { body } = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`);
    const other = JSON.stringify((body as { content: unknown }).content).replace('"5.4"', '"1.1"');
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: JSON.parse(other) as unknown });
    await button('Add Expressions').click();
    await button('Keep as working copy').click();
    await button('Take both').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await button('Keep as working copy').click();
    await unsaved().waitFor({ state: 'detached' });
    expect(await storedNames()).to.include('Expressions 6');
    const both = await scene.caller.get(`/logic/decisions/${decisionId}/versions/0`);
    expect(JSON.stringify(both.body)).to.include('"1.1"');

    await change(2.2);
    await button('Add Expressions').click();
    await button('Keep as working copy').click();
    await button('Load it anew, without my changes').click();
    await button('Expressions 6').waitFor({ state: 'detached' });
    await soon(async () => expect(await unsaved().count()).to.equal(0));
    expectComplaints('412');
  });

  it('keeps unsaved edits over a reload of the page, without the fact', async () => {
    await button('Add Expressions').click();
    await unsaved().waitFor();
    await writeFact(page, '{"age": 4711}');
    page.once('dialog', (asked) => void asked.accept());
    await page.reload();
    const kept = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');
    expect(kept).to.include('Expressions').and.not.include('4711');
    await button('Expressions').waitFor();
    await unsaved().waitFor();
    await button('Discard them').click();
    await unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(await button('Expressions').count()).to.equal(0));
    await button('Undo').click();
    await button('Expressions').waitFor();
  });
});
