import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { markOf } from '../../../db/services/processes.js';
import { Refusal } from '../../../src/cli/failures.js';
import { settingsFor } from '../../../src/cli/settings.js';

describe('the database that the command line works on', () => {
  let root: string;
  const running = { DATABASE_URL: 'mysql://run', ENCRYPTION_KEY: 'run' };
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'verdict-settings-'));
    for (const folder of ['run/.run', 'run/below', 'none', 'broken/.run', 'killed/.run'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(
      join(root, 'run', '.run', 'env.json'),
      JSON.stringify({ ...running, EXTRA: 5, owner: markOf(process.pid) }),
    );
    const killed = { ...running, owner: { pid: process.pid, born: 'earlier' } };
    writeFileSync(join(root, 'killed', '.run', 'env.json'), JSON.stringify(killed));
    writeFileSync(join(root, 'broken', '.run', 'env.json'), '{');
  });
  after(() => rmSync(root, { recursive: true }));
  const settings = (environment: Record<string, string>, directory: string, besides = 'none') =>
    settingsFor(environment, join(root, directory), join(root, besides));

  it('is that of make run, in a folder above or next to the package', () => {
    expect(settings({}, 'run/below')).to.deep.equal(running);
    expect(settings({ DATABASE_URL: '', HOME: 'h' }, 'none', 'run')).to.deep.equal({ ...running, HOME: 'h' });
  });

  it('is the one that is set, with the key of make run only where it is the same one', () => {
    const other = { DATABASE_URL: 'mysql://other' };
    expect(settings(other, 'run')).to.deep.equal(other);
    expect(settings({ DATABASE_URL: 'mysql://run' }, 'run')).to.deep.equal(running);
    expect(settings({ ENCRYPTION_KEY: 'mine' }, 'run')).to.deep.equal({ ...running, ENCRYPTION_KEY: 'mine' });
  });

  it('is asked for where there is none', () => {
    expect(() => settings({}, 'none')).to.throw(Refusal, '`make run`');
    expect(() => settings({}, 'killed'), 'left by kill -9').to.throw(Refusal, '`make run`');
    expect(() => settings({}, 'broken')).to.throw(Refusal, 'cannot be read');
  });
});
