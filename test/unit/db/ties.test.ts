import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startTies } from '../../../db/services/ties.js';
import { isAlive, markOf, type ProcessMark } from '../../../src/cli/processMark.js';
import { eventually } from '../../support/eventually.js';

const tiesFile = new URL('../../../db/services/ties.js', import.meta.url).href;

describe('what is tied to a process', () => {
  let root: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'verdict-ties-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  /** A process that says when it is up, and lives until it is ended. */
  const start = async (code: string): Promise<ProcessMark> => {
    const program = `${code}; setInterval(() => {}, 1000); console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
    children.push(child);
    await once(child.stdout, 'data');
    return markOf(child.pid ?? 0)!;
  };

  it('ends when the process is killed: what was named last goes first, and what does not listen is forced', async () => {
    const log = join(root, 'log');
    const folder = join(root, 'folder');
    mkdirSync(folder);
    const deaf = await start(`process.on('SIGTERM', () => {})`);
    const polite = await start(`process.on('SIGTERM', async () => {
      (await import('node:fs')).appendFileSync(${JSON.stringify(log)}, 'polite\\n');
      process.exit();
    })`);
    const note = (word: string): string => JSON.stringify(['/bin/sh', '-c', `echo ${word} >> '${log}'`]);
    const holder = await start(`
      const ties = (await import(${JSON.stringify(tiesFile)})).startTies();
      ties.removeFolder(${JSON.stringify(folder)});
      ties.run(${note('first')});
      ties.watch(${JSON.stringify(deaf)}, 200);
      ties.run(${note('second')});
      ties.watch(${JSON.stringify(polite)}, 60_000);
    `);
    process.kill(holder.pid, 'SIGKILL');
    await eventually(() => !existsSync(folder));
    // What was forced is gone once the system got to it.
    await eventually(() => ![deaf, polite].some(isAlive));
    expect(readFileSync(log, 'utf8')).to.equal('polite\nsecond\nfirst\n');
  });

  it('stays where the process has ended all in order', async () => {
    const other = await start('');
    const said = join(root, 'said');
    const ties = startTies();
    ties.run(['/bin/sh', '-c', `echo said > '${said}'`]);
    ties.watch(other, 1000);
    ties.dismiss();
    await eventually(() => !execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(said));
    expect(isAlive(other)).to.equal(true);
    expect(existsSync(said)).to.equal(false);
  });
});
