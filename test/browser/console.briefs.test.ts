import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible } from '../support/axe.js';
import { useConsole, type ConsolePage } from '../support/consolePage.js';
import { buildClient } from '../support/factories.js';
import { soon } from '../support/eventually.js';
import { expressing } from '../support/models.js';
import { testStore, type Place, type Scene } from '../support/scene.js';

describe('the list of executions says what was asked and answered', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  let place: Place;
  const asked: string[] = [];

  const { button } = useConsole(async (at) => {
    ({ scene, view, page } = at);
    place = await scene.deployed('loan.json', expressing({ decision: "income > 2 ? 'granted' : 'refused'" }));
    await scene.caller.post(place.path, { fact: { income: 5, customer: { name: 'Ann' } } });
    await scene.caller.post(place.path, { fact: { income: 1 } });
    page.on('request', (request) => {
      const [, id] = /\/logic\/executions\/([^/?]+)$/.exec(request.url()) ?? [];
      if (id !== undefined && request.method() === 'GET') asked.push(id);
    });
  });

  const briefs = async (): Promise<readonly string[]> =>
    (await page.locator('.brief').allInnerTexts()).map((text) => text.replaceAll('\n', ' '));

  it('in a line of each row, with what it failed by', async () => {
    await scene.caller.post(place.path, { fact: { income: 'a lot' } });
    await view.open('/executions');
    await soon(async () => {
      const [failed = '', ...others] = await briefs();
      expect(others).to.deep.equal(['income 1 → decision refused', 'income 5, customer.name Ann → decision granted']);
      expect(failed).to.match(/^income a lot → .{3}/);
    });
    await expectAccessible(page, 'executions in brief');
  });

  /** What a line shows of that kind: texts, of each whether it is cut. */
  const shown = (kind: string): Promise<readonly (readonly [text: string, isCut: boolean])[]> =>
    page.evaluate(
      `[...document.querySelectorAll('.brief')[0].querySelectorAll('${kind}')]
        .filter((part) => {
          const box = part.closest('.parts').getBoundingClientRect();
          return part.getBoundingClientRect().bottom <= box.bottom + 1;
        })
        .map((part) => [part.textContent, part.scrollWidth > part.clientWidth + 1])`,
    );

  it('cuts names before values, and has no column of references where there is none', async () => {
    const fact = { income: 70, 'Engine power of the car in kilowatts': 90, 'Region of the first policy': 'Urban' };
    await scene.caller.post(place.path, { fact });
    await button('Refresh').click();
    const line = page.locator('.brief').first();
    await line.getByText('granted').waitFor();
    await soon(async () => {
      const values = await shown('.value');
      expect(values.map(([text]) => text)).to.include('granted');
      expect(values.filter(([, isCut]) => isCut)).to.deep.equal([]);
      expect((await shown('.soft')).map(([, isCut]) => isCut)).to.include(true);
    });
    const heads = page.getByRole('table', { name: 'Executions' }).getByRole('columnheader');
    await soon(async () => expect(await heads.allInnerTexts()).to.not.include('Reference'));
    await scene.caller.post(place.path, { fact }, { 'Execution-Reference': 'order-1' });
    await button('Refresh').click();
    await heads.getByText('Reference').waitFor();
  });

  for (const width of [1440, 768, 390])
    it(`has values whole at ${width} px, on two lines, and says how many there are besides`, async () => {
      await page.setViewportSize({ width, height: 900 });
      const fact = {
        ...{ income: 70, segment: 'Small business', 'annual income': 240200.25, rating: 'B', country: 'Country 1' },
        ...{ margin: 0.0495, overdraft: true, since: '2026-01-31', months: 48, arrangement: 350 },
      };
      await scene.caller.post(place.path, { fact });
      await button('Refresh').click();
      const line = page.locator('.brief').first();
      await line
        .getByText('arrangement', { exact: true })
        .or(line.getByText(/^… \d+ more$/))
        .first()
        .waitFor();
      const known = [...Object.values(fact).map(String), 'granted'];
      await soon(async () => {
        const values = await shown('.value');
        expect(values.filter(([, isCut]) => isCut)).to.deep.equal([]);
        const texts = values.map(([text]) => text.replace(/,$/, ''));
        expect(known).to.include.members(texts);
        expect(texts).to.include.members(['70', 'Small business', 'granted']);
        const [, left = '0'] = /^… (\d+) more$/m.exec(await line.innerText()) ?? [];
        expect(texts.length + Number(left)).to.equal(known.length);
      });
      // What it is called as well as what it has is on the screen, without scrolling.
      const { x = NaN, width: own = NaN } = (await line.boundingBox()) ?? {};
      expect(x + own).to.be.at.most(width);
      await page.setViewportSize({ width: 1280, height: 900 });
    });

  it('asks once for each row that is seen, and for none that is not', async () => {
    const items = Array.from({ length: 90 }, (_, income) => ({ fact: { income } }));
    const { decisionId, environmentId } = place;
    await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/batches`, { items });
    asked.length = 0;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await soon(async () => expect(await page.locator('.brief').count()).to.equal(98));
    await soon(async () => expect((await briefs())[0]).to.match(/^income \d+ → decision /));
    const told = async (): Promise<number> => (await briefs()).filter((text) => text.includes('→')).length;
    await soon(async () => expect(await told()).to.be.at.least(8));
    expect(asked.length).to.be.below(60);
    expect((await briefs()).at(-1)?.trim()).to.equal('');
    await page.locator('.brief').last().scrollIntoViewIfNeeded();
    await soon(async () => expect((await briefs()).at(-1)).to.equal('income 5, customer.name Ann → decision granted'));
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForLoadState('networkidle');
    expect(new Set(asked).size).to.equal(asked.length);
  });

  it('has no such column for a token that may see no execution whole', async () => {
    const { tenantId, workspaceId } = scene;
    const scopes = 'executions:read decisions:read environments:read';
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], name: 'Counts', scopes });
    await view.open('/executions', client);
    await page.getByRole('table', { name: 'Executions' }).locator('tbody tr').first().waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads).to.include('Status').and.not.include('Asked → answered');
  });
});
