import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { atConsole, writeFact } from '../support/consolePage.js';
import { loanFact } from '../support/consoleScene.js';
import { openDesk, type Desk } from '../support/desk.js';
import { eventually, soon } from '../support/eventually.js';
import { loan } from '../support/loan.js';
import type { Model } from '../support/models.js';

/** Whose one test expects what the model never gives. */
function failing(): Model {
  const model = loan(5.4) as Model & { tests: { name: string; output: unknown }[] };
  return { ...model, tests: model.tests.map((test) => ({ ...test, output: { decision: 'nobody gives this' } })) };
}

/** Controls in whose middle a box lies that tells something, and that they are not part of. */
const covered = `[...document.querySelectorAll('button, a, input, select')].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const box = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.over, .notice');
  return width > 0 && box?.contains(one) === false;
}).map(({ textContent }) => textContent)`;

describe('what is written on the desk is saved by its author', () => {
  let desk: Desk;
  let page: Page;

  atConsole(async (app) => {
    desk = await openDesk(app, { 'loan.json': loan(5.4), 'red.json': failing() });
    page = desk.page;
    await desk.edit('loan.json');
  });

  const drafts = (of: Page): Promise<number> =>
    of.evaluate<number>("Object.keys(localStorage).filter((name) => name.startsWith('verdict draft')).length");
  const messages = async (key: string): Promise<(string | null)[]> => {
    const { body } = await desk.scene.caller.get(`/logic/decisions/${desk.ids.get(key) ?? ''}/versions`);
    return (body as { data: { message: string | null }[] }).data.map(({ message }) => message);
  };

  it('Ctrl+S keeps the working copy, and makes no version', async () => {
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(JSON.stringify(await desk.stored('loan.json'))).to.contain('Expressions'));
    expect(await messages('loan.json')).to.deep.equal([null]);
  });

  it('what was stored is kept by the browser no more, also where the page is left before it is drawn anew', async () => {
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await page.evaluate(`{
      const { removeItem } = Storage.prototype;
      // The page is left at the very moment at which what was typed is stored.
      Storage.prototype.removeItem = function (name) {
        removeItem.call(this, name);
        Storage.prototype.removeItem = removeItem;
        dispatchEvent(new Event('pagehide'));
        window.draftsThen = Object.keys(localStorage).filter((each) => each.startsWith('verdict draft')).length;
      };
    }`);
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(await page.evaluate('window.draftsThen')).to.equal(0));
  });

  it('a save goes before the checks of the draft, which begin again after it', async () => {
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/logic/**', async (route) => {
      const [method, path] = [route.request().method(), new URL(route.request().url()).pathname];
      order.push(`${method} ${path}`);
      // The first check is as slow as checks of large models are on a busy machine.
      if (path.endsWith('/validations') && order.filter((each) => each.endsWith('/validations')).length === 1)
        await held;
      await route.continue().catch(() => undefined);
    });
    await desk.button('Add Expressions').click();
    await eventually(() => Promise.resolve(order.some((each) => each.endsWith('/validations'))));
    await page.keyboard.press('Control+s');
    await desk.unsaved().waitFor({ state: 'detached' });
    const saved = order.findIndex((each) => each.startsWith('PATCH'));
    await eventually(() => Promise.resolve(order.slice(saved).some((each) => each.endsWith('/validations'))));
    release();
    await page.unroute('**/logic/**');
  });

  it('tells which tests fail and which faults are new, and asks for a message, before a version is saved', async () => {
    await desk.edit('red.json');
    await desk.button('Add Expressions').click();
    await desk.region('Faults').getByText('warning').first().waitFor();
    await desk.button('Save version').click();
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    await asked.getByRole('region', { name: 'Failed tests' }).getByText('under age').first().waitFor();
    await asked.getByRole('region', { name: 'New faults' }).getByText('expression').first().waitFor();
    await asked.getByRole('textbox', { name: 'Message' }).fill('Red, and known');
    await asked.getByRole('button', { name: 'Save all the same' }).click();
    await page.getByRole('link', { name: 'v2', exact: true }).waitFor();
    expect(await messages('red.json')).to.deep.equal([null, 'Red, and known']);
  });

  it('compares the faults of a first version with none', async () => {
    const id = await desk.scene.write('first.json', failing());
    await desk.view.go(`/decisions/${id}/edit`);
    await desk.button('Add Expressions').click();
    await desk.button('Save version').click();
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    await soon(async () =>
      expect(await asked.getByRole('region', { name: 'New faults' }).locator('.warn').innerText()).to.match(
        /^\d+ faults?:$/,
      ),
    );
    await asked.getByRole('button', { name: 'Cancel' }).click();
  });

  it('tells the faults of what is saved, also where the last check was of something else', async () => {
    await desk.edit('red.json');
    await desk.region('Faults').getByText('warning').first().waitFor();
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    const told = asked.getByRole('region', { name: 'New faults' });
    await desk.button('Add Expressions').click();
    await desk.button('Save version').click();
    await told.getByText('expression').first().waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await desk.region('Faults').getByText('2 warnings').waitFor();
    await desk.button('Undo').click();
    await desk.button('Save version').click();
    await asked.getByRole('region', { name: 'Failed tests' }).waitFor();
    await soon(async () => expect(await told.count()).to.equal(0));
    await asked.getByRole('button', { name: 'Cancel' }).click();
  });

  it('shows among the tests what they gave before a version was to be saved, and still once one is added', async () => {
    await desk.edit('red.json');
    await desk.button('Save version').click();
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    await asked.getByRole('region', { name: 'Failed tests' }).waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await writeFact(page, JSON.stringify(loanFact));
    await desk.button('Run').click();
    await desk.region('Result').getByText('rate 5.4').waitFor();
    await page.getByRole('tab', { name: 'Tests', exact: true }).click();
    const outcomes = async (): Promise<string[]> =>
      (await page.getByRole('table', { name: 'Tests' }).locator('tbody tr').allInnerTexts()).map(
        (text) => /failed|passed|not run/.exec(text)?.[0] ?? text,
      );
    await soon(async () => expect(await outcomes()).to.deep.equal(['failed']));
    await desk.button('Add test').click();
    await soon(async () => expect(await outcomes()).to.deep.equal(['failed', 'not run']));
    await desk.button('Undo').click();
  });

  it('a check that a limit stopped is not known, and no error: a version is saved, and a click asks again', async () => {
    await desk.edit('loan.json');
    const faults = desk.region('Faults');
    const known = faults.getByText(/\d warning/);
    await known.first().waitFor();
    const stopped = {
      ...{ severity: 'unknown', key: 'loan.json', nodeId: null, node: null, field: null, pointer: null },
      ...{ message: 'Stopped by a limit.', hint: null, line: null, column: null, excerpt: null },
    };
    // Each check ends as on a machine that is too busy for it, until the service is let be.
    await page.route('**/logic/validations', (route) => route.fulfill({ json: { faults: [stopped] } }));
    await desk.button('Add Expressions').click();
    await faults.getByText('Further faults are not known').waitFor();
    await soon(async () =>
      expect([await known.count(), await faults.getByText(/No faults|error/).count()]).to.deep.equal([1, 0]),
    );
    await desk.button('Save version').click();
    const asked = page.getByRole('dialog', { name: 'Save a version' });
    await asked.getByText('Stopped by a limit.').waitFor();
    await asked.getByRole('textbox', { name: 'Message' }).fill('Not known, and saved');
    await asked.getByRole('button', { name: 'Save all the same' }).click();
    await asked.waitFor({ state: 'detached' });
    expect((await messages('loan.json')).at(-1)).to.equal('Not known, and saved');
    await page.unroute('**/logic/validations');
    await faults.getByRole('button', { name: 'Check again' }).click();
    await faults.getByText('are not known').waitFor({ state: 'detached' });
    await faults.getByText('warning').first().waitFor();
  });

  it('that there are no faults is said when a check has ended, and not before the first answer', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    await page.route('**/logic/validations', async (route) => {
      await ended;
      await route.abort();
    });
    await desk.view.go('/decisions');
    await desk.view.show(`/decisions/${desk.ids.get('loan.json') ?? ''}/edit`);
    const faults = desk.region('Faults');
    await faults.getByText('The draft is being checked').waitFor();
    await soon(async () => expect(await faults.getByText('No faults').count()).to.equal(0));
    end();
    await faults.getByText('Faults are not known').waitFor();
    await page.unroute('**/logic/validations');
    await faults.getByRole('button', { name: 'Check again' }).click();
    await faults.getByText('are not known').waitFor({ state: 'detached' });
    // The browser tells of what was not answered.
    desk.view.complaints.splice(0);
  });

  it('tells that another tab changes the same decision, for as long as it does', async () => {
    const other = await desk.view.context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Add Expressions', exact: true }).click();
    const told = page.getByText('Another tab changes this decision as well');
    await told.waitFor();
    await other.getByRole('button', { name: 'Undo', exact: true }).click();
    await told.waitFor({ state: 'detached' });
    // Both have changes, which is told until the other one is saved, or closed.
    const put = async (on: Page): Promise<unknown> =>
      on.getByRole('button', { name: 'Add Expressions', exact: true }).click();
    await put(page);
    await put(other);
    await told.waitFor();
    await other.getByRole('button', { name: 'Keep as working copy' }).click();
    await told.waitFor({ state: 'detached' });
    await put(other);
    await told.waitFor();
    // What the other one had beside it is not lost with it.
    const added = page.locator('[data-node]', { hasText: 'Expressions' });
    const before = await added.count();
    await other.close({ runBeforeUnload: false });
    await page.reload();
    await page.getByRole('button', { name: 'Take them as well' }).click();
    await soon(async () => expect(await added.count()).to.equal(before + 1));
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await soon(async () => expect(await added.count()).to.equal(before));
    await page.getByRole('button', { name: 'Discard them' }).click();
    await desk.unsaved().waitFor({ state: 'detached' });
    for (const isChanging of [false, true]) {
      if (isChanging) await put(page);
      const late = await desk.view.context.newPage();
      await late.goto(page.url());
      await put(late);
      await told.waitFor();
      await late.close({ runBeforeUnload: false });
      await page.getByRole('button', { name: 'Drop them' }).click();
      await soon(async () => expect(await drafts(page)).to.equal(isChanging ? 1 : 0));
    }
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await desk.view.go('/decisions');
    await desk.edit('loan.json');
  });

  it('keeps a draft when the tab is closed without a word, until it is discarded: Undo ends with it', async () => {
    await desk.button('Add Expressions').click();
    await desk.unsaved().waitFor();
    await eventually(async () => (await drafts(page)) === 1);
    const { pathname } = new URL(page.url());
    const address = page.url().replace(pathname + new URL(page.url()).search, pathname);
    // As a crash does it: no page is asked.
    await page.close({ runBeforeUnload: false });
    page = await desk.view.context.newPage();
    await page.goto(address);
    await page.getByText('Changed, not saved.').waitFor();
    await page.getByText(/^Your changes of .*\d are here\.$/).waitFor();
    // Undo ends with them.
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await soon(async () => expect(await undo.isDisabled()).to.equal(true));
    await page.getByRole('button', { name: 'Add Expressions', exact: true }).click();
    for (const _key of [1, 2]) await page.keyboard.press('Control+z');
    await page.getByText(/^Your changes of .*\d are here\.$/).waitFor();
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
    await eventually(async () => (await drafts(page)) === 0);
    // What was discarded is not lost either.
    await undo.click();
    await page.getByText('Changed, not saved.').waitFor();
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  });

  it('a reload asks nothing where the browser keeps the draft, which is there again, and discarded by one click', async () => {
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    const unsaved = (): Locator => page.getByText('Changed, not saved.');
    await button('Add Expressions').click();
    await unsaved().waitFor();
    await page.reload();
    await page.getByText(/^Your changes of .*\d are here\.$/).waitFor();
    expect(asked).to.deep.equal([]);
    await soon(async () => expect(await page.evaluate(covered)).to.deep.equal([]));
    await button('Discard them').click();
    await unsaved().waitFor({ state: 'detached' });
    await soon(async () => expect(await button('Discard them').count()).to.equal(0));
    await eventually(async () => (await drafts(page)) === 0);
    await button('Add Expressions').click();
    await unsaved().waitFor();
    await page.evaluate("Storage.prototype.setItem = () => { throw new Error('no room') }");
    await page.reload();
    expect(asked).to.deep.equal(['beforeunload']);
  });
});
