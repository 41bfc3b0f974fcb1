import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { useFolder } from '../../support/folder.js';
import { doubling } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { useFreshScene } from '../../support/scene.js';

describe('what the command line calls things', function () {
  const app = useApp();
  const scene = useFreshScene(app);
  const folder = useFolder();

  before(async () => {
    await writeFile(join(folder, 'a.json'), JSON.stringify(doubling(2)));
  });

  const run = (...args: string[]): Promise<CommandResult> => {
    const { client, workspaceId } = scene;
    const environment = remoteEnvironment(app, { ...client, workspaceId });
    return verdictIn({ directory: folder, environment }, ...args);
  };
  const made = async (name: string): Promise<string> =>
    ((await scene.caller.post('/logic/environments', { name })).body as { id: string }).id;

  it('environments have names; of two with the same name the ids are told', async () => {
    const id = await made('Live');
    const decisionId = await scene.decision('d.json', doubling(2));
    const deployed = await run('deployment', 'create', 'd.json', '--environment', 'Live', '--json');
    expect(deployed.json).to.include({ environmentId: id, decisionId, version: 1 });
    await run('deployment', 'create', 'd.json', '--environment', id, '--version', '0');
    const listed = await run('deployment', 'list', '--environment', 'Live', '--size', '1', '--json');
    const { deployments } = listed.json as { deployments: { version: number }[] };
    expect(deployments.map(({ version }) => version)).to.deep.equal([0]);

    const absent = await run('variable', 'list', '--environment', 'Nowhere');
    expect([absent.exit, absent.stderr]).to.deep.equal([
      1,
      'error: there is no environment of that name in this workspace. See: verdict environment list\n',
    ]);
    const other = await made('Live');
    const several = await run('environment', 'show', 'Live');
    expect([several.exit, several.stderr]).to.deep.equal([
      1,
      `error: several environments have that name. Name one by its id:\n  ${id}\n  ${other}\n`,
    ]);
  });

  it('a decision is copied with every digit, moved with its versions, and deleted', async () => {
    const content = doubling(2);
    await scene.decision('d.json', content);
    const copied = (await run('decision', 'copy', 'd.json', 'shop/copy.json', '--json')).json as { id: string };
    const { body } = await scene.caller.get(`/logic/decisions/${copied.id}/versions/0`);
    expect((body as { content: object }).content).to.deep.equal(content);
    const moved = await run('decision', 'move', 'd.json', 'e.json');
    expect(moved.stdout).to.match(/^key +e\.json\nid +[0-9a-f-]{36}\n$/);
    const taken = await run('decision', 'move', 'e.json', 'shop/copy.json');
    expect([taken.exit, taken.stderr.endsWith('(409 key_taken)\n')]).to.deep.equal([1, true]);
    expect((await run('decision', 'delete', 'shop/copy.json')).stdout).to.equal('shop/copy.json is removed\n');
    const { body: left } = await scene.caller.get('/logic/decisions');
    const keys = (left as { data: { key: string; latestVersion: number }[] }).data;
    expect(keys.map(({ key, latestVersion }) => [key, latestVersion])).to.deep.equal([['e.json', 1]]);
  });

  it('a push of nothing new is 3, and 0 where that is fine', async () => {
    for (const [exit, ...flags] of [[0], [3], [0, '--ok-if-unchanged']] as [number, ...string[]][])
      expect((await run('push', '.', '--save', ...flags)).exit).to.equal(exit);
  });
});
