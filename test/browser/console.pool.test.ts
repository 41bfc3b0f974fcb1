import { expect } from 'chai';
import { atOwnConsole, openConsole } from '../support/consolePage.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, type Scene } from '../support/scene.js';

describe('the console’s page of the pool, of several processes', () => {
  let server: ServerProcess;
  let scene: Scene;

  atOwnConsole(
    () => startServer({ HTTP_PROCESSES: '2' }),
    async (started) => {
      server = started;
      scene = await buildScene(server);
    },
  );

  it('shows each process and all of them together, and counts what was served while it is open', async () => {
    const view = await openConsole(server.baseUrl, scene);
    const { page } = view;
    await view.open('/pool');
    const rows = page.getByRole('table', { name: 'Processes' }).locator('tbody tr');
    await rows.first().waitFor();
    const cells = async (): Promise<string[][]> =>
      (await rows.allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim()));
    const heads = await page.getByRole('table', { name: 'Processes' }).locator('thead th').allInnerTexts();
    const served = heads.indexOf('Served');
    const begun = await cells();
    expect(begun).to.have.length(3);
    expect(begun.at(-1)?.[0]).to.equal('all');
    expect(Number(begun.at(-1)?.[heads.indexOf('Threads')])).to.equal(
      begun.slice(0, 2).reduce((sum, row) => sum + Number(row[heads.indexOf('Threads')]), 0),
    );

    const decisionId = await scene.decision('double.json', doubling(2));
    for (let x = 0; x < 6; x++) {
      const path = `/logic/decisions/${decisionId}/evaluations`;
      expect((await scene.caller.post(path, { version: 1, fact: { x } })).status).to.equal(201);
    }
    await rows
      .last()
      .locator('td')
      .nth(served - 1)
      .getByText('6', { exact: true })
      .waitFor();
    const ended = await cells();
    expect(ended.slice(0, 2).reduce((sum, row) => sum + Number(row[served]), 0)).to.equal(6);
  });
});
