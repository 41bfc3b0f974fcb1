import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { uuidV7 } from '../support/asserts.js';
import { runVerdict, runVerdictJson } from '../support/cli.js';
import { buildClient, type BuiltClient, useStore } from '../support/factories.js';
import { useFolder } from '../support/folder.js';
import { calling, expressing } from '../support/models.js';
import { remoteEnvironment } from '../support/remote.js';

interface Imported {
  readonly revision: number;
  readonly decisions: readonly { id: string; key: string; version: number; change: string; changed: boolean }[];
}

describe('the command line: decisions', () => {
  const app = useApp();
  const store = useStore();
  const folder = useFolder();
  let client: BuiltClient;
  let workspace: string;

  before(async () => {
    await mkdir(join(folder, 'models', 'sub'), { recursive: true });
    await write('models/main.json', calling('./sub/part'));
    await write('models/sub/part.json', expressing({ y: 'x * 2' }));
  });
  beforeEach(async () => {
    client = await buildClient(store);
    workspace = client.workspaceId;
  });

  const write = (name: string, model: object): Promise<void> => writeFile(join(folder, name), JSON.stringify(model));
  const place = () => ({ directory: folder, environment: remoteEnvironment(app, client) });
  const run = (...args: string[]) => runVerdict(args, place());
  /** @param code how it must end: 3 where nothing is new */
  const bringWith = async (code: number | null, ...args: string[]): Promise<Imported> => {
    const ran = await run('decision', 'import', ...args, '--workspace', workspace, '--json');
    expect(ran.code, ran.stderr).to.equal(code);
    return JSON.parse(ran.stdout) as Imported;
  };
  const bring = (...args: string[]): Promise<Imported> => bringWith(0, ...args);
  const count = async (table: 'decisions' | 'versions'): Promise<number> => {
    const [row] = await store
      .database(table)
      .where('workspace_id', Buffer.from(workspace.replaceAll('-', ''), 'hex'))
      .count<{ n: number }[]>({ n: '*' });
    return Number(row?.n);
  };

  it('imports a folder whose models name one another, and prints one document', async () => {
    const { code, stdout, stderr } = await run('decision', 'import', 'models', '--workspace', workspace, '--json');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const printed = JSON.parse(stdout) as Imported;
    const ids = printed.decisions.map(({ id }) => id);
    expect(printed).to.deep.equal({
      revision: printed.revision,
      decisions: [
        { id: ids[0], key: 'main.json', version: 0, change: 'created', changed: true },
        { id: ids[1], key: 'sub/part.json', version: 0, change: 'created', changed: true },
      ],
      faults: [],
    });
    for (const id of ids) expect(id).to.match(uuidV7);
  });

  it('runs models by the limits that are set, as the server does', async () => {
    const tests = [{ input: {}, output: { y: 1500 } }];
    await write('long.json', { ...expressing({ y: 'count([1..1500], # > 0)' }), tests });
    const args = ['decision', 'test', 'long.json'];
    expect((await run(...args)).code).to.equal(0);
    const small = await runVerdict(args, { directory: folder, environment: { RUN_MAX_ITERATIONS: '1000' } });
    expect(small.code).to.equal(1);
    expect(small.stdout + small.stderr).to.include('1000');
  });

  it('stores faults as a working copy with --force, and never as a version', async () => {
    await write('bad.json', expressing({ rate: 'nope(x)' }));
    const forced = await run('decision', 'import', 'bad.json', '--workspace', workspace, '--force', '--json');
    expect(forced.code).to.equal(0);
    expect((JSON.parse(forced.stdout) as Imported).decisions[0]).to.include({ version: 0, changed: true });
    expect(forced.stderr).to.include('nope');

    const both = await run('decision', 'import', 'bad.json', '--workspace', workspace, '--force', '--save');
    expect(both.code).to.equal(1);
    expect(both.stderr).to.include('never saved as a version');
    const saved = await run('decision', 'save', 'bad.json', '--workspace', workspace);
    expect(saved.code).to.equal(1);
    expect(saved.stderr).to.include('Nothing was saved (1 fault)');
    expect(await count('versions')).to.equal(0);
  });

  it('refuses what is not there, and the same key twice', async () => {
    for (const [paths, reason] of [
      [['nowhere.json'], 'nowhere.json is not there'],
      [['models', 'models/main.json'], 'has the same key'],
    ] as const) {
      const { code, stderr } = await run('decision', 'import', ...paths, '--workspace', workspace);
      expect([code, stderr.includes(reason)], stderr).to.deep.equal([1, true]);
    }
    expect(await count('decisions')).to.equal(0);
  });

  it('validates and tests files without a database', async () => {
    const options = { directory: folder, environment: {} };
    await write('models/sub/tested.json', {
      ...calling('./part'),
      tests: [
        { input: { x: 2 }, output: { y: 4 } },
        { name: 'wrong', input: { x: 2 }, output: { y: 5 } },
      ],
    });
    expect(await runVerdictJson(['decision', 'validate', 'models'], options)).to.deep.equal({
      valid: true,
      checked: 3,
      faults: [],
    });
    const tested = await runVerdict(['decision', 'test', 'models'], options);
    expect(tested.code).to.equal(1);
    expect(tested.stdout).to.include('1 of 2 passed').and.include('✗ wrong\n      y: expected 5, got 4');
    // With the files beside it.
    const alone = await runVerdict(['decision', 'validate', 'models/main.json', '--json'], options);
    expect(alone.code, alone.stdout).to.equal(0);
    await rm(join(folder, 'models', 'sub', 'tested.json'));
  });

  it('tests what is stored as it tests files', async () => {
    await write('tested.json', { ...expressing({ y: 'x' }), tests: [{ input: { x: 1 }, output: { y: 1 } }] });
    await bring('tested.json');
    const stored = await runVerdictJson(['decision', 'test', '--workspace', workspace], place());
    expect(stored)
      .to.deep.include({ passed: 1, failed: 0 })
      .and.have.nested.property('models[0].coverage.nodes[0].hits', 1);
    const files = { directory: folder, environment: {} };
    expect(await runVerdictJson(['decision', 'test', 'tested.json'], files)).to.deep.equal(stored);
  });
});
