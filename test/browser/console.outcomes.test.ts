import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { expectRefusals } from '../support/browser.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { eventually, soon } from '../support/eventually.js';
import { makeDue } from '../support/jobs.js';
import { expressing } from '../support/models.js';
import { replayed } from '../support/replays.js';
import { testDatabase, type Scene } from '../support/scene.js';

describe('outcomes in the console', function () {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let decisionId: string;
  let environmentId: string;

  useConsole(async (at) => {
    ({ scene, view, page } = at);
    const { caller } = scene;
    ({ decisionId, environmentId } = await scene.deployed(
      'loan.json',
      expressing({ decision: "x > 2 ? 'granted' : 'refused'" }),
    ));
    await caller.put(`/logic/decisions/${decisionId}/measured`, { pointers: ['/decision'] });
    // Five of each, since values of fewer are hashes.
    const each = [0, 1, 2, 3, 4];
    const items = [1, 2, 3, 4, 5, 'a'].flatMap((x, n) =>
      each.map((m) => ({ fact: { x }, reference: `order-${n}-${m}` })),
    );
    await caller.post(`/logic/${environmentId}/decisions/${decisionId}/batches`, { items });
    await scene.decision('loan.json', expressing({ decision: "x > 3 ? 'granted' : 'refused'" }));
    await caller.put('/logic/outcomes', {
      outcomes: each.flatMap((m) => [
        { reference: `order-2-${m}`, name: 'default', value: true },
        { reference: `order-3-${m}`, name: 'default', value: false },
      ]),
    });
    const asked = { outcomes: ['default'], result: { pointer: '/decision', equals: 'refused' } };
    await replayed(caller, { decisionId, environmentId, candidate: { version: 2 }, ...asked });
    const watched = { environmentId, decisionId, measure: { pointer: '/decision', equals: 'refused' } };
    await caller.post('/logic/monitors', { ...watched, name: 'Refusals', window: '1h', condition: '> 0.9' });
    await eventually(async () => {
      const { body } = await caller.get(`/logic/measures?decisionId=${decisionId}`);
      return (body as { data: { count: number }[] }).data.reduce((sum, { count }) => sum + count, 0) === 30;
    });
  });

  const rowsOf = async (name: string): Promise<string[][]> => {
    const rows = await page.getByRole('table', { name, exact: true }).locator('tbody tr').allInnerTexts();
    return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
  };

  /** What is said of a field, below it. */
  const expectDescribed = (field: Locator, text: string): Promise<unknown> =>
    eventually(async () => {
      const id = (await field.getAttribute('aria-describedby')) ?? '';
      const said = await page.locator(`[id="${id}"]`).innerText();
      return said.includes(text) && (await field.getAttribute('aria-invalid')) === 'true';
    });

  it('shows what was answered by time and version, as bars, numbers and CSV', async () => {
    await view.open(`/decisions/${decisionId}`);
    await page.getByRole('link', { name: 'Outcomes' }).click();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('day');
    await page.getByRole('table', { name: 'By day and version' }).waitFor();
    const counts = (await rowsOf('By day and version')).map(([, version, count, failed]) => [version, count, failed]);
    expect(counts).to.deep.equal([['v1', '30', '5']]);
    await page.getByText('v1 30').waitFor();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('hour');
    const times = page.locator('.time-axis').first().locator('span');
    await soon(async () => {
      const hours = (await times.allInnerTexts()).map((text) => /^(?:12|0?6|18|0?0):00(?: [AP]M)?$/.test(text));
      expect(hours.length).to.be.within(4, 5);
      expect(hours).to.not.include(false);
    });
    await page.getByRole('combobox', { name: 'Time' }).selectOption('day');
    await page.getByRole('combobox', { name: 'Field' }).selectOption('/decision');
    await page.getByText('granted 15').waitFor();
    await soon(async () =>
      expect((await rowsOf('By day and version'))[0]?.at(-1)).to.equal('granted: 15, refused: 10'),
    );
    const csv = decodeURIComponent((await page.getByRole('link', { name: 'CSV' }).getAttribute('href')) ?? '');
    expect(
      csv
        .split('\r\n')
        .slice(1, 3)
        .map((line) => line.split(',').slice(1, 4).concat(line.split(',').slice(7))),
    ).to.deep.equal([
      ['1', '30', '5', 'granted', '15'],
      ['1', '30', '5', 'refused', '10'],
    ]);
    await expectAccessible(page, 'outcomes');
  });

  it('counts those of one environment, where one is chosen, and says that it is all of them where none is', async () => {
    const environment = page.getByRole('combobox', { name: 'Environment', exact: true }).first();
    await soon(async () =>
      expect(await environment.locator('option:checked').innerText()).to.equal('all of them together'),
    );
    const other = await scene.environment();
    await view.go(`/decisions/${decisionId}/outcomes?step=day&environment=${other}`);
    await page.getByText('Nothing was executed in this time, or it was not counted yet.').waitFor();
    await environment.selectOption(environmentId);
    await page.getByText('v1 30').waitFor();
    await view.go(`/decisions/${decisionId}/outcomes?step=day&field=/decision`);
    await page.getByText('granted 15').waitFor();
  });

  it('shows what the last replay held against outcomes, and monitors, which can be removed', async () => {
    await page.getByText('Precision unknown before, 100 % after; recall 0 % before, 100 % after.').waitFor();
    await soon(async () =>
      expect(await rowsOf('Outcomes: default')).to.have.deep.members([
        ['true', 'granted', 'refused', '5'],
        ['false', 'granted', 'granted', '5'],
      ]),
    );
    const [monitor] = await rowsOf('Monitors');
    expect(monitor?.slice(0, 6)).to.deep.equal([
      'Refusals',
      'clear',
      'Environment',
      'decision = refused',
      '1h',
      '> 0.9',
    ]);
    await page.getByRole('button', { name: 'Remove Refusals' }).click();
    await page.getByText('No monitor watches this decision.').waitFor();
  });

  it('makes a monitor by form, with what is wrong at its field, and shows that it tripped', async () => {
    await page.getByRole('button', { name: 'New monitor' }).click();
    const dialog = page.getByRole('dialog', { name: 'New monitor' });
    const choose = (name: string, label: string) =>
      dialog.getByRole('combobox', { name, exact: true }).selectOption({ label });
    const limit = dialog.getByRole('textbox', { name: 'Limit' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Grants');
    await choose('Measure', 'the share of results in which a field equals a value');
    await choose('Equals', 'any value, for drift');
    await limit.fill('much');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectDescribed(limit, 'must be such as `> 0.2`');
    await limit.fill('20 %');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectDescribed(dialog.getByRole('combobox', { name: 'Equals' }), 'is required, but for drift');
    await dialog.getByText('A result is compared with a text, true, false or null, never with a number').waitFor();
    await expectAccessible(page, 'new monitor');
    await choose('Equals', 'a text');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('granted');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'decision = granted' }).waitFor();
    await soon(async () =>
      expect((await rowsOf('Monitors'))[0]?.slice(3, 6)).to.deep.equal(['decision = granted', '1h', '> 0.2']),
    );
    const items = Array.from({ length: 150 }, () => ({ fact: { x: 3 } }));
    await eventually(async () => {
      // Again and again: the process counts the field only once it has heard that it is measured.
      const batch = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/batches`, { items });
      expect(batch.status, batch.text).to.equal(200);
      // Not only when it is due again.
      await makeDue(testDatabase(), 'monitor');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.waitForLoadState('networkidle');
      return (await rowsOf('Monitors'))[0]?.[1] === 'tripped';
    });
    await expectAccessible(page, 'a tripped monitor');
  });

  it('changes a monitor, which then begins anew, and removes it', async () => {
    await page.getByRole('button', { name: 'Change Grants' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Grants' });
    await soon(async () =>
      expect(await dialog.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal('granted'),
    );
    await soon(async () => expect(await dialog.getByRole('textbox', { name: 'Limit' }).inputValue()).to.equal('0.2'));
    await dialog
      .getByRole('combobox', { name: 'Measure' })
      .selectOption({ label: 'the share of executions that failed' });
    await dialog.getByRole('combobox', { name: 'Window' }).selectOption('24h');
    await dialog.getByRole('combobox', { name: 'Trips when it is' }).selectOption({ label: 'drift at least' });
    await dialog.getByRole('textbox', { name: 'Limit' }).fill('0,25');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'drift >= 0.25' }).waitFor();
    await soon(async () =>
      expect((await rowsOf('Monitors')).map((row) => row.slice(0, 6))).to.deep.equal([
        ['Grants', 'clear', 'Environment', 'failed', '24h', 'drift >= 0.25'],
      ]),
    );
    await page.getByRole('button', { name: 'Remove Grants' }).click();
    await page.getByText('No monitor watches this decision.').waitFor();
  });

  it('says which fields are measured', async () => {
    const typed = page.getByRole('textbox', { name: 'Measured fields' });
    const offered = page.getByRole('group', { name: 'Fields of its results' }).getByRole('checkbox');
    await offered.first().waitFor();
    await soon(async () => expect(await offered.count()).to.equal(1));
    await page.getByRole('checkbox', { name: 'decision', exact: true }).uncheck();
    await soon(async () => expect(await typed.inputValue()).to.equal(''));
    await page.getByRole('checkbox', { name: 'decision', exact: true }).check();
    await soon(async () => expect(await typed.inputValue()).to.equal('/decision'));
    // A name stands for the pointer to it.
    await typed.fill('decision rate');
    await page.getByRole('button', { name: 'Measure' }).click();
    await page
      .getByRole('combobox', { name: 'Field' })
      .getByRole('option', { name: 'rate' })
      .waitFor({ state: 'attached' });
    await typed.fill('/rate~2');
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByRole('alert').waitFor();
    expectRefusals(view, 400);
  });
});
