import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdict } from '../../support/cliProcess.js';
import { remoteEnvironment } from '../../support/remote.js';
import { buildScene } from '../../support/scene.js';
import { testEnvironment } from '../../support/settings.js';

describe('the command line: its process', () => {
  it('says what to do without a database, or with one that does not answer, and never shows its password', async () => {
    const list = ['workspace', 'list'];
    const directory = await mkdtemp(join(tmpdir(), 'verdict-cli-'));
    const gone = { ...testEnvironment(), DATABASE_URL: 'mysql://u:s3cret@127.0.0.1:1/x' };
    const unreachable = await verdict(list, { environment: gone });
    expect([unreachable.code, unreachable.stdout]).to.deep.equal([1, '']);
    expect(unreachable.stderr).to.match(/^error: the database at 127\.0\.0\.1:1\/x cannot be reached .*\n$/);
    expect(unreachable.stderr).to.not.include('s3cret');
    // A folder that one only works in, unpacked from elsewhere, does not choose the database.
    await mkdir(join(directory, '.run'));
    await writeFile(join(directory, '.run', 'env.json'), JSON.stringify(gone), { mode: 0o600 });
    await mkdir(join(directory, 'below'));
    for (const folder of [directory, join(directory, 'below')]) {
      const found = await verdict(list, { environment: {}, directory: folder });
      expect(found.stderr).to.not.include('127.0.0.1:1');
    }
    const faulty = await verdict(list, { environment: { DATABASE_URL: 'postgres://x' } });
    expect([faulty.code, faulty.stderr.includes('DATABASE_URL must be')], faulty.stderr).to.deep.equal([1, true]);
    await rm(directory, { recursive: true });
  });

  describe('by HTTP', () => {
    const app = useApp();

    /** The sources that a command had loaded when it ended, as the maps of what is built tell them. */
    async function loadedBy(environment: Readonly<Record<string, string>>, args: readonly string[]): Promise<string[]> {
      const directory = await mkdtemp(join(tmpdir(), 'verdict-cli-'));
      const { code, stderr } = await verdict(args, { environment: { ...environment, NODE_V8_COVERAGE: directory } });
      expect(code, stderr).to.equal(0);
      const [told = ''] = await readdir(directory);
      const { result } = JSON.parse(await readFile(join(directory, told), 'utf8')) as { result: { url: string }[] };
      await rm(directory, { recursive: true });
      const maps = result.filter(({ url }) => url.includes('/dist/cli/')).map(({ url }) => `${fileURLToPath(url)}.map`);
      const texts = await Promise.all(maps.map((path) => readFile(path, 'utf8')));
      return texts.flatMap((text) => (JSON.parse(text) as { sources: string[] }).sources);
    }

    it('loads nothing of the database, nor of the engine', async () => {
      const { client, workspaceId } = await buildScene(app);
      const loaded = await loadedBy(remoteEnvironment(app, { ...client, workspaceId }), ['decision', 'list']);
      expect(loaded.filter((path) => path.endsWith('/cli/program.ts'))).to.have.length(1);
      const heavy = ['/node_modules/knex/', '/node_modules/mysql2/', '/workers/engine/index.ts'];
      expect(heavy.filter((part) => loaded.some((path) => path.includes(part)))).to.deep.equal([]);
    });
  });
});
