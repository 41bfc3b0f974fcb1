import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsole, expectNoSideways, type ConsolePage } from '../support/consolePage.js';
import { isLong } from '../support/environment.js';
import { buildClient } from '../support/factories.js';
import type { Model } from '../support/models.js';
import { testStore, type Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

const script = '<img src=x onerror="window.hacked=1">';
/** Right to left, and an override that would turn what follows it in the same line. */
const turned = '\u202Egnp.\u05E9\u05DC\u05D5\u05DD';
const escapes = '\u001B[31mred\u001B[0m\u0007';
/** References have no spaces. */
const reference = `${script.replaceAll(' ', '/')}${'r'.repeat(150)}`;
const long = 'x'.repeat(512);

/** A model whose every name is one of those. */
const named = (name: string): Model => ({
  nodes: [
    { id: 'in', type: 'inputNode', name, content: {} },
    {
      id: 'calc',
      type: 'expressionNode',
      name: `${name} calc`,
      content: { expressions: [{ id: 'e', key: 'y', value: `"${name.replaceAll('"', "'")}"` }] },
    },
    { id: 'out', type: 'outputNode', name, content: {} },
  ],
  edges: [
    { id: 'a', sourceId: 'in', targetId: 'calc', type: 'edge' },
    { id: 'b', sourceId: 'calc', targetId: 'out', type: 'edge' },
  ],
});

describe('the console and hostile names', () => {
  let scene: Scene;
  let view: ConsolePage;
  let page: Page;
  const decisions = new Map<string, string>();
  let environmentId: string;
  let executionId: string;
  const keys = [`${script}.json`, `${turned}.json`, long, `${'a/'.repeat(60)}deep.json`, 'a?b=c&d#e%20%f.json'];

  useConsole(async (at) => {
    ({ scene, view, page } = at);
    for (const key of keys) decisions.set(key, await scene.decision(key, named(key === long ? long : script)));
    await scene.decision('escapes.json', named(escapes)).then((id) => decisions.set('escapes.json', id));
    const made = await scene.caller.post('/logic/environments', { name: `${script}${turned}${'y'.repeat(200)}` });
    expect(made.status, made.text).to.equal(201);
    environmentId = (made.body as { id: string }).id;
    for (const id of decisions.values()) {
      const deployed = await scene.caller.post('/logic/deployments', {
        decisionId: id,
        environmentId,
        version: 1,
        name: script,
        message: `${turned}${long}`,
        deployedBy: `${script}${'z'.repeat(200)}`,
      });
      expect(deployed.status, deployed.text).to.equal(201);
    }
    const run = await scene.caller.post(
      `/logic/${environmentId}/decisions/${decisions.get(long) ?? ''}/executions`,
      { fact: { [script]: `${turned}${escapes}${long}` } },
      { 'Execution-Reference': reference },
    );
    expect(run.status, run.text).to.equal(201);
    executionId = (run.body as { id: string }).id;
  });

  const expectSound = async (what: string): Promise<void> => {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSideways(page, `${what}, ${width} px`);
    }
    const found = "[window.hacked, document.querySelectorAll('#console img').length]";
    await soon(async () => expect(await page.evaluate(found), what).to.deep.equal([undefined, 0]));
  };

  it('lists them as they are', async () => {
    await view.open('/decisions');
    for (const name of [script, turned, long.replace(/\.json$/, ''), 'a?b=c&d#e%20%f']) {
      await page.getByRole('link', { name, exact: true }).first().waitFor();
    }
    await page.getByRole('link', { name: 'deep', exact: true }).waitFor();
    // Sixty folders deep, it still begins within the list.
    const left = (await page.getByRole('link', { name: 'deep', exact: true }).boundingBox())?.x ?? Infinity;
    expect(left).to.be.below(400);
    await expectSound('decisions');
  });

  for (const [at, key] of [...keys, 'escapes.json'].entries()) {
    it(`shows, runs and edits ${JSON.stringify(key.slice(0, 40))}`, async () => {
      const id = decisions.get(key) ?? '';
      await view.go(`/decisions/${id}?node=calc`);
      await page.getByRole('heading', { level: 1, name: key.replace(/\.json$/, ''), exact: true }).waitFor();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('region', { name: 'Result' }).getByText('COMPLETED').waitFor();
      await expectSound('model');
      // In the short form each name is on one of the two pages.
      if (isLong || at % 2 === 0) {
        await view.go(`/decisions/${id}/compare?from=1&to=0`);
        await page.getByText('They are the same.').waitFor();
        await expectSound('compare');
      }
      if (isLong || at % 2 === 1) {
        await view.go(`/decisions/${id}/edit`);
        await page.locator('[data-node]').first().waitFor();
        await expectSound('edit');
      }
    });
  }

  it('shows what is deployed, and asks before it is deployed or rolled back', async () => {
    await view.go('/deployments');
    await page.getByRole('table').waitFor();
    await expectSound('deployments');
    await view.go(`/deployments?decision=${decisions.get(long) ?? ''}`);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Version' }).waitFor();
    await page.setViewportSize({ width: 320, height: 900 });
    const [content, box] = await dialog.evaluate((element) => {
      const { scrollWidth, clientWidth } = element as unknown as { scrollWidth: number; clientWidth: number };
      return [scrollWidth, clientWidth];
    });
    expect(content).to.be.at.most(box);
    await page.keyboard.press('Escape');
  });

  it('shows executions, and explains one', async () => {
    await view.go('/executions');
    await page.getByRole('table').waitFor();
    await expectSound('executions');
    await view.go(`/executions/${executionId}`);
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('region', { name: 'Explanation' }).getByText('exact', { exact: true }).waitFor();
    await expectSound('execution');
    await page.getByRole('link', { name: reference }).click();
    await page.getByRole('table').waitFor();
    expect(new URL(page.url()).searchParams.get('reference')).to.equal(reference);
  });

  it('says what an unknown address is, of whatever form', async () => {
    for (const path of ['/decisions/nothing', `/executions/${executionId.replace(/^./, 'f')}`, '/replays/%00']) {
      await view.go(path);
      await page.getByRole('alert').waitFor();
    }
    view.complaints.splice(0);
  });

  it('tells a client with few scopes what it may not see, on every page, and by which scope it could', async () => {
    const client = await buildClient(testStore(), {
      tenantId: scene.tenantId,
      workspaces: [scene.workspaceId],
      scopes: 'decisions:read',
    });
    await view.open('/decisions', client);
    await page.getByRole('link', { name: 'escapes' }).waitFor();
    await page.getByRole('status').getByText('What is deployed where is not shown').waitFor();
    const id = decisions.get('escapes.json') ?? '';
    for (const [path, scope] of [
      [`/decisions/${id}`, 'decision:read'],
      [`/decisions/${id}/edit`, 'decision:read'],
      [`/decisions/${id}/compare?from=1&to=0`, 'decision:read'],
      ['/deployments', 'deployments:read'],
      ['/executions', 'executions:read'],
      [`/executions/${executionId}`, 'execution:read'],
      ['/replays', 'replay:read'],
      [`/replays/${executionId}`, 'replay:read'],
      ['/pool', 'pool:read'],
    ] as const) {
      await view.go(path);
      const told = await page.getByRole('alert').first().innerText();
      expect(told, path).to.contain(scope).and.to.contain('Ask the operator');
    }
    await view.go('/decisions');
    await page.getByRole('link', { name: 'escapes' }).waitFor();
    // What would be refused is not offered.
    await soon(async () => expect(await page.getByRole('button', { name: 'New decision' }).count()).to.equal(0));
  });
});
