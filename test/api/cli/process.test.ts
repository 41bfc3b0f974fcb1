import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { verdict } from '../../support/cliProcess.js';
import { testEnvironment } from '../../support/settings.js';

describe('the command line: its process', () => {
  it('exits with 2 and prints nothing for bad usage', async () => {
    const { code, stdout, stderr } = await verdict(['decision', 'nonsense'], { environment: {} });
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.include("unknown command 'nonsense'");
  });

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
});
