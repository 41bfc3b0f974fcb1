import { writeFileSync } from 'node:fs';
import { bootApp } from '../support/app.js';
import { shotPath } from '../support/browser.js';
import { closeBrowser, openConsole } from '../support/consolePage.js';
import { buildConsoleScene } from '../support/consoleScene.js';

describe('scratch', function () {
  this.timeout(90_000);
  it('edits', async () => {
    const app = await bootApp();
    const made = await buildConsoleScene(app);
    const view = await openConsole(app.baseUrl, made.scene);
    const { page } = view;
    await view.open(`/decisions/${made.decisionId}/edit`);
    await page.locator('.react-flow__node').first().waitFor();
    await page.waitForTimeout(800);
    await page.screenshot({ path: shotPath('s1.png') });
    writeFileSync(shotPath('s1.html'), await page.locator('.editor').innerHTML());
    const log: string[] = [];
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      try { await work(); log.push(`${name} ok`); } catch (error) { log.push(`${name} ${String(error).slice(0, 300)}`); }
      await page.waitForTimeout(600);
      await page.screenshot({ path: shotPath(`s-${name}.png`) });
      writeFileSync(shotPath(`s-${name}.html`), await page.locator('.editor').innerHTML());
    };
    await step('table', () => page.getByText('Edit Table').click({ timeout: 3000 }));
    await step('cell', () => page.locator('.editor tbody td').nth(4).click({ timeout: 3000 }));
    await step('type', async () => { await page.keyboard.press('Control+a'); await page.keyboard.type('4.1 +'); });
    log.push(await page.getByRole('region', { name: 'Faults' }).innerText());
    log.push(await page.getByRole('form', { name: 'Save' }).innerText());
    await step('good', async () => { await page.keyboard.press('Control+a'); await page.keyboard.type('4.1'); });
    log.push(await page.getByRole('region', { name: 'Faults' }).innerText());
    await step('run', async () => {
      await page.getByRole('textbox', { name: 'Fact' }).fill('{"age": 41, "income": 5000, "debts": 400, "amount": 12000, "months": 48, "score": 700}');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
    });
    log.push(await page.getByRole('region', { name: 'Result' }).innerText());
    await step('save', async () => {
      await page.getByRole('textbox', { name: 'Message' }).fill('cheaper');
      await page.getByRole('button', { name: 'Save version' }).click();
      await page.getByRole('link', { name: 'v3' }).waitFor();
    });
    log.push(await page.getByRole('form', { name: 'Save' }).innerText());
    await step('function', () => page.getByText('Graph', { exact: true }).click());
    log.push(...view.complaints, ...view.hosts);
    writeFileSync(shotPath('s.log'), log.join('\n'));
    await closeBrowser();
    await app.stop();
  });
});
