import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { loanFact } from '../support/consoleScene.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { loan } from '../support/loan.js';
import { expressing } from '../support/models.js';
import { replayed } from '../support/replays.js';
import type { Scene } from '../support/scene.js';
import { eventually, soon } from '../support/eventually.js';

describe('the console’s replays', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;

  const { button, region } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    const { path } = await scene.deployed('credit/loan.json', loan(5.4));
    await scene.decision('credit/loan.json', loan(4.4));
    // Five of the six have the middling score whose rate differs: values of fewer are hashes.
    for (const [index, score] of [700, 705, 710, 715, 720, 800].entries()) {
      const { status, text } = await scene.caller.post(
        path,
        { fact: { ...loanFact, score } },
        { 'Execution-Reference': `order-${index}` },
      );
      expect(status, text).to.equal(201);
    }
  });

  const table = (name: string) => page.getByRole('table', { name, exact: true });
  const rowsOf = async (name: string): Promise<string[][]> => {
    const rows = await table(name).locator('tbody tr').allInnerTexts();
    return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
  };

  it('starts one', async () => {
    await view.open('/replays');
    await button('Start a replay').click();
    const dialog = page.getByRole('dialog', { name: 'Start a replay' });
    await dialog.getByRole('combobox', { name: 'Decision' }).selectOption({ label: 'credit/loan' });
    await dialog.getByRole('combobox', { name: 'Candidate' }).selectOption({ label: 'v2' });
    await dialog.getByRole('combobox', { name: 'Measure', exact: true }).selectOption({ label: 'rate' });
    await button('Start').click();
    await page.waitForURL('**/console/replays/*');
  });

  it('shows its progress, then its report: numbers, fields, transitions, measures', async () => {
    const state = page.getByRole('status').filter({ hasText: 'COMPLETED' });
    await soon(async () => expect((await state.innerText()).replace(/\s+/g, ' ')).to.equal('COMPLETED 6 of 6'));
    const outcomes = (await rowsOf('6 replayed')).map(([name, number]) => [name, number]);
    expect(outcomes).to.deep.equal([
      ['identical', '1'],
      ['changed', '5'],
      ['newly failed', '0'],
      ['newly completed', '0'],
    ]);
    await page.getByText('5 of 6 executions (83.3 %) would have come out otherwise.').waitFor();
    await soon(async () => expect(await rowsOf('Changed fields')).to.deep.equal([['rate', '5', '83.3 %']]));
    await soon(async () => expect(await rowsOf('Transitions')).to.deep.equal([['rate', '5.4', '4.4', '5', '83.3 %']]));
    const [[name, ...means] = [], counted] = await rowsOf('Measures');
    expect(counted).to.deep.equal(['results with result.rate', '6', '6']);
    expect(
      means.every((mean) => mean.length <= 9),
      means.join(),
    ).to.equal(true);
    expect(name).to.equal('mean of result.rate');
    expect(means.map(Number)).to.satisfy(([before = 0, after = 0]) => before > after && after > 0);
    await soon(async () =>
      expect((await rowsOf('Engine time, ms')).map(([quantile]) => quantile)).to.deep.equal([
        'p50 before',
        'p50 after',
        'p99 before',
        'p99 after',
      ]),
    );
    await table('Unreached rules').getByRole('link', { name: 'Which way' }).first().waitFor();
    await soon(async () =>
      expect(await rowsOf('Unreached rules')).to.deep.equal([
        ['Which way', 'not adult or debtRatio > 0.5'],
        ['Which way', 'debtRatio > 0.35 or amount > 50000'],
        ['Rate', 'row 3'],
      ]),
    );
  });

  it('leads from a field to its cases, and opens one on the graphs of both versions', async () => {
    await table('Changed fields').getByRole('button', { name: 'rate' }).click();
    await page.getByRole('heading', { name: 'Changed cases at rate' }).waitFor();
    const cases = await rowsOf('Changed cases');
    expect(cases.map(([, reference, changes]) => [reference, changes])).to.have.deep.members(
      [0, 1, 2, 3, 4].map((index) => [`order-${index}`, 'rate 5.4 → 4.4']),
    );
    await table('Changed cases').getByRole('button', { name: 'Compare' }).first().click();
    await region('Before').getByText('rate 5.4').waitFor();
    await region('After').getByText('rate 4.4').waitFor();
    for (const side of ['Before', 'After']) {
      const steps = region(side).locator('[aria-current="step"]');
      // The graph is drawn after the texts beside it.
      await steps.nth(4).waitFor();
      await soon(async () => expect(await steps.count(), side).to.equal(5));
    }
    await region('Before').getByRole('button', { name: 'Rate', exact: true }).click();
    const matched = async (side: string): Promise<string> =>
      region(side).locator('[aria-current="true"]').first().innerText();
    expect(await matched('Before')).to.contain('5.4');
    expect(await matched('After')).to.contain('4.4');
    // The whole view can be sent to a colleague.
    expect([...new URL(page.url()).searchParams.keys()]).to.have.members(['pointer', 'case', 'node']);
  });

  it('lists it, and removes it when that is confirmed', async () => {
    const { pathname } = new URL(page.url());
    await page.getByRole('navigation').getByRole('link', { name: 'Replays' }).click();
    await table('Replays').waitFor();
    const [[, decision, candidate, environment, state, changed] = []] = await rowsOf('Replays');
    expect([decision, candidate, environment, state?.replace(/\s+/g, ' '), changed]).to.deep.equal([
      'credit/loan',
      'v2',
      'Environment',
      'COMPLETED 6 of 6',
      '5',
    ]);
    await table('Replays').locator(`a[href="${pathname}"]`).first().click();
    await button('Remove').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No replay yet.').waitFor();
    expect(((await scene.caller.get('/logic/replays')).body as { data: unknown[] }).data).to.deep.equal([]);
  });

  it('tells a change that few executions have by the cases below', async () => {
    const few = await scene.deployed('credit/few.json', expressing({ rate: '5.4' }));
    const { decisionId, environmentId, path } = few;
    await scene.decision('credit/few.json', expressing({ rate: '4.4' }));
    await scene.caller.post(path, { fact: {} });
    const { id } = await replayed(scene.caller, { decisionId, environmentId, candidate: { version: 2 } });
    await view.go(`/replays/${id}`);
    await soon(async () => expect(await rowsOf('Transitions')).to.deep.equal([['rate', '5.4', '4.4', '1', '100 %']]));
  });

  it('shows what a shadow found: which places, how, and the way to each of the executions', async () => {
    const { decisionId, environmentId, path } = await scene.deployed(
      'credit/shade.json',
      expressing({ rate: 'score' }),
    );
    await scene.decision('credit/shade.json', expressing({ rate: 'score > 1 ? score : 0' }));
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const started = await scene.caller.post('/logic/shadows', {
      ...{ decisionId, environmentId, version: 2, sample: 1, expiresAt },
    });
    const { id } = started.body as { id: string };
    for (const score of [1, 1, 1, 1, 1, 0.5, 0.25, 9]) await scene.caller.post(path, { fact: { score } });
    await eventually(async () => {
      const { body } = await scene.caller.get(`/logic/shadows/${id}`);
      return (body as { report: { replayed: number } }).report.replayed === 8;
    });
    await view.go('/oversight');
    await table('Shadows').locator(`a[href$="/shadows/${id}"]`).click();
    await page.getByText('7 of 8 executions (87.5 %) would have come out otherwise.').waitFor();
    expect(await rowsOf('Changed fields')).to.deep.equal([['rate', '7', '87.5 %']]);
    expect(await rowsOf('Transitions')).to.deep.equal([
      ['rate', '1', '0', '5', '62.5 %'],
      ['rate', '2 changes, each of which fewer than five executions have', '', '2', '25 %'],
    ]);
    await expectAccessible(page, 'a shadow');
    await page.getByRole('link', { name: 'Replay the executions since it began' }).click();
    await button('Start').click();
    await page.waitForURL('**/console/replays/*');
    await soon(async () => expect(await rowsOf('Changed cases')).to.have.length(7));
  });
});
