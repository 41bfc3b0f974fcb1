import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Scene } from './scene.js';
import { handOf } from './hands.js';
import { MakingWalk } from './makingWalk.js';

/** What an analyst does from a spreadsheet to a decision in force, with nothing but a keyboard. */
export class AnalystWalk extends MakingWalk {
  readonly #approver: Page;
  #environmentId = '';

  constructor(scene: Scene, page: Page, approver: Page) {
    super(scene, page);
    this.#approver = approver;
  }

  /** What is done, in this order: each task goes on from the one before. */
  static readonly tasks = [
    'a decision of a spreadsheet, whose faults are mended',
    'runs by form, and tests made of them',
    'gaps mended, tests suggested, coverage',
    'a version, deployed in an environment that is protected then',
    'a change, compared with what it was',
    'asked for, approved, applied, rolled back',
    'out to a spreadsheet and in again',
    'all pages',
  ] as const;

  /** @param at of the list of tasks */
  async do(at: number): Promise<void> {
    const works = [
      () => this.begin(),
      () => this.runAndTest(),
      () => this.mendGaps(),
      () => this.#putInForce(),
      () => this.#change(),
      () => this.#request(),
      () => this.#exportAndImport(),
      () => this.#allPages(),
    ];
    await works[at]?.();
  }

  async #save(message: string, version: number): Promise<void> {
    await this.noFaults();
    await this.hand.fill(this.page.getByRole('textbox', { name: 'Message' }), message);
    await this.hand.press(this.button('Save version'));
    if (version > 1) {
      // A test expects the price that was.
      const asked = this.dialog('Save a version');
      await asked.getByRole('region', { name: 'Failed tests' }).getByText('test 1', { exact: true }).waitFor();
      await this.hand.press(this.button('Save all the same', asked));
    }
    await this.link(`v${version}`).waitFor();
  }

  async #putInForce(): Promise<void> {
    await this.#save('Prices of the list', 1);
    await this.hand.press(this.link('Deploy'));
    await this.page.getByRole('heading', { level: 1, name: 'Deployments' }).waitFor();
    await this.hand.press(this.button('New environment').first());
    await this.hand.fill(this.dialog('New environment').getByRole('textbox', { name: 'Name' }), 'Production');
    await this.hand.press(this.button('Create', this.dialog('New environment')));
    await this.hand.press(this.button('Deploy').first());
    const dialog = this.dialog(/^Deploy /);
    await dialog.getByRole('combobox', { name: 'Version' }).waitFor();
    await this.hand.press(this.button('Deploy', dialog));
    await this.page.getByRole('cell').getByText('v1', { exact: true }).waitFor();
    await this.hand.press(this.link('Production'));
    this.#environmentId = new URL(this.page.url()).pathname.split('/').at(-1) ?? '';
    await this.hand.press(this.button('Protect it'));
    const tests = this.dialog('Protect Production').getByRole('checkbox', { name: 'The tests of the model pass' });
    await this.hand.check(tests);
    await this.hand.press(this.button('Protect', this.dialog('Protect Production')));
    await this.page.getByText('is protected: what runs there changes by a change request').waitFor();
  }

  async #change(): Promise<void> {
    await this.hand.press(this.section('Decisions'));
    await this.hand.press(this.link('rates').first());
    await this.hand.press(this.link('Edit'));
    await this.openTable();
    await this.write([['3.25', 0, 4]]);
    await this.page.getByText('Changed, not saved.').waitFor();
    await this.#save('Cheaper for good scores', 2);
    await this.hand.press(this.link('Model'));
    await this.hand.press(this.link('Compare'));
    await this.hand.choose(this.page.getByRole('combobox', { name: 'From' }), 'v1');
    await this.page.getByText('3.25').first().waitFor();
    await this.page.getByRole('heading', { level: 2, name: 'v1: Prices of the list' }).waitFor();
    await this.seen();
  }

  async #rate(): Promise<unknown> {
    const path = `/logic/${this.#environmentId}/decisions/${this.id}/executions`;
    const { body } = await this.scene.caller.post(path, { fact: { product: 'Personal', score: 780, months: 24 } });
    return (body as { result: { rate: number } }).result.rate;
  }

  async #request(): Promise<void> {
    await this.hand.press(this.section('Requests'));
    await this.hand.press(this.button('New request'));
    const dialog = this.dialog('New request');
    await this.hand.choose(dialog.getByRole('combobox', { name: 'Version' }), 'v2');
    await this.hand.fill(dialog.getByRole('textbox', { name: 'Title' }), 'Spring prices');
    await this.hand.press(this.button('Request', dialog));
    await this.page.getByRole('heading', { level: 1, name: 'Spring prices' }).waitFor();
    await this.page.getByText('your review would not count, because it is by who asked for it.').waitFor();
    await this.seen();
    const page = this.#approver;
    const hand = handOf(page);
    await page.reload();
    await hand.press(page.getByRole('link', { name: 'Spring prices' }));
    await hand.press(this.button('Approve', page));
    await hand.press(this.button('Approve for Production', page));
    await page.getByRole('status').filter({ hasText: 'APPROVED' }).waitFor();
    await this.hand.press(this.section('Requests'));
    await this.hand.press(this.link('Spring prices'));
    await this.hand.press(this.button('Apply'));
    await this.hand.press(this.button('Apply for Production'));
    await this.page.getByRole('status').filter({ hasText: 'APPLIED' }).waitFor();
    expect(await this.#rate()).to.equal(3.25);
    await this.hand.press(this.section('Deployments'));
    await this.hand.press(this.button('Roll back'));
    await this.hand.press(this.button('Roll back to v1'));
    await this.page.getByRole('cell').getByText('v1', { exact: true }).waitFor();
    expect(await this.#rate()).to.equal(3.5);
  }

  async #exportAndImport(): Promise<void> {
    await this.hand.press(this.section('Decisions'));
    await this.hand.press(this.link('rates').first());
    await this.hand.press(this.link('Edit'));
    await this.openTable();
    const downloaded = this.page.waitForEvent('download');
    await this.hand.press(this.button('Export .xlsx'));
    expect((await downloaded).suggestedFilename()).to.match(/\.xlsx$/);
    const node = new URL(this.page.url()).searchParams.get('node') ?? '';
    const { text } = await this.scene.caller.get(`/logic/decisions/${this.id}/versions/0/tables/${node}.csv`);
    const buffer = Buffer.from(text.replaceAll('8.75', '8.6'));
    const chooser = this.page.waitForEvent('filechooser');
    await this.hand.press(this.button('Import'));
    await (await chooser).setFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer });
    const dialog = this.dialog('Import prices.csv');
    await dialog.getByText(/ of rows that are there would change\./).waitFor();
    await this.hand.press(this.button('Take it over', dialog));
    await dialog.waitFor({ state: 'detached' });
    await this.hand.press(this.button('Keep as working copy'));
    await this.page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
  }

  async #allPages(): Promise<void> {
    for (const name of ['Decisions', 'Deployments', 'Requests', 'Executions', 'Replays', 'Audit', 'Pool', 'Access']) {
      await this.hand.press(this.section(name));
      await this.page.getByRole('heading', { level: 1, name }).waitFor();
      await this.page.waitForLoadState('networkidle');
      await this.seen();
    }
  }
}
