import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { runVerdict } from '../../support/cli.js';
import type { CliAnswer } from '../../support/cliProcess.js';
import { buildClient, useStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { call } from '../../support/http.js';
import { expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { tokenOf } from '../../support/tokens.js';

describe('the command line, of deployments whose records were changed', () => {
  const server = useApp();
  const store = useStore();
  const folder = useFreshFolder();

  it('what is in force, and what was before it, is told by routing: PATCH changes records of deployments alone', async () => {
    const client = await buildClient(store);
    const run = (...args: string[]): Promise<CliAnswer> =>
      runVerdict(args, { directory: folder, environment: remoteEnvironment(server, client) });
    const done = async <T>(...args: string[]): Promise<T> => {
      const { code, stdout, stderr } = await run(...args, '--json');
      expect(code, stderr).to.equal(0);
      return JSON.parse(stdout) as T;
    };
    for (const factor of [1, 2, 3]) {
      await writeFile(join(folder, 'main.json'), JSON.stringify(expressing({ y: `x * ${factor}` })));
      await done('decision', 'import', 'main.json', '--save');
    }
    await done('environment', 'create', '--name', 'Production');
    const place = ['main.json', '--environment', 'Production'];
    const deployed = async (version: string): Promise<string> =>
      (await done<{ id: string }>('deployment', 'create', ...place, '--version', version)).id;
    const [first, second] = [await deployed('1'), await deployed('2')];
    const headers = {
      Authorization: `Bearer ${await tokenOf(server.baseUrl, client)}`,
      'X-Workspace-Id': client.workspaceId,
    };
    for (const id of [first, second]) {
      const patch = { method: 'PATCH', headers, body: { version: 3 } };
      expect((await call(`${server.baseUrl}/logic/deployments/${id}`, patch)).status).to.equal(200);
    }
    const listed = await done<{ deployments: object[] }>('deployment', 'list');
    const [inForce, before] = listed.deployments;
    expect(inForce).to.include({ id: second, version: 2, inForce: true }).and.nested.include({ 'recorded.version': 3 });
    expect(before).to.include({ id: first, version: 1, inForce: false }).and.nested.include({ 'recorded.version': 3 });
    expect((await run('deployment', 'list')).stdout)
      .to.include('its record alone')
      .and.include('version 3, decision ');

    const ask = async (version: string): Promise<number | null> =>
      (
        await run(
          ...['change', 'create', '--environment', 'Production', '--title', 'x', '--deploy', `main.json@${version}`],
        )
      ).code;
    expect(await ask('2'), 'in force').to.equal(3);
    expect(await ask('3'), 'never in force; refused here, as nothing is protected').not.to.equal(3);
    expect((await run('deployment', 'rollback', ...place)).stdout).to.match(
      /^From version 2 \(.*\) back to version 1 \(.*\)\.\n/,
    );
  });
});
