import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { markOf } from '../../../src/cli/processMark.js';
import { Refusal } from '../../../src/cli/failures.js';
import { runningDemo, settingsFor } from '../../../src/cli/settings.js';
import { useFolder, useFreshFolder } from '../../support/folder.js';

describe('the database that the command line works on', () => {
  const root = useFolder();
  const running = { DATABASE_URL: 'mysql://run', ENCRYPTION_KEY: 'run' };
  /** Makes a project in which such a file lies. */
  const project = (name: string, text: string, mode = 0o600): string => {
    mkdirSync(join(root, name, '.run'), { recursive: true });
    const path = join(root, name, '.run', 'env.json');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  before(() => {
    mkdirSync(join(root, 'none'));
    project('run', JSON.stringify({ ...running, EXTRA: 5, owner: markOf(process.pid) }));
    project('killed', JSON.stringify({ ...running, owner: { pid: process.pid, born: 'earlier' } }));
    project('broken', '{');
  });
  const settings = (environment: Record<string, string>, name: string) => settingsFor(environment, join(root, name));

  it('is that of make run in the project of the command line', () => {
    expect(settings({}, 'run')).to.deep.equal(running);
    expect(settings({ DATABASE_URL: '', HOME: 'h' }, 'run')).to.deep.equal({ ...running, HOME: 'h' });
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

  for (const mode of [0o620, 0o602, 0o666]) {
    it(`is not that of a file which others may write, mode ${mode.toString(8)}`, () => {
      project('open', JSON.stringify(running), mode);
      expect(() => settings({}, 'open')).to.throw(Refusal, 'may be written by other users');
      const own = { DATABASE_URL: 'mysql://run' };
      expect(settings(own, 'open'), 'nor its key').to.deep.equal(own);
    });
  }

  it("is not that of another user's file", function () {
    if (process.getuid?.() !== 0) this.skip();
    chownSync(project('foreign', JSON.stringify(running)), 65_534, 65_534);
    expect(() => settings({}, 'foreign')).to.throw(Refusal, 'belongs to another user');
  });
});

describe('whom the command line works as where nobody has signed in', () => {
  const demo = { clientId: 'c', clientSecret: 's', workspaceId: 'w', fact: {} };
  const root = useFreshFolder();
  beforeEach(() => {
    mkdirSync(join(root, '.run'));
  });
  const write = (name: string, value: unknown, mode = 0o600): void =>
    writeFileSync(join(root, '.run', name), JSON.stringify(value), { mode });
  const running = { ISSUER: 'http://127.0.0.1:3000', owner: markOf(process.pid) };

  it("is the demo's client of a running make run, at its own server", () => {
    write('env.json', running);
    write('demo.json', { demo });
    expect(runningDemo(root)).to.deep.equal({
      url: 'http://127.0.0.1:3000',
      clientId: 'c',
      clientSecret: 's',
      workspaceId: 'w',
    });
  });

  it('is nobody where none runs, where it was killed, and where it has no demo', () => {
    write('demo.json', { demo });
    expect(runningDemo(root), 'none').to.equal(undefined);
    write('env.json', { ...running, owner: { pid: process.pid, born: 'earlier' } });
    expect(runningDemo(root), 'killed').to.equal(undefined);
    write('env.json', running);
    write('demo.json', { demos: {} });
    expect(runningDemo(root), 'no demo').to.equal(undefined);
  });

  it('is nobody where others may have written which server it is', () => {
    write('env.json', running);
    write('demo.json', { demo });
    chmodSync(join(root, '.run', 'env.json'), 0o666);
    expect(runningDemo(root)).to.equal(undefined);
  });
});
