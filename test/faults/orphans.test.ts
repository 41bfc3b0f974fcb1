import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { isAlive, markOf } from '../../src/cli/processMark.js';
import { eventually } from '../support/eventually.js';

describe('servers of tests whose runner is killed', () => {
  it('end, each process of them', async () => {
    const runner = spawn(process.execPath, [join(projectRoot, 'dist', 'test', 'support', 'orphans.js')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(runner.stdout, 'data')) as [Buffer];
    const marks = (JSON.parse(said.toString()) as number[])
      .map((pid) => markOf(pid))
      .filter((mark) => mark !== undefined);
    expect(marks.length).to.be.at.least(2);
    runner.kill('SIGKILL');
    const left = (): unknown[] => marks.filter((mark) => isAlive(mark));
    await eventually(() => left().length === 0).catch(() => undefined);
    const orphans = left();
    for (const { pid } of marks.filter((mark) => isAlive(mark))) process.kill(pid, 'SIGKILL');
    expect(orphans).to.deep.equal([]);
  });
});
