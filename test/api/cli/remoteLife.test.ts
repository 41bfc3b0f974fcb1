import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { runVerdict } from '../../support/cli.js';
import { verdict, type CliAnswer } from '../../support/cliProcess.js';
import { buildClient, type BuiltClient, useStore } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { call } from '../../support/http.js';
import { calling, expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { tokenOf } from '../../support/tokens.js';

interface Pushed {
  readonly decisions: readonly { readonly key: string; readonly version: number; readonly change: string }[];
  readonly deleted: readonly { readonly key: string }[];
}

describe('a decision’s life from a folder without the project, with a URL and a client alone', function () {
  const server = useApp();
  const store = useStore();
  let client: BuiltClient;
  const folder = useFreshFolder();

  beforeEach(async () => {
    client = await buildClient(store);
    await write('models/main.json', { ...calling('./sub/part'), tests: [{ input: { x: 2 }, output: { y: 4 } }] });
    await write('models/sub/part.json', expressing({ y: 'x * 2' }));
  });

  const write = async (name: string, model: object): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(model));
  };
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown;
  const run = (...args: string[]): Promise<CliAnswer> =>
    runVerdict(args, { directory: folder, environment: remoteEnvironment(server, client) });
  const done = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout, stderr } = await run(...args, '--json');
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout) as T;
  };

  it('push, list, test, save, deploy, execute, look back, roll back', async () => {
    const dry = await done<Pushed>('push', 'models', '--save', '--dry-run');
    expect(dry.decisions.map(({ key, change }) => [key, change])).to.deep.equal([
      ['main.json', 'created'],
      ['sub/part.json', 'created'],
    ]);
    expect(await done('decision', 'list')).to.deep.equal({ data: [], decisions: [] });

    const pushed = await done<Pushed>('push', 'models', '--save', '--message', 'First');
    expect(pushed.decisions.map(({ key, version, change }) => [key, version, change])).to.deep.equal([
      ['main.json', 1, 'created'],
      ['sub/part.json', 1, 'created'],
    ]);
    expect((await run('push', 'models', '--save')).code, 'nothing changed').to.equal(3);
    expect(await run('diff', 'models')).to.include({ code: 0, stdout: 'no differences\n' });

    const { decisions } = await done<{ decisions: { id: string; key: string; latestVersion: number }[] }>(
      'decision',
      'list',
    );
    expect(decisions.map(({ key, latestVersion }) => [key, latestVersion])).to.deep.equal([
      ['main.json', 1],
      ['sub/part.json', 1],
    ]);
    expect(await done('decision', 'test', 'main.json')).to.deep.include({ passed: 1, failed: 0 });

    await write('models/sub/part.json', expressing({ y: 'x * 3' }));
    expect((await run('diff', 'models')).stdout).to.match(/sub\/part\.json +│ changed/);
    expect((await run('push', 'models')).code).to.equal(0);
    const tested = await run('decision', 'test', 'main.json');
    expect(tested.code, 'the test expects another result').to.equal(1);
    expect(tested.stdout).to.include('expected 4, got 6');
    const differences = await run('decision', 'diff', 'sub/part.json');
    expect(differences).to.include({ code: 0 });
    expect(differences.stdout).to.include('x * 2').and.include('x * 3');
    const saved = await done<Pushed>('decision', 'save', 'main.json', '--message', 'Second');
    expect(saved.decisions.map(({ key, version }) => [key, version])).to.deep.equal([['main.json', 2]]);
    const same = await run('decision', 'diff', 'main.json');
    expect(same.stdout).to.equal('no differences between version 2 and the working copy\n');

    const { id: environment } = await done<{ id: string }>('environment', 'create', '--name', 'Production');
    const place = ['main.json', '--environment', environment];
    expect(await done('deployment', 'create', ...place, '--version', '1')).to.include({ version: 1 });
    expect(await done('deployment', 'create', ...place), 'the newest').to.include({
      version: 2,
      deployedBy: `operator:${userInfo().username}`,
    });
    const main = decisions.find(({ key }) => key === 'main.json')?.id ?? '';
    const execute = async (): Promise<unknown> => {
      const { body } = await call(`${server.baseUrl}/logic/${environment}/decisions/${main}/executions`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${await tokenOf(server.baseUrl, client)}`,
          'X-Workspace-Id': client.workspaceId,
        },
        body: { fact: { x: 2 } },
      });
      return (body as { result: unknown }).result;
    };
    expect(await execute()).to.deep.equal({ y: 6 });
    expect(await done('deployment', 'rollback', ...place)).to.include({ version: 1 });
    expect(await execute()).to.deep.equal({ y: 4 });
    const { deployments } = await done<{ deployments: { version: number; inForce: boolean }[] }>('deployment', 'list');
    expect(deployments.map(({ version, inForce }) => [version, inForce])).to.deep.equal([
      [1, true],
      [2, false],
      [1, false],
    ]);

    const { executions } = await done<{ executions: { id: string; version: number }[] }>('execution', 'list');
    expect(executions.map(({ version }) => version)).to.deep.equal([1, 2]);
    expect(await done('execution', 'show', executions[0]?.id ?? '')).to.deep.include({ result: { y: 4 } });
    const explained = await done('execution', 'explain', executions[0]?.id ?? '');
    expect(explained).to.deep.include({ exact: true, reasons: [], result: { y: 4 } });
    const { entries } = await done<{ entries: { action: string; principal: string }[] }>('audit', 'list');
    const newest = entries.slice(0, 2).map(({ action, principal }) => [action, principal]);
    expect(newest).to.deep.equal(
      ['deployment.rollback', 'deployment.create'].map((action) => [action, `client:${client.id}`]),
    );
  });

  it('what a field is to equal is JSON where it parses as such, else a text: a text that looks like JSON is quoted', async () => {
    await done('push', 'models');
    await done('environment', 'create', '--name', 'Test');
    await done('decision', 'measured', 'set', 'main.json', '/y');
    const asked = ['monitor', 'create', 'main.json', '--environment', 'Test', '--name', 'M', '--condition', '> 1'];
    for (const [written, equals] of [
      ['no', 'no'],
      ['"true"', 'true'],
      ['true', true],
      ['toString', 'toString'],
    ] as const) {
      const made = await done(...asked, '--measure', `/y=${written}`);
      expect(made, written).to.deep.include({ measure: { pointer: '/y', equals } });
    }
    const { code, stderr } = await run(...asked, '--measure', '/y=5');
    expect([code, stderr.split('\n')[1]]).to.deep.equal([1, '  /measure/equals must be string or boolean or null']);
  });

  it('roll back says which version comes back, and goes on backwards when it is done again', async () => {
    await done('push', 'models', '--save');
    for (const message of ['Second', 'Third']) {
      await write('models/sub/part.json', expressing({ y: `x * ${message.length}` }));
      await done('push', 'models');
      await done('decision', 'save', 'main.json', '--message', message);
    }
    await done('environment', 'create', '--name', 'Production');
    const place = ['main.json', '--environment', 'Production'];
    const rollBack = (...args: string[]): Promise<CliAnswer> => run('deployment', 'rollback', ...place, ...args);
    expect(await rollBack()).to.deep.include({ code: 1, stdout: '' });
    for (const version of ['1', '2', '3']) await done('deployment', 'create', ...place, '--version', version);

    expect((await rollBack()).stdout).to.match(/^From version 3 \(.*\) back to version 2 \(.*\)\.\n/);
    expect((await rollBack()).stdout).to.match(/^From version 2 \(.*\) back to version 1 \(.*\)\.\n/);
    const { code, stdout, stderr } = await rollBack();
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.include('nothing was in force in this environment before main.json version 1');
    await done('deployment', 'create', ...place, '--version', '3');
    expect((await rollBack()).stdout, 'forward is a new step').to.match(/^From version 3 \(.*\) back to version 1 /);
  });

  it('pull brings what the workspace holds, with all digits, and again when others changed it', async () => {
    await write('models/long.json', { ...expressing({ y: '1' }), tests: [{ input: {}, output: { id: 1 } }] });
    const long = await readFile(join(folder, 'models/long.json'), 'utf8');
    await writeFile(join(folder, 'models/long.json'), long.replace('"id":1', '"id":12345678901234567890'));
    await done('push', 'models');
    await done('pull', 'copy');
    expect(await read('copy/sub/part.json')).to.deep.equal(await read('models/sub/part.json'));
    expect(await readFile(join(folder, 'copy/long.json'), 'utf8')).to.include('12345678901234567890');
    expect((await run('push', 'copy')).code, 'the same').to.equal(3);

    await write('models/sub/part.json', expressing({ y: 'x * 5' }));
    await rm(join(folder, 'models/long.json'));
    await done('push', 'models', '--prune');
    const { files } = await done<{ files: { key: string; change: string }[] }>('pull', 'copy');
    expect(files).to.deep.equal([
      { key: 'sub/part.json', change: 'updated' },
      { key: 'long.json', change: 'deleted' },
    ]);
    expect(existsSync(join(folder, 'copy/long.json'))).to.equal(false);
    expect(await done('pull', 'copy')).to.deep.include({ files: [] });
  });

  it('push from a folder without its state keeps what no version has, unless it is told to overwrite it', async () => {
    await done('push', 'models', '--save');
    await write('edit/main.json', expressing({ y: '"unsaved"' }));
    await done('decision', 'import', 'edit/main.json', '--key', 'main.json');
    // As a fresh checkout has it.
    await rm(join(folder, 'models/.verdict'), { recursive: true });
    for (const more of [[], ['--save'], ['--dry-run']]) {
      const refused = await run('push', 'models', ...more);
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.include('main.json').and.include('--overwrite').and.not.include('part.json');
    }
    const { content } = await done<{ content: unknown }>('decision', 'show', 'main.json');
    expect(content).to.deep.equal(expressing({ y: '"unsaved"' }));
    expect((await run('push', 'models', '--save', '--overwrite')).code).to.equal(0);
    const pushed = await done<{ content: unknown }>('decision', 'show', 'main.json');
    expect(pushed.content).to.deep.equal(await read('models/main.json'));
  });

  it('of two pushes from the same base one wins, the other is refused and mixes nothing', async () => {
    await done('push', 'models');
    await done('pull', 'one');
    await done('pull', 'two');
    await write('one/main.json', expressing({ y: '1' }));
    await write('two/sub/part.json', expressing({ y: '2' }));
    expect((await run('push', 'one')).code).to.equal(0);
    const refused = await run('push', 'two');
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('precondition_failed').and.include('main.json');
    expect(await run('diff', 'one')).to.include({ stdout: 'no differences\n' });
    // Pulled first, it goes through, and what was changed here has stayed.
    await done('pull', 'two');
    expect((await run('push', 'two')).code).to.equal(0);
    await done('pull', 'one');
    expect(await read('one/sub/part.json')).to.deep.equal(expressing({ y: '2' }));
  });

  it('of pushes at the same moment each goes through whole or not at all', async () => {
    const names = ['a', 'b', 'c'];
    for (const name of names) {
      for (const key of ['x', 'y']) await write(`${name}/${key}.json`, expressing({ y: `"${name}"` }));
    }
    const codes = (await Promise.all(names.map((name) => run('push', name)))).map(({ code }) => code);
    expect(codes.filter((code) => code === 0)).to.have.length.of.at.least(1);
    await done('pull', 'held');
    expect(await read('held/x.json')).to.deep.equal(await read('held/y.json'));
  });

  it('pull overwrites nothing that was changed on both sides, unless it is told to', async () => {
    await done('push', 'models');
    await done('pull', 'copy');
    await write('copy/main.json', expressing({ y: '"mine"' }));
    await write('models/main.json', expressing({ y: '"theirs"' }));
    await done('push', 'models');
    const { code, stderr } = await run('pull', 'copy');
    expect(code).to.equal(1);
    expect(stderr).to.include('main.json').and.include('--force');
    expect(await read('copy/main.json')).to.deep.equal(expressing({ y: '"mine"' }));
    await done('pull', 'copy', '--force');
    expect(await read('copy/main.json')).to.deep.equal(expressing({ y: '"theirs"' }));
  });

  it('pull writes nothing through a link that leads out of the folder', async () => {
    await done('push', 'models');
    await mkdir(join(folder, 'copy'));
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'copy', 'sub'));
    const { code, stderr } = await run('pull', 'copy');
    expect(code).to.equal(1);
    expect(stderr).to.include('is a link, so nothing was written');
    expect(await readdir(join(folder, 'elsewhere'))).to.deep.equal([]);
    expect(existsSync(join(folder, 'copy', 'main.json')), 'nothing at all').to.equal(false);
  });

  it('push --prune deletes what the folder does not have, and keeps what is in use', async () => {
    await write('models/gone.json', expressing({ y: '1' }));
    await done('push', 'models', '--save');
    const { id: environment } = await done<{ id: string }>('environment', 'create', '--name', 'E');
    await done('deployment', 'create', 'sub/part.json', '--environment', environment);
    for (const name of ['gone.json', 'main.json', 'sub/part.json']) await rm(join(folder, 'models', name));
    await write('models/new.json', expressing({ y: '1' }));
    const dry = await done<Pushed>('push', 'models', '--prune', '--dry-run');
    expect(dry.deleted.map(({ key }) => key)).to.have.members(['gone.json', 'main.json', 'sub/part.json']);
    const { code, stdout, stderr } = await run('push', 'models', '--prune', '--json');
    expect(code).to.equal(1);
    expect(stderr).to.include('sub/part.json was not deleted');
    expect((JSON.parse(stdout) as Pushed).deleted.map(({ key }) => key)).to.have.members(['gone.json', 'main.json']);
  });

  it('push refuses faults with their places, and stores nothing', async () => {
    await write('models/bad.json', expressing({ total: 'sum(items) +' }));
    const { code, stdout, stderr } = await run('push', 'models');
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr)
      .to.include('Nothing was pushed (1 fault)')
      .and.include('models/bad.json, node "Calculation"')
      .and.match(/\n {4}sum\(items\) \+\n *\^/);
    expect(await done('decision', 'list')).to.deep.equal({ data: [], decisions: [] });
  });

  it('each way to end has an exit code of its own, in a process that knows nothing else', async () => {
    const environment = remoteEnvironment(server, client);
    const end = async (args: readonly string[], more: Record<string, string> = {}): Promise<number | null> =>
      (await verdict(args, { directory: folder, environment: { ...environment, ...more } })).code;
    await mkdir(join(folder, 'empty'));
    expect(await end(['push', 'models', '--save']), 'done').to.equal(0);
    expect(await end(['push', 'empty']), 'refused').to.equal(1);
    expect(await end(['deployment', 'create', 'main.json']), 'without --environment').to.equal(2);
    expect(await end(['push', 'models', '--save']), 'nothing changed').to.equal(3);
    expect(await end(['push', 'models'], { VERDICT_CLIENT_SECRET: 'wrong' }), 'not signed in').to.equal(4);
  });
});
