import type { Locator } from 'playwright-core';
import { isLong } from './environment.js';
import { eventually } from './eventually.js';
import { hasFocus } from './keyboard.js';
import { Walker } from './walker.js';

/** A price list as somebody has it in a spreadsheet: 60 rows of 6 columns, one of which never matches as it is written. */
const products = ['Personal', 'Car', 'Mortgage'];
const scores = ['>= 750', '[700..750)', '[650..700)', '[600..650)', '< 600'];
const spans = ['<= 24', '(24..60]', '(60..120]', '> 120'];
const priceList = [
  ['product', 'score', 'months', 'class', 'rate', 'fee'],
  ...products.flatMap((product, p) =>
    scores.flatMap((score, s) =>
      spans.map((span, m) => [
        product,
        // As people write a range.
        p === 0 && s === 0 && m === 0 ? '750-850' : score,
        span,
        s < 3 ? 'good' : 'poor',
        `${3.5 + s + m / 2 - p / 4}`,
        `${100 + 10 * m}`,
      ]),
    ),
  ),
];
/** How an analyst makes a decision of a spreadsheet, and sees that it is right. */
export class MakingWalk extends Walker {
  /** Of the decision. */
  protected id = '';

  protected async begin(): Promise<void> {
    await this.page.getByText('There are no decisions yet.').waitFor();
    await this.hand.bring({ name: 'rates.csv', text: priceList.map((row) => row.join(';')).join('\n') });
    const dialog = this.dialog('New decision');
    await dialog.getByRole('checkbox', { name: 'fee' }).waitFor();
    await dialog.getByText('60 rows, of which these are the first 8.').waitFor();
    // Boxes are for inputs.
    for (const output of ['class', 'rate']) {
      const box = dialog.getByRole('checkbox', { name: output, exact: true });
      if (await box.isChecked()) await this.hand.check(box);
    }
    await this.hand.press(this.button('Create', dialog));
    await this.page.waitForURL('**/decisions/*/edit');
    this.id = new URL(this.page.url()).pathname.split('/').at(-2) ?? '';
    await this.hand.press(this.button('Request'));
    for (const [name, type] of [
      ['product', 'text'],
      ['score', 'number'],
      ['months', 'number'],
    ] as const) {
      await this.hand.press(this.button('Add field'));
      await this.page.locator('input.schema-name:focus').waitFor();
      await this.page.keyboard.press('Control+a');
      await this.page.keyboard.type(name);
      await this.page.keyboard.press('Tab');
      const field = this.page.getByRole('group', { name, exact: true });
      await this.hand.choose(field.getByRole('combobox', { name: 'Type' }), type);
      await this.hand.check(field.getByRole('checkbox', { name: 'Required' }));
    }
    await this.hand.press(this.button('Graph'));
    // An expression behind the request, and a switch behind that.
    await this.hand.addNode('Expressions');
    await this.hand.press(this.button('Expressions'));
    await this.write([
      ['years', 0, 0],
      ['months / 12', 0, 1],
    ]);
    await this.hand.press(this.button('Graph'));
    await this.hand.addNode('Switch');
    await this.hand.press(this.button('Switch'));
    await this.write([['years <= 30', 0, 0]]);
    await this.hand.press(this.button('Graph'));
    // The warning says that the cell never matches as a range, and how to write one.
    const faults = this.region('Faults');
    await this.hand.press(this.button('Write [750..850]', faults));
    await this.noFaults();
    await this.seen();
  }

  protected async runAndTest(): Promise<void> {
    const panel = this.page.getByRole('complementary', { name: 'Run' });
    const field = (name: string): Locator => panel.getByLabel(name, { exact: true });
    const runs = [
      ['Personal', '780', '24', '3.5'],
      ['Car', '710', '48', '4.75'],
      ['Mortgage', '500', '240', '8.5'],
    ].slice(0, isLong ? 3 : 1);
    for (const [index, [product, score, months, rate]] of runs.entries()) {
      await this.hand.tab('Fact');
      await this.hand.fill(field('product'), product ?? '');
      await this.hand.fill(field('score'), score ?? '');
      await this.hand.fill(field('months'), months ?? '');
      await this.hand.press(this.button('Run', panel));
      await this.region('Result')
        .getByText(`rate ${rate ?? ''}`)
        .waitFor();
      await this.seen();
      await this.hand.tab('Tests');
      await this.hand.press(this.button('Add test', panel));
      await panel.getByText(`test ${index + 1}`, { exact: true }).waitFor();
    }
    await this.hand.press(this.button('Run all', panel));
    await panel.getByText(`${runs.length} passed`, { exact: true }).waitFor();
  }

  protected async mendGaps(): Promise<void> {
    await this.hand.tab('Analysis');
    const findings = this.page.getByRole('region', { name: /^Findings in / });
    await this.hand.press(this.button('Add a last row for everything else', findings).first());
    // The first result of the new row has the focus.
    const { keyboard } = this.page;
    await eventually(() => this.page.locator('.grid-cell[data-row="60"][data-column="3"]').evaluate(hasFocus));
    for (const text of ['"unknown"', '9', '0']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    await this.reads(60, 3, '"unknown"');
    await this.reads(60, 5, '0');
    await findings.getByText('gap', { exact: true }).first().waitFor({ state: 'detached' });
    await this.hand.press(this.button('Keep as working copy'));
    await this.hand.tab('Tests');
    await this.page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
    const dialog = this.dialog('Suggested tests');
    const everything = this.page.getByText('The tests reach every node, row and branch.');
    // What is looked for has a limit of time: a busy machine finds the rest at the next asking.
    while (!(await everything.isVisible())) {
      await this.hand.press(this.button('Suggest tests'));
      await dialog.getByRole('checkbox').or(dialog.getByText('None was found.')).first().waitFor();
      await this.hand.press(this.button(/^Add \d+ tests?$/, dialog));
      await this.hand.press(this.button('Keep as working copy'));
      await this.page.getByText('Changed, not saved.').waitFor({ state: 'detached' });
      await this.hand.press(this.button('Run all'));
      await this.region('Coverage').waitFor();
    }
    await this.seen();
  }
}
